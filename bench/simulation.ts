import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { appSecret, type BenchDatabase, benchDatabase, orderText } from './database.ts'
import {
  type Cost,
  habits,
  type Kind,
  kinds,
  needOf,
  type Peak,
  profile,
  simulateDay,
} from './day-of-orders.ts'
import { type LoadRequest, median } from './load.ts'
import { databaseSeconds } from './processor-time.ts'
import { type ServerProcess, signInTo, startProcess } from './server-process.ts'

/** Requests of each kind, one after the other: few, because the machine may be in use. */
const MEASURED = 300
/** The first ten pharmacies of the database have their orders in Airtable. */
const PHARMACIES = 25
const STATUSES = ['In attesa', 'Confermato', 'Prenotato Domani']

const say = (line: string) => process.stdout.write(`${line}\n`)

const pharmacies = Number(process.argv[2])
if (!Number.isInteger(pharmacies) || pharmacies < 1 || pharmacies > 100_000) {
  say('The number of pharmacies is missing: npm run bench:simulation -- 10000')
  process.exit(1)
}
const database = await benchDatabase(PHARMACIES)
const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-simulation-'))
const pool = new pg.Pool({ connectionString: database.url, max: 1 })
const served = await startProcess(['dist/server/main.js'], 3918, {
  DATABASE_URL: database.url,
  DATA_DIR: dataDir,
  APP_SECRET: appSecret,
  LOG_LEVEL: 'warn',
})
try {
  const costs = await measure(served, database, pool)
  tell(costs)
} finally {
  await served.stop()
  await pool.end()
  await rm(dataDir, { recursive: true, force: true })
  await database.close()
}

/** What requests cost that come one at a time: more than under load, where turns and statements are shared. */
async function measure(
  server: ServerProcess,
  { pharmacies: all, recordIds }: BenchDatabase,
  connection: pg.Pool,
): Promise<Record<Kind, Cost>> {
  const own = all.filter(({ baseId }) => baseId === null)
  const sessions: Record<string, string>[] = []
  for (const { email } of own) sessions.push(await signInTo(server.url, email))
  const headers = (n: number) => sessions[n % sessions.length] ?? {}
  const idOf = (n: number) => recordIds[n % recordIds.length] ?? ''
  const pageOf = (page: number) => `/api/airtable-orders?page=${page}`

  const requests: Record<Kind, (n: number) => LoadRequest> = {
    // A page that this process has read is kept: each is another one.
    read: (n) => ({ path: pageOf(1 + Math.floor(n / sessions.length)), headers: headers(n) }),
    repeated: () => ({ path: pageOf(1), headers: headers(0) }),
    details: (n) => ({ path: `/api/orders/${idOf(n)}`, headers: headers(n) }),
    search: (n) => ({
      method: 'POST',
      path: '/api/orders/search',
      headers: headers(n),
      body: JSON.stringify({ q: `Giulia ${1_000 + n}` }),
    }),
    change: (n) => ({
      method: 'PATCH',
      path: `/api/airtable-orders/${idOf(n)}`,
      headers: headers(n),
      body: JSON.stringify({ fields: { Stato: STATUSES[(n + 1) % STATUSES.length] } }),
    }),
    creation: (n) => ({
      method: 'POST',
      path: '/api/orders',
      headers: { ...headers(n), 'idempotency-key': randomUUID() },
      body: JSON.stringify({ fields: { Cliente: 'Giulia Bianchi', Ordine: orderText } }),
    }),
  }

  async function costOf(kind: Kind): Promise<Cost> {
    const responses: number[] = []
    const before = { server: await server.processor(), database: await databaseSeconds(connection) }
    for (let n = 0; n < MEASURED; n += 1) {
      const { path, ...request } = requests[kind](n)
      const begun = performance.now()
      const reply = await fetch(`${server.url}${path}`, request)
      const text = await reply.text()
      if (!reply.ok) throw new Error(`${kind}: ${reply.status} ${text}`)
      responses.push((performance.now() - begun) / 1000)
    }
    return {
      server: ((await server.processor()) - before.server) / MEASURED,
      database: ((await databaseSeconds(connection)) - before.database) / MEASURED,
      response: median(responses),
    }
  }

  // Once without being counted, so that what is compiled and prepared on first use is not in the measure.
  for (const kind of kinds) for (let n = 0; n < 50; n += 1) await warm(requests[kind](n + MEASURED))
  async function warm({ path, ...request }: LoadRequest): Promise<void> {
    await (await fetch(`${server.url}${path}`, request)).arrayBuffer()
  }
  return {
    read: await costOf('read'),
    repeated: await costOf('repeated'),
    details: await costOf('details'),
    search: await costOf('search'),
    change: await costOf('change'),
    creation: await costOf('creation'),
  }
}

function tell(costs: Record<Kind, Cost>): void {
  const inMs = (seconds: number) => (seconds * 1_000).toFixed(2)
  const peak = ({ mean, unlucky }: Peak, digits = 1) =>
    `${mean.toFixed(digits)}, and ${unlucky.toFixed(digits)} in an unlucky second`
  say(`Measured here, ${MEASURED} requests of each kind, one after the other:`)
  for (const kind of kinds) {
    const { server, database: spent, response } = costs[kind]
    say(
      `  ${kind.padEnd(9)} processor of the server ${inMs(server)} ms, of PostgreSQL ${inMs(spent)} ms; ` +
        `response after ${inMs(response)} ms`,
    )
  }
  const highest = Math.max(...profile)
  say(
    `Assumed of each of ${pharmacies} pharmacies: ${habits.ordersADay} orders a day, as a Poisson process with ` +
      `${((highest / profile.reduce((sum, share) => sum + share, 0)) * 100).toFixed(0)} % in the busiest hour; ` +
      `${habits.screens} dashboards from ${habits.opens} to ${habits.closes}, which read their page after each order and ` +
      `change and once a minute; for an order ${habits.changesOfOrder} changes of status, ${habits.detailsOfOrder} look at ` +
      `its details and ${habits.searchesOfOrder} search, ${habits.handling / 60} minutes later on average.`,
  )
  say(
    'Not in it: public pages and their visits, priority access, WhatsApp, the reading of Airtable, pictures and reports.',
  )
  const need = needOf(simulateDay(pharmacies, Math.random), costs, pharmacies)
  say(`The busiest hour begins at ${need.hour}:00. An unlucky second is one in a thousand of it.`)
  say(`  requests a second: ${peak(need.requests, 0)}`)
  say(`  cores for the processes of the server: ${peak(need.server)}`)
  say(`  cores for PostgreSQL: ${peak(need.database)}`)
  say(`  connections in use at once: ${peak(need.busy)}`)
  say(`  commits a second that notify: ${peak(need.notifying, 0)}`)
  say(
    `Needed: ${need.processes} processes, each at most half busy with at most 5,000 sockets; ` +
      `${need.connections.direct} connections to PostgreSQL, or ${need.connections.pooled} with a pooler.`,
  )
}
