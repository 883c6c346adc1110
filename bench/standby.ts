import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connectDatabase } from '../server/src/database/database.ts'
import { findPort } from '../server/src/database/embedded/settings.ts'
import { openReplica } from '../server/src/database/replica.ts'
import { removeRestored, startRestored } from '../server/src/database/restored.ts'
import { createLogger } from '../server/src/logger.ts'
import {
  copyInto,
  killAll,
  type Postgres,
  startPostgres,
  startStandby,
} from '../server/test/standby.ts'
import type { Report } from './compare.ts'
import { appSecret, type BenchDatabase } from './database.ts'
import { signInTo } from './many-orders.ts'
import { type ServerProcess, startProcess } from './server-process.ts'
import { lostChanges, startRequests } from './steady-requests.ts'

const SERVER_PORT = 3931
const log = createLogger('warn')
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
    primary = await startPostgres(first, {
      synchronous_standby_names: '*',
      synchronous_commit: 'remote_apply',
    })
    standby = await startStandby(second, primary.url)
    address.leadTo(primary)
    server = await startProcess(['dist/server/main.js'], SERVER_PORT, {
      DATABASE_URL: address.of(primary.url),
      DATABASE_REPLICA_URL: standby.url,
      DATA_DIR: folder,
      APP_SECRET: appSecret,
      LOG_LEVEL: 'error',
    })
    const own = database.pharmacies.find(({ baseId }) => baseId === null)
    if (!own) throw new Error('there is no pharmacy')
    const headers = await signInTo(server.url, own.email)
    const requests = startRequests(server.url, headers, database.recordIds)
    await pause(1_000)
    say(await waitsOfReports(primary, standby))
    await pause(4_000)

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

/** How much longer a report waits for a connection with a replica that has everything, while others write. */
async function waitsOfReports(primary: Postgres, standby: Postgres): Promise<string> {
  const connection = connectDatabase(primary.url)
  const replica = await openReplica(standby.url, connection, { log })
  const read = { replica: [] as number[], primary: [] as number[] }
  let passedOver = 0
  try {
    for (let n = 0; n < 300; n += 1) {
      for (const [place, db] of [
        ['replica', replica.reports],
        ['primary', connection.db],
      ] as const) {
        const began = performance.now()
        await db.selectFrom('subscription_plans').select('id').limit(1).execute()
        read[place].push(performance.now() - began)
      }
      if (!(await replica.readsReplica())) passedOver += 1
    }
  } finally {
    await replica.close()
    await connection.close()
  }
  const at = (place: 'replica' | 'primary', share: number) =>
    read[place].toSorted((a, b) => a - b)[Math.floor(share * read[place].length)] ?? 0
  const added = (share: number) => (at('replica', share) - at('primary', share)).toFixed(1)
  return (
    `Replica: a report begins ${added(0.5)} ms (median) or ${added(0.99)} ms (p99) later than on the primary, ` +
    `at 200 requests a second; of 300 reports ${passedOver} were read from the primary`
  )
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
