import { setTimeout as pause } from 'node:timers/promises'
import { connectDatabase } from '../server/src/database/database.ts'
import { wireOrdersMigration } from '../server/src/features/orders/orders-migration.wiring.ts'
import { wireOrdersSync } from '../server/src/features/orders/orders-sync.wiring.ts'
import { noHooks } from '../server/src/features/orders/records/order-hooks.ts'
import type { OrderSource, SourceOrder } from '../server/src/ports/order-source.ts'
import { scriptedSource } from '../server/test/scripted-source.ts'
import type { Bench } from './bench.ts'
import { BENCH_TABLE, orderText } from './database.ts'
import { pagesUntil, timed } from './load.ts'
import { signInTo } from './server-process.ts'

const ORDERS = 200_000
const MEMORY_GOAL_MB = 50

/**
 * What a migration costs: the growth of its memory, and the page of the orders of the pharmacy meanwhile. Airtable is a
 * generator of orders here, and the pause between batches is left out: with it, a run does 500 orders a second at most.
 */
export async function benchMigration(bench: Bench): Promise<void> {
  const { database, pool, serve, say, missed } = bench
  const pharmacy = database.onAirtable[0]
  if (!pharmacy) throw new Error('there is no pharmacy on Airtable')
  const { url } = await serve()
  const headers = await signInTo(url, pharmacy.email)
  // One person: what reads pages is in the process whose memory is measured.
  const pages = (until: Promise<unknown>) => pagesUntil(url, headers, until, 1)
  await pages(pause(1_000))
  const alone = await pages(pause(3_000))

  // The server of the page has no token and leaves the run alone; the copy begins empty.
  await pool.query('delete from pharmacy_orders where pharmacy_id = $1', [pharmacy.id])
  await pool.query(
    `insert into migration_runs (pharmacy_id, base_id, table_id, mode) values ($1, $2, $3, 'full')`,
    [pharmacy.id, pharmacy.baseId, BENCH_TABLE],
  )
  const { db, close } = connectDatabase(database.url, { max: 4 })
  const runner = runnerOver(db)
  try {
    /** Bytes from when the first tenth has been done, when code and caches are in memory, and at most. */
    let [before, most] = [0, 0]
    const ended = async () => {
      for (;;) {
        const { rows } = await pool.query<{ state: string; ended: boolean; read: number }>(
          `select state, ended_at is not null as ended, coalesce((counts ->> 'read')::int, 0) as read
           from migration_runs where pharmacy_id = $1`,
          [pharmacy.id],
        )
        const [run] = rows
        if (before === 0 && (run?.read ?? 0) >= ORDERS / 10) before = process.memoryUsage().rss
        if (before > 0) most = Math.max(most, process.memoryUsage().rss)
        if (run?.ended && run.state !== 'completed')
          throw new Error(`the run ended as ${run.state}`)
        if (run?.ended) return
        await pause(250)
      }
    }
    let during = 0
    const ms = await timed(async () => {
      runner.start?.()
      during = await pages(ended())
    })
    const grown = (most - before) / 1024 / 1024
    if (grown >= MEMORY_GOAL_MB) missed.push('memory of a migration')
    say(
      `Migration of ${ORDERS} orders: ${Math.round((ORDERS / ms) * 1_000)} rows a second, ` +
        `memory grows by ${grown.toFixed(0)} MB (goal: below ${MEMORY_GOAL_MB}); ` +
        `p99 of its orders page meanwhile ${during.toFixed(0)} ms, without it ${alone.toFixed(0)} ms: ` +
        `ratio ${(during / alone).toFixed(1)}`,
    )
  } finally {
    await runner.close?.()
    await close()
  }
}

/** Orders that are made while they are read, a minute after each other, in pages of 100. */
function generatedSource(): OrderSource {
  const start = Date.UTC(2024, 0, 1)
  const order = (n: number): SourceOrder => {
    const createdAt = new Date(start + n * 60_000).toISOString()
    return {
      recordId: `recGEN${String(n).padStart(11, '0')}`,
      orderNumber: String(n),
      waId: null,
      customerName: 'Giulia Bianchi',
      customerPhone: `+39 333 ${n}`,
      address: null,
      details: orderText,
      status: 'In attesa',
      image: null,
      pharmaWa: null,
      createdAt,
      updatedAt: createdAt,
    }
  }
  return {
    // For what is not generated: an empty Airtable.
    ...scriptedSource(),
    async *readByChange() {
      for (let from = 1; from <= ORDERS; from += 100) {
        const orders = Array.from({ length: 100 }, (_, n) => order(from + n))
        const changedAt = new Map(orders.map(({ recordId, updatedAt }) => [recordId, updatedAt]))
        yield { orders, unreadable: [], changedAt }
      }
    },
    async *readSome(_location, ids) {
      yield { orders: ids.map((id) => order(Number(id.slice(6)))), unreadable: [] }
    },
  }
}

function runnerOver(db: Parameters<typeof wireOrdersSync>[0]['db']) {
  const source = generatedSource()
  const clock = { now: Date.now }
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  return wireOrdersMigration({
    db,
    source,
    sync: wireOrdersSync({ db, source, hooks: noHooks, clock, log }),
    hooks: noHooks,
    pictureFiles: { open: async () => undefined, put: async () => {}, remove: async () => {} },
    audit: { recordChange: async () => {} },
    movePhase: async () => true,
    clock,
    log,
    timing: { batchPauseMs: 0, checkMs: 100 },
  })
}
