import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { takeBaseBackup } from '../server/src/database/base-backup.ts'
import { runsAsRoot } from '../server/src/database/embedded/account.ts'
import { findBinaries } from '../server/src/database/embedded/binaries.ts'
import { launch } from '../server/src/database/embedded/launch.ts'
import { locateCluster, systemFolder } from '../server/src/database/embedded/location.ts'
import type { Postmaster } from '../server/src/database/embedded/postmaster.ts'
import { urlOf } from '../server/src/database/embedded/session.ts'
import { findPort } from '../server/src/database/embedded/settings.ts'
import { passwordFile } from '../server/src/database/embedded.ts'
import { placeRestored, removeRestored, startRestored } from '../server/src/database/restored.ts'
import { createLogger } from '../server/src/logger.ts'
import { readSecret } from '../server/src/secret-file.ts'
import type { Report } from './compare.ts'
import { appSecret, type BenchDatabase } from './database.ts'
import { signInTo } from './many-orders.ts'
import { type ServerProcess, startProcess } from './server-process.ts'
import { lostChanges, startRequests } from './steady-requests.ts'

const SERVER_PORT = 3931
const log = createLogger('warn')
const untar = promisify(execFile)

type Postgres = { port: number; url: string; postmaster: Postmaster }

/**
 * Loses the primary under load: PostgreSQL is killed with all its processes, its standby, which had confirmed every commit,
 * is promoted, and the address of the database leads to it. Prints what was lost and how long requests failed.
 */
export async function benchStandby(
  database: BenchDatabase,
  { say, missed }: Report,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone-bench-standby-'))
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  let primary: Postgres | undefined
  let standby: Postgres | undefined
  let server: ServerProcess | undefined
  const address = await startAddress()
  try {
    await copyInto(first, database.url)
    await (await startRestored({ dataDir: first, target: 'consistent', log })).stop()
    primary = await start(first, {
      synchronous_standby_names: '*',
      synchronous_commit: 'remote_apply',
    })
    await copyInto(second, primary.url)
    const { cluster } = await locateCluster(second)
    await rename(join(cluster, 'recovery.signal'), join(cluster, 'standby.signal'))
    standby = await start(second, { primary_conninfo: primary.url })
    address.leadTo(primary)
    server = await startProcess(['dist/server/main.js'], SERVER_PORT, {
      DATABASE_URL: address.of(primary.url),
      DATA_DIR: folder,
      APP_SECRET: appSecret,
      LOG_LEVEL: 'error',
    })
    const own = database.pharmacies.find(({ baseId }) => baseId === null)
    if (!own) throw new Error('there is no pharmacy')
    const headers = await signInTo(server.url, own.email)
    const requests = startRequests(server.url, headers, database.recordIds)
    await pause(5_000)

    const killedAt = Date.now()
    killAll(primary)
    await promote(standby)
    address.leadTo(standby)
    const promotedAt = Date.now()
    await pause(10_000)
    const { sent, failures, changed } = await requests.stop()
    const lost = await lostChanges(standby.url, own.id, changed)
    const failedFor = Math.max(0, ...failures.map(({ sentAt }) => sentAt - killedAt))
    if (lost > 0) missed.push('standby')
    say(
      `Standby: promoted ${seconds(promotedAt - killedAt)} after the primary was killed; of ${sent} requests ` +
        `${failures.length} failed, the last one was sent ${seconds(failedFor)} after it; ${changed.size} orders ` +
        `changed, ${lost} acknowledged changes lost (goal: 0)`,
    )
  } finally {
    await server?.stop()
    address.close()
    for (const postgres of [primary, standby]) if (postgres) killAll(postgres)
    for (const postgres of [primary, standby]) await postgres?.postmaster.exited
    for (const dataDir of [first, second]) await removeRestored(dataDir)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Copies a running database into a new data folder, as a back-up does. */
async function copyInto(dataDir: string, url: string): Promise<void> {
  const file = `${dataDir}.tar`
  const { manifest } = await takeBaseBackup(url, (archive) =>
    pipeline(archive, createWriteStream(file)),
  )
  await placeRestored({
    dataDir,
    password: decodeURIComponent(new URL(url).password),
    manifest,
    extract: async (folder) => void (await untar('tar', ['-xf', file, '-C', folder])),
  })
}

/** Starts PostgreSQL as an operator does: it is not started again when it ends. */
async function start(dataDir: string, settings: Record<string, string>): Promise<Postgres> {
  const location = await locateCluster(dataDir)
  const binaries = await findBinaries(location.account, runsAsRoot ? systemFolder : dataDir)
  const password = (await readSecret(passwordFile(dataDir))) ?? ''
  const port = await findPort()
  const launched = await launch({ location, binaries, password, settings, log }, { port })
  if ('failure' in launched) throw new Error(launched.failure.line)
  return { port, url: urlOf({ port, password }), postmaster: launched.postmaster }
}

/** Kills PostgreSQL with all its processes, as if the machine were lost. */
function killAll({ postmaster }: Postgres): void {
  if (postmaster.pid && !postmaster.hasExited()) process.kill(-postmaster.pid, 'SIGKILL')
}

async function promote({ url }: Postgres): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('select pg_promote()')
  await client.end()
}

/** The address of the database, which leads to one PostgreSQL or the other, as a name or a proxy of the operator does. */
async function startAddress() {
  let target = 0
  const sockets = new Set<Socket>()
  const proxy = createServer((socket) => {
    const other = connect(target, '127.0.0.1')
    for (const each of [socket, other]) {
      sockets.add(each)
      each.on('error', () => {})
      each.on('close', () => {
        sockets.delete(each)
        socket.destroy()
        other.destroy()
      })
    }
    socket.pipe(other).pipe(socket)
  })
  const port = await findPort()
  await once(proxy.listen(port, '127.0.0.1'), 'listening')
  return {
    of(url: string): string {
      const address = new URL(url)
      address.port = String(port)
      return address.href
    },
    leadTo(postgres: Postgres) {
      target = postgres.port
    },
    close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`
