import { chmod, chown, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runsAsRoot } from '../../server/src/database/embedded/account.ts'
import { type Cluster, createCluster } from './cluster.ts'
import type { Machine } from './machine.ts'
import type { Site } from './site.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** As deploy/bancone.service begins the server. */
const SERVER = [
  '--enable-source-maps',
  '--min-semi-space-size=4',
  '--max-semi-space-size=4',
  join(root, 'dist', 'server', 'main.js'),
]

/** Starts everything in the order of docs/scaling.md. */
export async function install(site: Site, say: (text: string) => void): Promise<Cluster> {
  const { programs, databases, servers } = site
  const cluster = createCluster(site)
  say('etcd and Patroni')
  await startDatabases(site)
  await cluster.healthy()
  const leader = await cluster.leader()
  if (!leader) throw new Error('no member leads')
  await createAccounts(site, leader)
  const backrest = [`--config=${site.fileOf(leader, 'pgbackrest.conf')}`, '--stanza=bancone']
  await site.runOn(leader, programs.pgbackrest, [...backrest, 'stanza-create'])
  say('HAProxy, PgBouncer and the servers')
  for (const machine of servers) await startServer(site, machine)
  await Promise.all(servers.map((machine) => cluster.ready(machine)))
  say('the first back-up')
  for (const machine of databases) {
    const lines = await readFile(site.fileOf(machine, 'backups'), 'utf8')
    const weekly = lines.split('\n').find((line) => line.includes('--type=full')) ?? ''
    // Without the times and the account. It ends with an error on a machine that does not lead.
    const command = weekly.split(/ +/).slice(6).join(' ')
    const [own] = await Promise.allSettled([site.runOn(machine, 'sh', ['-c', command])])
    if (machine === leader && own.status === 'rejected') throw own.reason
  }
  return cluster
}

/** Lines `NAME=value`, as systemd reads them. */
async function variablesOf(file: string): Promise<Record<string, string>> {
  const text = await readFile(file, 'utf8')
  const lines = [...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)]
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
}

async function startDatabases({ databases, programs, account, ...site }: Site): Promise<void> {
  for (const machine of databases) {
    const env = await variablesOf(site.fileOf(machine, 'etcd'))
    machine.start({ name: 'etcd', command: [programs.etcd], env, account })
  }
  for (const machine of databases) {
    machine.start({
      name: 'patroni',
      command: [programs.patroni, site.fileOf(machine, 'patroni.yml')],
      env: site.environmentOf(machine),
      account,
    })
  }
}

async function createAccounts({ programs, passwords, runOn }: Site, leader: Machine) {
  // The account of PostgreSQL may not read the repository.
  const file = join(leader.folder, 'etc', 'accounts.sql')
  await writeFile(file, await readFile(join(root, 'deploy', 'accounts.sql')), { mode: 0o644 })
  const address = `host=${join(leader.folder, 'run')} user=postgres dbname=postgres`
  const settings = [
    'ON_ERROR_STOP=1',
    `server=${passwords['DATABASE_PASSWORD']}`,
    `pooler=${passwords['POOLER_PASSWORD']}`,
  ]
  const args = settings.flatMap((setting) => ['--set', setting])
  await runOn(leader, programs.psql, ['--quiet', ...args, '--file', file, address])
}

async function startServer({ fileOf, programs, account }: Site, machine: Machine): Promise<void> {
  machine.start({
    name: 'haproxy',
    command: [programs.haproxy, '-db', '-f', fileOf(machine, 'haproxy.cfg')],
    account,
  })
  machine.start({
    name: 'pgbouncer',
    command: [programs.pgbouncer, fileOf(machine, 'pgbouncer.ini')],
    account,
  })
  const settings = await variablesOf(fileOf(machine, 'settings'))
  const data = join(machine.folder, 'data')
  if (runsAsRoot) await chown(data, 0, 0)
  await chmod(data, 0o700)
  machine.start({
    name: 'server',
    command: [process.execPath, ...SERVER],
    env: { NODE_ENV: 'production', MALLOC_ARENA_MAX: '1', DATA_DIR: data, ...settings },
    // As TimeoutStopSec of its unit.
    stopSeconds: 45,
  })
}
