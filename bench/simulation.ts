import { randomUUID } from 'node:crypto'
import type { Bench } from './bench.ts'
import { orderText } from './database.ts'
import { type LoadRequest, median, read, timed } from './load.ts'
import { STATUSES } from './orders.ts'
import { databaseProcessor, signInTo } from './server-process.ts'

/** Requests of each kind, one after the other: few, because the machine may be in use. */
const MEASURED = 300
const SCREENS_ON = 15

/**
 * A request, by what it costs. `read` is a page of orders that has changed, `repeated` one that a screen asks for each
 * minute without a change.
 */
const kinds = ['creation', 'change', 'read', 'repeated', 'details', 'search'] as const
type Kind = (typeof kinds)[number]

/** What one request costs: processor seconds of the server and of PostgreSQL, and seconds until the response. */
type Cost = { server: number; database: number; response: number }

/** What every pharmacy does: orders of a day, the part of them in the busiest hour, and open dashboards. */
const habits = { ordersADay: 40, inBusiestHour: 0.11, screens: 2 }

/** What happens by chance and independently, how often for an order, and the requests that it causes. */
type Causes = Partial<Record<Kind, number>>
const events: { name: string; ofOrder: number; causes: Causes }[] = [
  { name: 'new order', ofOrder: 1, causes: { creation: 1, read: habits.screens } },
  { name: 'change of status', ofOrder: 2, causes: { change: 1, read: habits.screens } },
  { name: 'look at the details', ofOrder: 1, causes: { details: 1 } },
  { name: 'search', ofOrder: 1, causes: { search: 1 } },
]

/** One second in a thousand has more than the mean and so many standard deviations. */
const UNLUCKY = 3.09
/** What one process is given at most: half of a core, so that an unlucky second does not make requests wait. */
const BUSY = 0.5
/** Sockets of one process. */
const SOCKETS = 5_000
/** Of one process: 10 for requests, 12 for jobs, one that listens. */
const REQUEST_CONNECTIONS = 10
const OTHER_CONNECTIONS = 13

/** What each kind of request costs here, and what a day of 1,000 and of 10,000 pharmacies needs therefore. */
export async function benchDay(bench: Bench): Promise<void> {
  const costs = await measure(bench)
  const inMs = (seconds: number) => (seconds * 1_000).toFixed(2)
  bench.say(`Measured here, ${MEASURED} requests of each kind, one after the other:`)
  for (const kind of kinds) {
    const { server, database, response } = costs[kind]
    bench.say(
      `  ${kind.padEnd(9)} processor of the server ${inMs(server)} ms, of PostgreSQL ${inMs(database)} ms; ` +
        `response after ${inMs(response)} ms`,
    )
  }
  for (const pharmacies of [1_000, 10_000]) sayNeed(bench, costs, pharmacies)
}

function sayNeed({ say }: Bench, costs: Record<Kind, Cost>, pharmacies: number): void {
  const orders = (pharmacies * habits.ordersADay * habits.inBusiestHour) / 3600
  const all: { rate: number; causes: Causes }[] = [
    ...events.map(({ ofOrder, causes }) => ({ rate: orders * ofOrder, causes })),
    { rate: (pharmacies * habits.screens) / 60, causes: { repeated: 1 } },
  ]
  /** Of a second of the busiest hour, when events come as a Poisson process. */
  const peak = (weight: (kind: Kind) => number) => {
    let [mean, variance] = [0, 0]
    for (const { rate, causes } of all) {
      const each = kinds.reduce((sum, kind) => sum + weight(kind) * (causes[kind] ?? 0), 0)
      mean += rate * each
      variance += rate * each ** 2
    }
    return { mean, unlucky: mean + UNLUCKY * Math.sqrt(variance) }
  }
  const show = ({ mean, unlucky }: ReturnType<typeof peak>, digits = 1) =>
    `${mean.toFixed(digits)}, and ${unlucky.toFixed(digits)} in an unlucky second`
  const cores = peak((kind) => costs[kind].server)
  const busy = peak((kind) => costs[kind].response)
  const processes = Math.max(
    2,
    Math.ceil(cores.unlucky / BUSY),
    Math.ceil((pharmacies * habits.screens) / SOCKETS),
  )
  // A pooler has twice as many for requests as are in use.
  const shared = Math.max(REQUEST_CONNECTIONS, Math.ceil(busy.unlucky * 2))
  say(
    `Busiest hour of ${pharmacies} pharmacies, with ${habits.ordersADay} orders a day, ${habits.inBusiestHour * 100} % ` +
      `of them in this hour, and ${habits.screens} dashboards each; for an order ` +
      `${events.map(({ name, ofOrder }) => `${ofOrder} × ${name}`).join(', ')}:`,
  )
  say(
    `  requests a second: ${show(
      peak(() => 1),
      0,
    )} (one in a thousand)`,
  )
  say(`  cores for the processes of the server: ${show(cores)}`)
  say(`  cores for PostgreSQL: ${show(peak((kind) => costs[kind].database))}`)
  say(`  connections in use at once: ${show(busy)}`)
  const notifies = (kind: Kind) => (kind === 'creation' || kind === 'change' ? 1 : 0)
  say(`  commits a second that notify: ${show(peak(notifies), 0)}`)
  say(
    `  needed: ${processes} processes, each at most half busy with at most 5,000 sockets; ` +
      `${processes * (REQUEST_CONNECTIONS + OTHER_CONNECTIONS)} connections to PostgreSQL, or ` +
      `${processes * OTHER_CONNECTIONS + shared} with a pooler`,
  )
}

/** What requests cost that come one at a time: more than under load, where turns and statements are shared. */
async function measure({ serve, database, pool }: Bench): Promise<Record<Kind, Cost>> {
  const { url, processor } = await serve()
  const { own, recordIds } = database
  const sessions: Record<string, string>[] = []
  for (const { email } of own.slice(0, SCREENS_ON)) sessions.push(await signInTo(url, email))
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
  const send = (kind: Kind, n: number) => {
    const { path, ...request } = requests[kind](n)
    return timed(() => read(url + path, request))
  }

  async function costOf(kind: Kind): Promise<Cost> {
    const responses: number[] = []
    const before = { server: await processor(), database: await databaseProcessor(pool) }
    for (let n = 0; n < MEASURED; n += 1) responses.push((await send(kind, n)) / 1_000)
    return {
      server: ((await processor()) - before.server) / MEASURED,
      database: ((await databaseProcessor(pool)) - before.database) / MEASURED,
      response: median(responses),
    }
  }

  // Once without being counted, so that what is compiled and prepared on first use is not in the measure.
  for (const kind of kinds) for (let n = 0; n < 50; n += 1) await send(kind, n + MEASURED)
  return {
    read: await costOf('read'),
    repeated: await costOf('repeated'),
    details: await costOf('details'),
    search: await costOf('search'),
    change: await costOf('change'),
    creation: await costOf('creation'),
  }
}
