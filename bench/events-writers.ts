import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { chooseEventsWay, type EventsWay } from '../server/src/platform/event-log.ts'
import { createEvents } from '../server/src/platform/events.ts'
import type { Report } from './compare.ts'
import { benchDatabase } from './database.ts'
import { median, quantile } from './load.ts'

const WRITERS = 16
const PHARMACIES = 64
const PROCESSES = 2
const RUNS = 5
const SECONDS = 2
/** Events one after the other, for the time until they are heard. */
const SINGLE = 40
const PATIENCE_MS = 20_000
const RATIO_GOAL = 2
const LATENCY_GOAL_MS = 150
const QUEUE_GOAL = 0.01
/** When commits without events differ by more than this part of their median, the machine did other work. */
const NOISY_SPREAD = 0.25

const ways = ['plain', 'notify', 'table'] as const
type Way = (typeof ways)[number]

const counted = `with counted as (
  update tallies set n = n + 1 where pharmacy = $1 returning pharmacy, n
)`
const statements: Record<Way, string> = {
  plain: `${counted} select n from counted`,
  notify: `${counted} select n, notify_event(pharmacy, 'tallies', pharmacy || ' ' || n) from counted`,
  table: `${counted} select n, notify_event(pharmacy, 'tallies', pharmacy || ' ' || n) from counted`,
}

type Run = { perSecond: number; queueUsage: number }

/** What commits that tell an event cost their writers, by each way, on a database of its own. */
export async function benchEventsWriters(
  _database: unknown,
  { say, missed, unsure }: Report,
): Promise<void> {
  const database = await benchDatabase(1, 0)
  const pool = new pg.Pool({ connectionString: database.url, max: WRITERS })
  // When the database is stopped.
  pool.on('error', () => {})
  try {
    const pharmacies = Array.from({ length: PHARMACIES }, () => randomUUID())
    await pool.query('create table tallies as select unnest($1::uuid[]) as pharmacy, 0 as n', [
      pharmacies,
    ])
    await pool.query('alter table tallies add primary key (pharmacy)')
    const bench = { url: database.url, pool, pharmacies }
    const runs: Record<Way, Run[]> = { plain: [], notify: [], table: [] }
    const times: Record<EventsWay, number[]> = { notify: [], table: [] }
    let wrong = 0
    for (let run = 0; run < RUNS; run += 1) {
      for (const way of ways) {
        const result = await measure(bench, way)
        runs[way].push(result)
        wrong += result.wrong
        if (way !== 'plain') times[way].push(...result.times)
      }
    }
    const rate = (way: Way) => median(runs[way].map(({ perSecond }) => perSecond))
    const ratio = median(
      runs.table.map(({ perSecond }, run) => perSecond / (runs.notify[run]?.perSecond ?? 0)),
    )
    const queueUsage = Math.max(
      ...Object.values(runs)
        .flat()
        .map((run) => run.queueUsage),
    )
    const [late, early] = [quantile(times.table, 0.99), quantile(times.notify, 0.99)]
    const plain = runs.plain.map(({ perSecond }) => perSecond)
    const isNoisy = Math.max(...plain) - Math.min(...plain) > NOISY_SPREAD * rate('plain')
    const slow = isNoisy ? unsure : missed
    if (ratio < RATIO_GOAL) slow.push('writers that tell events by the table')
    if (wrong > 0) missed.push('the order of events')
    if (queueUsage >= QUEUE_GOAL) missed.push('the queue of notifications')
    if (late >= LATENCY_GOAL_MS) slow.push('the time until an event is heard')
    say(
      `Small commits of ${WRITERS} writers, ${PROCESSES} processes listen: ${rate('plain').toFixed(0)}/s without events, ` +
        `${rate('notify').toFixed(0)}/s with NOTIFY, ${rate('table').toFixed(0)}/s by the table: ratio ` +
        `${ratio.toFixed(2)} to NOTIFY (goal: at least ${RATIO_GOAL}); ${wrong} events out of order or lost; queue of ` +
        `notifications ${(queueUsage * 100).toFixed(3)} % full (goal: below ${QUEUE_GOAL * 100})` +
        (isNoisy ? '; TOO NOISY to judge rates' : ''),
    )
    say(
      `From a single commit until it is heard: median ${quantile(times.notify, 0.5).toFixed(1)} ms, p99 ` +
        `${early.toFixed(1)} with NOTIFY; median ${quantile(times.table, 0.5).toFixed(1)}, p99 ${late.toFixed(1)} by the ` +
        `table (goal: p99 below ${LATENCY_GOAL_MS})`,
    )
  } finally {
    await pool.end()
    await database.close()
  }
}

type Bench = { url: string; pool: pg.Pool; pharmacies: string[] }

async function measure({ url, pool, pharmacies }: Bench, way: Way) {
  const owner = await pool.connect()
  await chooseEventsWay(owner, way === 'plain' ? 'notify' : way)
  await owner.query('update tallies set n = 0')
  await owner.query('vacuum tallies')
  owner.release()
  const log = { info() {}, warn() {}, error: console.error }
  /** The last count that each process has heard of each pharmacy, and how many were not the next one. */
  const heard: Map<string, number>[] = []
  let wrong = 0
  let onHeard = () => {}
  const processes = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const events = await createEvents(url, pool, log)
      const last = new Map<string, number>()
      heard.push(last)
      events.on('tallies', (payload) => {
        const [pharmacy = '', n] = payload.split(' ')
        if (Number(n) !== (last.get(pharmacy) ?? 0) + 1) wrong += 1
        last.set(pharmacy, Number(n))
        onHeard()
      })
      await events.ready()
      return events
    }),
  )
  const text = statements[way]
  const write = (pharmacy: string | undefined) =>
    pool.query({ name: way, text, values: [pharmacy] })
  let usage = 0
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) {
      const { rows } = await pool.query<{ usage: number }>(
        'select pg_notification_queue_usage() as usage',
      )
      usage = Math.max(usage, rows[0]?.usage ?? 0)
      await pause(250)
    }
  })()
  try {
    const times: number[] = []
    const singles = way === 'plain' ? 0 : SINGLE
    for (let n = 0; n < singles; n += 1) {
      const start = performance.now()
      const once = new Promise<void>((resolve) => {
        onHeard = resolve
      })
      await write(pharmacies[n % PHARMACIES])
      await once
      times.push(performance.now() - start)
      await pause(Math.random() * 50)
    }
    const end = performance.now() + SECONDS * 1_000
    let written = 0
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, index) => {
        for (let n = index * 4; performance.now() < end; n += 1) {
          await write(pharmacies[n % PHARMACIES])
          written += 1
        }
      }),
    )
    const perSecond = written / SECONDS
    const { rows } = await pool.query<{ pharmacy: string; n: number }>('select * from tallies')
    const left = () =>
      heard.flatMap((last) => rows.filter(({ pharmacy, n }) => n !== (last.get(pharmacy) ?? 0)))
        .length
    if (way !== 'plain') {
      for (let waited = 0; left() > 0 && waited < PATIENCE_MS; waited += 50) await pause(50)
      wrong += left()
    }
    return { perSecond, wrong, times, queueUsage: usage }
  } finally {
    over.abort()
    await watching
    for (const events of processes) await events.close()
  }
}
