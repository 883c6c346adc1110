import { setTimeout as pause } from 'node:timers/promises'
import { getAnalytics, getOrderAnalytics, getPresentVisits } from '@bancone/contract/analytics'
import { getAnalyticsSettings } from '@bancone/contract/analytics-settings'
import { getTraffic } from '@bancone/contract/analytics-traffic'
import { addDays, type Day, dayOf } from '@bancone/contract/dates'
import type pg from 'pg'
import { prepareFigures } from './analytics-figures.ts'
import type { Bench } from './bench.ts'
import { quantile, read, timed } from './load.ts'
import { signInTo } from './server-process.ts'

const WITH_FIGURES = 20
const SHOWN = 5
const GOAL = 3
const ROUNDS = 60

/** After which PostgreSQL has published what its connections did, which it does after ten seconds at rest. */
const STATISTICS_MS = 12_000

const ofPeriod = [getAnalytics.path, getTraffic.path, getOrderAnalytics.path]

/** What the page of twelve months costs against that of a day, and that it reads no visits themselves. */
export async function benchAnalytics(bench: Bench): Promise<void> {
  const { pool, say, missed } = bench
  const pharmacies = bench.database.own.slice(-WITH_FIGURES)
  const shown = pharmacies.slice(0, SHOWN)
  say(`Preparing the figures of ${WITH_FIGURES} pharmacies…`)
  await prepareFigures(pool, pharmacies, shown)
  const { url } = await bench.serve()
  const sessions: Record<string, string>[] = []
  for (const { email } of shown) sessions.push(await signInTo(url, email))
  /** As the browser asks: all calls at once. */
  const call = (paths: string[], n: number) =>
    Promise.all(paths.map((path) => read(url + path, { headers: sessions[n % SHOWN] ?? {} })))
  const since = (dal: Day) => ofPeriod.map((path) => `${path}?dal=${dal}&al=${today}`)
  const today = dayOf(Date.now())
  const year = since(addDays(today, -364))

  const before = await scans(pool)
  for (const n of sessions.keys()) await call(year, n)
  const after = await scans(pool)
  const ofVisits = after.visits - before.visits
  const ofFigures = after.figures - before.figures
  // Without any of the figures, nothing would have been counted at all.
  if (ofVisits > 0 || ofFigures === 0) missed.push('figures without visits')
  say(
    `The calls for twelve months, of ${SHOWN} pharmacies: ${ofVisits} scans of the tables of visits ` +
      `(goal: none), ${ofFigures} of the figures`,
  )

  // The visits of the last five minutes are those of the raw tables.
  const beside = [getPresentVisits.path, getAnalyticsSettings.path]
  const times: Record<'day' | 'year', number[]> = { day: [], year: [] }
  for (let round = 0; round < ROUNDS + SHOWN; round += 1) {
    const ofDay = await timed(() => call([...since(today), ...beside], round))
    const ofYear = await timed(() => call([...year, ...beside], round))
    // The first of each pharmacy is not counted.
    if (round < SHOWN) continue
    times.day.push(ofDay)
    times.year.push(ofYear)
  }
  const [ofDay, ofYear] = [quantile(times.day, 0.95), quantile(times.year, 0.95)]
  const ratio = ofYear / ofDay
  if (ratio > GOAL) missed.push('analytics')
  say(
    `Analytics of twelve months with 10^6 views: p95 ${ofYear.toFixed(0)} ms against ${ofDay.toFixed(0)} ms ` +
      `of a day: ratio ${ratio.toFixed(2)} (goal: at most ${GOAL})`,
  )
}

/** How often the tables of visits and of figures were scanned, by index or not. */
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
