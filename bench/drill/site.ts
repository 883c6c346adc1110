import { execFile } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import {
  chmod,
  chown,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  writeFile,
} from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type S3Sandbox, startS3 } from '@bancone/sandbox/s3'
import {
  type Account,
  findAccount,
  runsAsRoot,
} from '../../server/src/database/embedded/account.ts'
import { createMachine, type Machine } from './machine.ts'
import type { Programs } from './programs.ts'

const fillScript = fileURLToPath(new URL('../../deploy/ha/fill.sh', import.meta.url))
const run = promisify(execFile)

const LAST_LINES = 8

/** The machines of the drill, with the files of deploy/ha, before anything runs on them. */
export type Site = {
  folder: string
  /** Three machines of the database, and two of the servers. */
  databases: Machine[]
  servers: Machine[]
  /** Values of deploy/ha that are passwords, by their name. */
  passwords: Record<string, string>
  programs: Programs
  /** What PostgreSQL and all that knows it run as; undefined means the account of this process. */
  account: Account | undefined
  /** A file of deploy/ha on a machine, with its values. */
  fileOf(machine: Machine, name: string): string
  /** The environment of a program on a machine. */
  environmentOf(machine: Machine): Record<string, string>
  /** Runs a program as the account of PostgreSQL on a machine. @returns what it has printed */
  runOn(machine: Machine, file: string, args: string[]): Promise<string>
  /** The last lines of all logs. */
  lastLines(): Promise<string>
  /** Ends everything and removes it. */
  dispose(): Promise<void>
}

/** Each machine has an address of the loopback, so that the ports are those of the files. */
export async function createSite(programs: Programs): Promise<Site> {
  const account = runsAsRoot ? await findAccount() : undefined
  const net = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`
  await requireFreePorts(`${net}.1`)
  const folder = await mkdtemp(join(tmpdir(), 'bancone-drill-'))
  // The account of PostgreSQL passes through it.
  await chmod(folder, 0o711)
  const machines = ['db-1', 'db-2', 'db-3', 'app-1', 'app-2'].map((name, index) =>
    createMachine(name, `${net}.${index + 1}`, join(folder, name)),
  )
  const names = ['POSTGRES', 'REPLICATION', 'PATRONI', 'DATABASE', 'POOLER', 'BACKUP']
  const passwords = Object.fromEntries(
    names.map((name) => [`${name}_PASSWORD`, randomBytes(16).toString('hex')]),
  )
  const s3 = await startS3()
  const filling = { machines, folder, passwords, account, programs, s3 }
  for (const machine of machines) await fillIn(machine, filling)
  const backups = join(folder, 'backups')
  await mkdir(backups)
  if (account) await giveTo(account, backups)

  const environmentOf = (machine: Machine) => ({
    PATH: `${join(programs.postgres, '..')}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    HOME: machine.folder,
    LC_ALL: 'C',
    TZ: 'UTC',
  })

  return {
    folder,
    databases: machines.slice(0, 3),
    servers: machines.slice(3),
    passwords,
    programs,
    account,
    fileOf: (machine, name) => join(machine.folder, 'etc', name),
    environmentOf,
    async runOn(machine, file, args) {
      const options = { ...account, cwd: machine.folder, env: environmentOf(machine) }
      const { stdout } = await run(file, args, options)
      return stdout
    },
    async lastLines() {
      const files = machines.flatMap(({ folder: place }) =>
        ['etcd', 'patroni', 'haproxy', 'pgbouncer', 'server'].map((name) =>
          join(place, `${name}.log`),
        ),
      )
      const tails = await Promise.all(
        files.map(async (file) => {
          const lines = (await readFile(file, 'utf8').catch(() => '')).trimEnd().split('\n')
          return `${file}\n${lines.slice(-LAST_LINES).join('\n')}\n`
        }),
      )
      return tails.join('\n')
    },
    async dispose() {
      await Promise.all(machines.map((machine) => machine.kill()))
      await s3.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Filling = {
  machines: Machine[]
  folder: string
  passwords: Record<string, string>
  account: Account | undefined
  programs: Programs
  s3: S3Sandbox
}

/** A program that listens on all addresses leaves no room on ours. */
async function requireFreePorts(host: string): Promise<void> {
  for (const port of [2379, 2380, 3000, 5432, 5433, 6432, 8008, 8080]) {
    const isTaken = await new Promise<boolean>((resolve) => {
      const socket = connect({ host, port })
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
    if (isTaken) throw new Error(`another program listens on port ${port} of all addresses`)
  }
}

/** Fills in the files of deploy/ha, by the script that people use. */
async function fillIn(
  machine: Machine,
  { machines, folder, passwords, account, programs, s3 }: Filling,
): Promise<void> {
  const place = (name: string) => join(machine.folder, name)
  for (const name of ['', 'etc', 'run', 'log', 'lock', 'data']) await mkdir(place(name))
  const addresses = Object.fromEntries(
    machines.map(({ name, address }) => [name.toUpperCase().replace('-', '_'), address]),
  )
  const owner = account ? await nameOf(account) : { user: userInfo().username, group: '' }
  const values = {
    ...addresses,
    ...passwords,
    NAME: machine.name,
    ADDRESS: machine.address,
    NETWORK: '127.0.0.0/8',
    LOCAL: machine.address,
    APP_SECRET: 's'.repeat(48),
    PUBLIC_URL: 'http://bancone.example.it',
    HTTP_BIND: `${machine.address}:8080`,
    S3_ENDPOINT: s3.url,
    S3_REGION: s3.region,
    S3_BUCKET: s3.bucket,
    S3_ACCESS_KEY_ID: s3.keys.id,
    S3_SECRET_ACCESS_KEY: s3.keys.secret,
    BACKUP_FOLDER: join(folder, 'backups'),
    BIN_FOLDER: join(programs.postgres, '..'),
    DATA_FOLDER: place('postgres'),
    SOCKET_FOLDER: place('run'),
    ETCD_PROTOCOL: await etcdProtocol(programs),
    ETCD_FOLDER: place('etcd'),
    LOG_FOLDER: place('log'),
    LOCK_FOLDER: place('lock'),
    PGBACKREST_CONF: place('etc/pgbackrest.conf'),
    POOLER_USERS: place('etc/userlist.txt'),
    DATABASE_ACCOUNT: owner.user,
    HAPROXY_USER: owner.user,
    HAPROXY_GROUP: owner.group || (await groupOfUser()),
  }
  const lines = Object.entries(values).map(([name, value]) => `${name}='${value}'`)
  await writeFile(place('values'), `${lines.join('\n')}\n`, { mode: 0o600 })
  await run('sh', [fillScript, place('values'), place('etc')])
  if (account) await giveTo(account, machine.folder)
}

/** See deploy/ha/patroni.yml. */
async function etcdProtocol({ patroni }: Programs): Promise<'etcd' | 'etcd3'> {
  const { stdout } = await run(patroni, ['--version'])
  const [major = 0, minor = 0, patch = 0] = (/\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? '')
    .split('.')
    .map(Number)
  return major * 10_000 + minor * 100 + patch < 30_003 ? 'etcd' : 'etcd3'
}

async function nameOf({ uid, gid }: Account) {
  const [{ stdout: user }, { stdout: group }] = await Promise.all([
    run('id', ['-nu', String(uid)]),
    run('getent', ['group', String(gid)]),
  ])
  return { user: user.trim(), group: group.split(':')[0] ?? '' }
}

async function groupOfUser(): Promise<string> {
  return (await run('id', ['-ng'])).stdout.trim()
}

async function giveTo({ uid, gid }: Account, folder: string): Promise<void> {
  await chown(folder, uid, gid)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), uid, gid)
  }
}
