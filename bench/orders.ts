import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { OrderStatus, OrdersPage } from '@bancone/contract/orders'
import { startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import pg from 'pg'
import { type Contestant, compare, type Report, sayComparison } from './compare.ts'
import {
  appSecret,
  type BenchDatabase,
  type BenchPharmacy,
  ORDERS_EACH,
  orderText,
} from './database.ts'
import { type LoadRequest, load, median } from './load.ts'
import { signInTo, startProcess } from './server-process.ts'

/** Megabytes. */
const MEMORY_GOALS = { rest: 110, load: 135 }
const PAGES_GOAL = { ratio: 3, p99: 1 }
const AIRTABLE_GOAL = { ratio: 2.5, p99: 1 }
const UNSEEN = 3
const STATUSES = ['In attesa', 'Confermato', 'Prenotato Domani']
const DAY_RUNS = 3
const DAY_SECONDS = 5

/** What those at the counter do most: pages of orders and changes of their status, and the mix of a day. */
export async function benchOrders(database: BenchDatabase, report: Report): Promise<void> {
  const { say, missed } = report
  const { pharmacies, recordIds } = database
  const onAirtable = pharmacies.filter(({ baseId }) => baseId !== null)
  const ownOrders = pharmacies.filter(({ baseId }) => baseId === null)
  const airtable = await airtableWith(onAirtable)
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-data-'))
  const served = await startProcess(['dist/server/main.js'], 3901, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    LOG_LEVEL: 'info',
    AIRTABLE_API_URL: airtable.url,
    AIRTABLE_TOKEN: airtable.token,
  })
  const bare = await startProcess(['--import', 'tsx', 'bench/bare-server.ts'], 3902, {
    DATABASE_URL: database.url,
  })
  const sessions = new Map<string, Record<string, string>>()
  /** Megabytes, at the end of every load. */
  const memory: number[] = []
  const headersOf = ({ id }: BenchPharmacy) => sessions.get(id) ?? {}

  /** Both servers with the same pages of the same pharmacies. */
  function pagesOf(some: BenchPharmacy[], pages: number[]): [Contestant, Contestant] {
    const each = pages.flatMap((page) => some.map((pharmacy) => ({ pharmacy, page })))
    const ours = each.map(({ pharmacy, page }) => ({
      path: `/api/airtable-orders?page=${page}`,
      headers: headersOf(pharmacy),
    }))
    const theirs = each.map(({ pharmacy, page }) => ({
      path: `/orders?pharmacy=${pharmacy.id}&page=${page}`,
    }))
    return pair(ours, theirs)
  }

  /** Of a pharmacy whose orders are in the database only: Airtable takes five changes a second at most. */
  function changesOf(pharmacy: BenchPharmacy): [LoadRequest[], LoadRequest[]] {
    const each = recordIds.map((id, n) => ({
      id,
      method: 'PATCH' as const,
      body: JSON.stringify({ fields: { Stato: STATUSES[n % STATUSES.length] } }),
    }))
    return [
      each.map(({ id, ...request }) => ({
        ...request,
        path: `/api/airtable-orders/${id}`,
        headers: headersOf(pharmacy),
      })),
      each.map(({ id, ...request }) => ({
        ...request,
        path: `/orders/${id}?pharmacy=${pharmacy.id}`,
      })),
    ]
  }

  const pair = (ours: LoadRequest[], theirs: LoadRequest[]): [Contestant, Contestant] => [
    { server: served, requests: ours },
    { server: bare, requests: theirs },
  ]

  async function show(
    what: string,
    goals: { ratio: number; p99?: number },
    contestants: [Contestant, Contestant],
    against = 'bare node:http + pg with count(*)',
  ) {
    sayComparison(report, what, against, goals, await compare(...contestants))
    memory.push(await served.memory())
  }

  /** Of twenty requests: sixteen pages, a search, an order with its details, and two changes. */
  async function benchDay() {
    const requests = ownOrders.slice(0, 25).flatMap((pharmacy, n) => {
      const headers = headersOf(pharmacy)
      const [changes] = changesOf(pharmacy)
      const words = `${['Giulia', 'Garibaldi', 'Tachipirina', 'Bianchi'][n % 4]} ${1_000 + n}`
      const page = { path: '/api/airtable-orders?page=1', headers }
      const change = (at: number) => changes[(n * 2 + at) % changes.length] ?? page
      const search: LoadRequest = {
        method: 'POST',
        path: '/api/orders/search',
        headers,
        body: JSON.stringify({ q: words }),
      }
      const details = { path: `/api/orders/${recordIds[n]}`, headers }
      const pages = Array.from({ length: 4 }, () => page)
      return [...pages, search, ...pages, change(0), ...pages, details, ...pages, change(1)]
    })
    const runs = []
    await load({ url: served.url, requests }, 2)
    while (runs.length < DAY_RUNS) runs.push(await load({ url: served.url, requests }, DAY_SECONDS))
    const failed = runs.reduce((sum, run) => sum + run.failed, 0)
    if (failed > 0) missed.push('the mix of a day')
    memory.push(await served.memory())
    say(
      `The mix of a day (80 % pages with ${UNSEEN} unseen, 5 % searches, 5 % details, 10 % changes): ` +
        `${median(runs.map((run) => run.perSecond)).toFixed(0)}/s, ` +
        `p50 ${median(runs.map((run) => run.p50)).toFixed(1)} ms, ` +
        `p99 ${median(runs.map((run) => run.p99)).toFixed(1)} ms, memory ${memory.at(-1)?.toFixed(0)} MB` +
        (failed > 0 ? `, ${failed} FAILED` : ''),
    )
  }

  try {
    const rest = await served.memory()
    for (const one of pharmacies) sessions.set(one.id, await signInTo(served.url, one.email))
    await Promise.all(onAirtable.map((pharmacy) => copied(served.url, headersOf(pharmacy))))
    const few = [1, 2, 3, 1, 1]
    // More pages than are kept in memory, so that each comes from the database.
    const many = Array.from({ length: ORDERS_EACH / 20 }, (_, n) => n + 1)
    const last = ownOrders.at(-1)
    if (!last) throw new Error('there is no pharmacy')
    await show('Orders page', PAGES_GOAL, pagesOf(ownOrders, few))
    await show('  of pharmacies on Airtable', AIRTABLE_GOAL, pagesOf(onAirtable, few))
    await show('  each read from the database', { ratio: 1.6 }, pagesOf(pharmacies, many))
    await show('Status change', { ratio: 0.7 }, pair(...changesOf(last)), 'bare UPDATE')
    await leaveUnseen(database)
    await show(`Orders page with ${UNSEEN} unseen`, AIRTABLE_GOAL, pagesOf(ownOrders, few))
    await benchDay()
    const most = Math.max(...memory)
    if (rest > MEMORY_GOALS.rest || most > MEMORY_GOALS.load) missed.push('memory')
    say(
      `Memory of the server: ${rest.toFixed(0)} MB at rest (goal: at most ${MEMORY_GOALS.rest}), ` +
        `${most.toFixed(0)} MB at most under load (goal: at most ${MEMORY_GOALS.load})`,
    )
  } finally {
    await served.stop()
    await bare.stop()
    await airtable.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** An Airtable that has the orders of these pharmacies, from which the server makes its copies. */
async function airtableWith(pharmacies: BenchPharmacy[]) {
  const table = ordersTable('tblBench000000001')
  const airtable = await startAirtable({
    bases: Object.fromEntries(pharmacies.map(({ baseId }) => [baseId ?? '', [table]] as const)),
  })
  for (const { baseId } of pharmacies) {
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
    airtable.create(baseId ?? '', 'tblBench000000001', orders)
  }
  return airtable
}

/** Waits for the first copy of the orders. */
async function copied(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const reply = await fetch(`${url}/api/airtable-orders`, { headers })
    const { statistics } = OrdersPage.parse(await reply.json())
    if (statistics.total === ORDERS_EACH) return
    await pause(500)
  }
}

/** From now on the newest orders of every pharmacy are unseen. */
async function leaveUnseen({ url }: BenchDatabase): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `update pharmacy_orders set seen_at = null where id = any(
       select newest.id from pharmacies p, lateral (
         select id from pharmacy_orders o where o.pharmacy_id = p.id
         order by airtable_created desc limit $1) newest)`,
    [UNSEEN],
  )
  await client.end()
}
