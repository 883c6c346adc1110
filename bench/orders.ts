import { setTimeout as pause } from 'node:timers/promises'
import { OrderStatus, OrdersPage } from '@bancone/contract/orders'
import { startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import type { Bench } from './bench.ts'
import { compare } from './compare.ts'
import { BENCH_TABLE, type BenchPharmacy, ORDERS_EACH, orderText } from './database.ts'
import { type LoadRequest, read } from './load.ts'
import { signInTo } from './server-process.ts'

/** Megabytes. */
const MEMORY_GOALS = { rest: 100, load: 135 }
/** Milliseconds from the start of the server to the measurement of its memory at rest. */
const REST_MS = 10_000
const PAGES_GOAL = { ratio: 3, p99: 1 }
const AIRTABLE_GOAL = { ratio: 2.5, p99: 1 }
const UNSEEN = 3
export const STATUSES = ['In attesa', 'Confermato', 'Prenotato Domani']

/** What those at the counter do most: pages of orders and changes of their status. */
export async function benchOrders(bench: Bench): Promise<void> {
  const { pharmacies, own, onAirtable, recordIds } = bench.database
  const airtable = await airtableWith(onAirtable)
  const ours = await bench.serve({
    LOG_LEVEL: 'info',
    AIRTABLE_API_URL: airtable.url,
    AIRTABLE_TOKEN: airtable.token,
  })
  const bare = await bench.serveBare()
  await pause(REST_MS)
  const rest = await ours.memory()
  let most = 0
  const sessions = new Map<string, Record<string, string>>()
  for (const { id, email } of pharmacies) {
    sessions.set(id, { ...(await signInTo(ours.url, email)), 'x-pharmacy': id })
  }
  const headersOf = ({ id }: BenchPharmacy) => sessions.get(id) ?? {}
  const pagesOf = (some: BenchPharmacy[], pages: number[]): LoadRequest[] =>
    pages.flatMap((page) =>
      some.map((one) => ({ path: `/api/airtable-orders?page=${page}`, headers: headersOf(one) })),
    )
  // Of a pharmacy whose orders are in the database only: Airtable takes five changes a second at most.
  const changes: LoadRequest[] = recordIds.flatMap((id, n) =>
    own.slice(-1).map((one) => ({
      method: 'PATCH',
      path: `/api/airtable-orders/${id}`,
      headers: headersOf(one),
      body: JSON.stringify({ fields: { Stato: STATUSES[n % STATUSES.length] } }),
    })),
  )

  async function show(
    what: string,
    goals: { ratio: number; p99?: number },
    requests: LoadRequest[],
    against = 'bare node:http + pg with count(*)',
  ) {
    await compare(bench, { what, ours, bare, against, requests, goals })
    most = Math.max(most, await ours.memory())
  }

  try {
    await Promise.all(onAirtable.map((pharmacy) => copied(ours.url, headersOf(pharmacy))))
    const few = [1, 2, 3, 1, 1]
    // More pages than are kept in memory, so that each comes from the database.
    const many = Array.from({ length: ORDERS_EACH / 20 }, (_, n) => n + 1)
    await show('Orders page', PAGES_GOAL, pagesOf(own, few))
    await show('Orders page of pharmacies on Airtable', AIRTABLE_GOAL, pagesOf(onAirtable, few))
    await show('Orders page read from the database', { ratio: 1.6 }, pagesOf(pharmacies, many))
    await show('Status change', { ratio: 0.7 }, changes, 'bare UPDATE')
    await leaveUnseen(bench)
    await show(`Orders page with ${UNSEEN} unseen`, AIRTABLE_GOAL, pagesOf(own, few))
    if (rest > MEMORY_GOALS.rest || most > MEMORY_GOALS.load) bench.missed.push('memory')
    bench.say(
      `Memory of the server: ${rest.toFixed(0)} MB at rest (goal: at most ${MEMORY_GOALS.rest}), ` +
        `${most.toFixed(0)} MB at most after a load (goal: at most ${MEMORY_GOALS.load})`,
    )
  } finally {
    await airtable.close()
  }
}

/** An Airtable that has the orders of these pharmacies, from which the server makes its copies. */
async function airtableWith(pharmacies: BenchPharmacy[]) {
  const bases = pharmacies.map(({ baseId }) => baseId ?? '')
  const airtable = await startAirtable({
    bases: Object.fromEntries(bases.map((base) => [base, [ordersTable(BENCH_TABLE)]])),
  })
  const fields = {
    Cliente: 'Giulia Bianchi',
    Ordine: orderText,
    'Phone Number': '+39 333 123 4567',
    Indirizzo: 'Via Garibaldi 12, Venezia',
  }
  const orders = Array.from({ length: ORDERS_EACH }, (_, n) => ({
    createdTime: Date.now() - (ORDERS_EACH - n) * 60_000,
    fields: { ...fields, Stato: OrderStatus.options[n % 5] },
  }))
  for (const base of bases) airtable.create(base, BENCH_TABLE, orders)
  return airtable
}

/** Waits for the first copy of the orders. */
async function copied(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const page = await read(`${url}/api/airtable-orders`, { headers })
    if (OrdersPage.parse(JSON.parse(page)).statistics.total === ORDERS_EACH) return
    await pause(500)
  }
}

/** From now on the newest orders of every pharmacy are unseen. */
async function leaveUnseen({ pool }: Bench): Promise<void> {
  await pool.query(
    `update pharmacy_orders set seen_at = null where id = any(
       select newest.id from pharmacies p, lateral (
         select id from pharmacy_orders o where o.pharmacy_id = p.id
         order by airtable_created desc limit $1) newest)`,
    [UNSEEN],
  )
}
