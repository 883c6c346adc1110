import { setTimeout as pause } from 'node:timers/promises'
import { getAnalytics, getOrderAnalytics, getPresentVisits } from '@bancone/contract/analytics'
import { getAnalyticsSettings } from '@bancone/contract/analytics-settings'
import { getTraffic } from '@bancone/contract/analytics-traffic'
import { addDays, type Day, dayOf } from '@bancone/contract/dates'
import type pg from 'pg'
import type { BenchPharmacy } from './database.ts'
import { quantile } from './load.ts'
import { type ServerProcess, signInTo } from './server-process.ts'

const GOAL = 3
const ROUNDS = 60

/** After which PostgreSQL has published what its connections did, which it does after ten seconds at rest. */
const STATISTICS_MS = 12_000

type Period = { dal: Day; al: Day }
type Read = (path: string) => Promise<void>
type Page = { name: string; read(read: Read, period: Period): Promise<unknown> }

const query = ({ dal, al }: Period) => `?dal=${dal}&al=${al}`

/** What asks for a period. */
const figures = (read: Read, period: Period) => [
  read(getAnalytics.path + query(period)),
  read(getTraffic.path + query(period)),
]
const orders = (read: Read, period: Period) => read(getOrderAnalytics.path + query(period))
/** What is asked besides: the visits of the last five minutes are those of the raw tables. */
const beside = (read: Read) => [read(getPresentVisits.path), read(getAnalyticsSettings.path)]

/** As the browser asks: all calls of a page at once. */
const pages: Page[] = [
  {
    name: 'first tab',
    read: (read, period) => Promise.all([...figures(read, period), ...beside(read)]),
  },
  {
    name: 'all tabs',
    read: (read, period) =>
      Promise.all([...figures(read, period), ...beside(read), orders(read, period)]),
  },
]

type Options = {
  served: ServerProcess
  pool: pg.Pool
  shown: BenchPharmacy[]
  say(line: string): void
  missed: string[]
}

/** What the page of twelve months costs against that of a day, and that it reads no visits themselves. */
export async function benchAnalyticsPage(options: Options): Promise<void> {
  const { served, shown } = options
  const today = dayOf(Date.now())
  const day = { dal: today, al: today }
  const year = { dal: addDays(today, -364), al: today }
  const readers: Read[] = []
  for (const { email } of shown) readers.push(reader(served, await signInTo(served.url, email)))
  await showScans(options, readers, year)
  for (const page of pages) {
    await compare(page, 'of pharmacies with 10^6 views a year', readers.slice(0, -1))
    await compare(page, 'of one with 10^7', readers.slice(-1))
  }

  async function compare({ name, read }: Page, whose: string, some: Read[]): Promise<void> {
    const times: Record<'day' | 'year', number[]> = { day: [], year: [] }
    for (let round = -5; round < ROUNDS; round += 1) {
      const reads = some[(round + 5) % some.length]
      if (!reads) throw new Error('there is no pharmacy')
      const [ofDay, ofYear] = [
        await timed(() => read(reads, day)),
        await timed(() => read(reads, year)),
      ]
      if (round < 0) continue
      times.day.push(ofDay)
      times.year.push(ofYear)
    }
    const [ofDay, ofYear] = [quantile(times.day, 0.95), quantile(times.year, 0.95)]
    const ratio = ofYear / ofDay
    if (ratio > GOAL) options.missed.push(`${name} of analytics ${whose}`)
    options.say(
      `Analytics, ${name}, twelve months ${whose}: p95 ${ofYear.toFixed(0)} ms against ${ofDay.toFixed(0)} ms ` +
        `of a day: ratio ${ratio.toFixed(2)} (goal: at most ${GOAL}); ` +
        `medians ${quantile(times.year, 0.5).toFixed(0)} and ${quantile(times.day, 0.5).toFixed(0)} ms`,
    )
  }
}

function reader({ url }: ServerProcess, headers: Record<string, string>): Read {
  return async (path) => {
    const reply = await fetch(url + path, { headers })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${text}`)
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** What reads a year, and how often that scanned the tables of visits, by index or not. */
async function showScans(
  { pool, say, missed }: Options,
  readers: Read[],
  year: Period,
): Promise<void> {
  const before = await scans(pool)
  for (const read of readers) await Promise.all([...figures(read, year), orders(read, year)])
  const after = await scans(pool)
  const ofVisits = after.visits - before.visits
  const ofFigures = after.figures - before.figures
  // Without any of the figures, nothing would have been counted at all.
  if (ofVisits > 0 || ofFigures === 0) missed.push('figures without visits')
  say(
    `The calls for twelve months, of ${readers.length} pharmacies: ${ofVisits} scans of the tables of visits ` +
      `(goal: none), ${ofFigures} of the figures`,
  )
}

async function scans(pool: pg.Pool): Promise<{ visits: number; figures: number }> {
  await pause(STATISTICS_MS)
  const { rows } = await pool.query<{ visits: number; figures: number }>(
    `select
       sum(scans) filter (where schemaname = 'visits' or relname in ('offer_page_views', 'offer_events'))::int as visits,
       sum(scans) filter (where relname in ('analytics_hours', 'pharmacy_analytics_cache'))::int as figures
     from (
       select schemaname, relname, seq_scan + coalesce(idx_scan, 0) as scans from pg_stat_user_tables
     ) as each`,
  )
  return rows[0] ?? { visits: 0, figures: 0 }
}
