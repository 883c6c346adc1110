import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { connectDatabase } from '../server/src/database/database.ts'
import { noHooks } from '../server/src/features/orders/copy/order-upsert.store.ts'
import { createOrdersSync } from '../server/src/features/orders/copy/orders-sync.ts'
import { wireOrdersMigration } from '../server/src/features/orders/migration/orders-migration.wiring.ts'
import type { OrderSource, SourceOrder } from '../server/src/ports/order-source.ts'
import { appSecret, type BenchDatabase, benchDatabase, orderText } from './database.ts'
import { signInTo, startProcess } from './server-process.ts'

const ORDERS = 200_000
const MEMORY_GOAL_MB = 50

/**
 * What a migration costs: rows a second as a ratio to a bare `COPY` of the same orders, the growth of its memory, and the
 * page of the orders of the pharmacy meanwhile. Airtable is a generator of orders here, and the pause between batches is
 * left out: with it, a run does 500 orders a second at most.
 */
export async function benchOrdersMigration(
  database: BenchDatabase,
  { say, missed }: { say(line: string): void; missed: string[] },
  orders = ORDERS,
): Promise<void> {
  const pharmacy = database.pharmacies[0]
  if (!pharmacy?.baseId) throw new Error('there is no pharmacy on Airtable')
  const location = { baseId: pharmacy.baseId, tableId: 'tblBench000000001' }
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-migration-'))
  const { db, pool, close } = connectDatabase(database.url, { max: 4 })
  const copyMs = await bareCopy(database.url, pharmacy.id, orders)
  const served = await startProcess(['dist/server/main.js'], 3917, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    LOG_LEVEL: 'warn',
  })
  try {
    const headers = await signInTo(served.url, pharmacy.email)
    const page = async () => {
      const begun = performance.now()
      const reply = await fetch(`${served.url}/api/airtable-orders`, { headers })
      await reply.arrayBuffer()
      return performance.now() - begun
    }
    for (let n = 0; n < 30; n += 1) await page()
    const alone = await sampled(page, () => pause(3_000))

    const run = await startRun(pool, pharmacy.id, location)
    const runner = runnerOver(db, generatedSource(orders))
    // From when the first tenth has been done: code and caches are in memory by then.
    let before = 0
    let most = 0
    const watch = setInterval(() => {
      const now = process.memoryUsage().rss
      most = Math.max(most, now)
      void isWarm(pool, run, orders).then((warm) => {
        if (!warm || before > 0) return
        before = now
        most = now
      })
    }, 250)
    const begun = performance.now()
    runner.start?.()
    const during = await sampled(page, () => ended(pool, run))
    const ms = performance.now() - begun
    clearInterval(watch)
    await runner.close?.()
    const grownMb = (most - before) / 1024 / 1024
    if (grownMb >= MEMORY_GOAL_MB) missed.push('memory of a migration')
    say(
      `Migration of ${orders} orders: ${Math.round((orders / ms) * 1_000)} rows a second, ` +
        `${(ms / copyMs).toFixed(1)} times a bare COPY of the same; ` +
        `memory grows by ${grownMb.toFixed(0)} MB (goal: below ${MEMORY_GOAL_MB})`,
    )
    say(
      `Its orders page meanwhile: p99 ${percentile(during, 0.99).toFixed(0)} ms, ` +
        `without it ${percentile(alone, 0.99).toFixed(0)} ms`,
    )
  } finally {
    await served.stop()
    await close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Milliseconds of a COPY of the rows within the server, into a table with the same columns and indices. */
async function bareCopy(url: string, pharmacyId: string, orders: number): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('create temporary table bare (like pharmacy_orders including all)')
    const file = `/tmp/bancone-bench-${process.pid}.copy`
    await client.query(
      `copy (
         select n, 'recGEN' || lpad(n::text, 11, '0'), n::text, 'Giulia Bianchi', '+39 333 ' || n,
           '${orderText}', 'In attesa', now(), now()
         from generate_series(1, ${orders}) n
       ) to '${file}'`,
    )
    await client.query(`alter table bare alter column pharmacy_id set default '${pharmacyId}'`)
    const begun = performance.now()
    await client.query(
      `copy bare (id, airtable_order_id, order_number, customer_name, customer_phone, order_details,
         status, airtable_created, airtable_last) from '${file}'`,
    )
    const ms = performance.now() - begun
    await rm(file, { force: true })
    return ms
  } finally {
    await client.end()
  }
}

/** Orders that are made while they are read, a minute after each other, in pages of 100. */
function generatedSource(orders: number): OrderSource {
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
  const none = async (): Promise<never> => Promise.reject(new Error('not part of the benchmark'))
  return {
    async *readByChange() {
      for (let from = 1; from <= orders; from += 100) {
        const size = Math.min(100, orders - from + 1)
        const page = Array.from({ length: size }, (_, index) => order(from + index))
        const changedAt = new Map(page.map(({ recordId, updatedAt }) => [recordId, updatedAt]))
        yield { orders: page, unreadable: [], changedAt }
      }
    },
    async *readSome(_location, ids) {
      yield { orders: ids.map((id) => order(Number(id.slice(6)))), unreadable: [] }
    },
    async *readChanged() {
      yield { orders: [], unreadable: [] }
    },
    async *readCreated() {
      yield { orders: [], unreadable: [] }
    },
    async *readIds() {
      yield []
    },
    readOrder: none,
    missingColumns: async () => null,
    setStatus: none,
    correct: none,
    remove: none,
    create: none,
  }
}

function runnerOver(db: Parameters<typeof createOrdersSync>[0]['db'], source: OrderSource) {
  const clock = { now: Date.now }
  const log = { info() {}, warn() {}, error() {} }
  return wireOrdersMigration({
    db,
    source,
    sync: createOrdersSync({ db, source, hooks: noHooks, clock, log }),
    hooks: noHooks,
    pictureFiles: { open: async () => undefined, put: async () => {}, remove: async () => {} },
    audit: { recordChange: async () => {} },
    movePhase: async () => true,
    clock,
    log,
    timing: { batchPauseMs: 0, checkMs: 100 },
  })
}

async function startRun(
  pool: pg.Pool,
  pharmacyId: string,
  { baseId, tableId }: { baseId: string; tableId: string },
): Promise<string> {
  // The server of the page has no token and leaves the run alone; the copy begins empty.
  await pool.query('delete from pharmacy_orders where pharmacy_id = $1', [pharmacyId])
  const { rows } = await pool.query<{ id: string }>(
    `insert into migration_runs (pharmacy_id, base_id, table_id, mode)
     values ($1, $2, $3, 'full') returning id`,
    [pharmacyId, baseId, tableId],
  )
  return rows[0]?.id ?? ''
}

async function isWarm(pool: pg.Pool, run: string, orders: number): Promise<boolean> {
  const { rows } = await pool.query<{ read: number }>(
    "select coalesce((counts ->> 'read')::int, 0) as read from migration_runs where id = $1",
    [run],
  )
  return (rows[0]?.read ?? 0) >= orders / 10
}

async function ended(pool: pg.Pool, run: string): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ state: string; ended_at: string | null }>(
      'select state, ended_at from migration_runs where id = $1',
      [run],
    )
    if (rows[0]?.ended_at) {
      if (rows[0].state !== 'completed') throw new Error(`the run ended as ${rows[0].state}`)
      return
    }
    await pause(100)
  }
}

/** Calls `work` again and again until the other has ended. @returns the milliseconds of each call */
async function sampled(work: () => Promise<number>, until: () => Promise<unknown>) {
  const took: number[] = []
  const over = new AbortController()
  const sampling = (async () => {
    while (!over.signal.aborted) {
      took.push(await work())
      await pause(20)
    }
  })()
  await until()
  over.abort()
  await sampling
  return took
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

// Alone, with another number of orders: npx tsx bench/orders-migration.ts 20000
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const database = await benchDatabase()
  const missed: string[] = []
  const say = (line: string) => process.stdout.write(`${line}\n`)
  await benchOrdersMigration(database, { say, missed }, Number(process.argv[2] ?? ORDERS))
  await database.close()
  process.exit(missed.length > 0 ? 1 : 0)
}
