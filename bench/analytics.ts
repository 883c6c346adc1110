import { setTimeout as pause } from 'node:timers/promises'
import { getAnalytics, getOrderAnalytics, getPresentVisitors } from '@bancone/contract/analytics'
import { getAnalyticsSettings } from '@bancone/contract/analytics-settings'
import { getTraffic } from '@bancone/contract/analytics-traffic'
import { addDays, type Day, dayOf } from '@bancone/contract/dates'
import type pg from 'pg'
import type { Bench } from './bench.ts'
import type { BenchPharmacy } from './database.ts'
import { quantile, read, timed } from './load.ts'
import { signInTo } from './server-process.ts'

const WITH_FIGURES = 20
const SHOWN = 5
const GOAL = 3
const ROUNDS = 60

/** After which PostgreSQL has published what its connections did, which it does after ten seconds at rest. */
const STATISTICS_MS = 12_000

const ofPeriod = [getAnalytics.path, getTraffic.path, getOrderAnalytics.path]

/** What the page of twelve months costs against that of a day, and that it reads no page views themselves. */
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
  const ofPageViews = after.pageViews - before.pageViews
  const ofFigures = after.figures - before.figures
  // Without any of the figures, nothing would have been counted at all.
  if (ofPageViews > 0 || ofFigures === 0) missed.push('figures without page views')
  say(
    `The calls for twelve months, of ${SHOWN} pharmacies: ${ofPageViews} scans of the tables of page views ` +
      `(goal: none), ${ofFigures} of the figures`,
  )

  // The page views of the last five minutes are those of the raw tables.
  const beside = [getPresentVisitors.path, getAnalyticsSettings.path]
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

/** How often the tables of page views and of figures were scanned, by index or not. */
async function scans(pool: pg.Pool): Promise<{ pageViews: number; figures: number }> {
  await pause(STATISTICS_MS)
  const { rows } = await pool.query<{ pageViews: number; figures: number }>(
    `select
       sum(scans) filter (where schemaname = 'page_views' or relname in ('offer_page_views', 'offer_events'))::int as "pageViews",
       sum(scans) filter (where relname in ('analytics_hours', 'pharmacy_analytics_cache'))::int as figures
     from (
       select schemaname, relname, seq_scan + coalesce(idx_scan, 0) as scans from pg_stat_user_tables
     ) as each`,
  )
  return rows[0] ?? { pageViews: 0, figures: 0 }
}

const VIEWS_A_DAY = Math.round(1_000_000 / 365)
const ORDERS_A_DAY = 20
const ARRIVALS_A_DAY = 10
const OFFERS = 30

/** Of the same pharmacy and number always the same. */
const offerId = `overlay(overlay(md5(id || ' ' || n) placing '4' from 13) placing '8' from 17)::uuid`

/**
 * Gives the pharmacies the figures of two years with 10^6 views each, and those that are shown offers, orders, arrivals
 * and the page views themselves of two days.
 */
async function prepareFigures(
  pool: pg.Pool,
  pharmacies: BenchPharmacy[],
  shown: BenchPharmacy[],
): Promise<void> {
  const client = await pool.connect()
  const ids = pharmacies.map(({ id }) => id)
  try {
    // What other parts of the benchmark have left.
    for (const table of ['pharmacy_analytics_cache', 'analytics_hours']) {
      await client.query(`delete from ${table} where pharmacy_id = any ($1)`, [ids])
    }
    await client.query(
      `create temporary table days as
       select p.id, p.pharmacy_id as code, day::date as day, rome_day(now()) - day::date as age
       from pharmacies p, generate_series(rome_day(now()) - 729, rome_day(now()), interval '1 day') as day
       where p.id = any ($1)`,
      [ids],
    )
    await client.query(
      `insert into pharmacy_analytics_cache (pharmacy_id, date, page_views, unique_visitors, visits, offers_opened,
         whatsapp_taps, call_taps, excluded, coded_orders)
       select id, day, views, views * 0.6, views * 0.7, views * 0.4, views * 0.1, views * 0.02, views * 0.1, views * 0.01
       from days, (values ($1::int)) as each (views)`,
      [VIEWS_A_DAY],
    )
    await client.query(
      `insert into analytics_hours (pharmacy_id, hour, page_views, unique_visitors, visits, offers_opened, whatsapp_taps,
         call_taps)
       select id, hour, views, views * 0.6, views * 0.7, views * 0.4, views * 0.1, views * 0.02
       from days, (values ($1::int / 24)) as each (views),
         generate_series(rome_midnight(day), rome_midnight(day + 1) - interval '1 hour', interval '1 hour') as hour`,
      [VIEWS_A_DAY],
    )
    await client.query(
      `insert into analytics_shares (pharmacy_id, date, dimension, value, amount)
       select id, day, dimension, value, $1::int / 9
       from days, (values
         ('source', '{flyer,poster,link,share,whatsapp,social,search,site,direct}'::text[]),
         ('device', '{phone,tablet,computer}'), ('excluded', '{bot,preview,staff,privacy,limit}')
       ) as each (dimension, list), unnest(list) as value`,
      [VIEWS_A_DAY],
    )
    // Other offers every 60 days.
    await client.query(
      `insert into analytics_offer_days (pharmacy_id, date, offer_id, seen, opened, whatsapp_taps, ordered)
       select id, day, ${offerId}, 100 + n, 40, 10, 1
       from days, lateral generate_series(age / 60 * $1::int + 1, age / 60 * $1::int + $1::int) as n`,
      [OFFERS],
    )
    for (const { id } of shown) await addDetails(client, id)
    await client.query('select fold_analytics(10000000)')
    await client.query('vacuum analyze')
  } finally {
    client.release()
  }
}

/** Offers, orders, arrivals and page views, of which those of orders and arrivals become figures by triggers. */
async function addDetails(client: pg.PoolClient, pharmacyId: string): Promise<void> {
  await client.query(
    `update pharmacies set features_enabled = '["analytics", "offers", "priority_access"]', max_offers = 100
     where id = $1`,
    [pharmacyId],
  )
  await client.query(
    `insert into product_offers (id, pharmacy_id, pharmacy_code, product_name, category, list_price, offer_price,
       start_date, image_url)
     select ${offerId}, id, pharmacy_id, 'Crema idratante n. ' || n, 'Cosmetici', 1000, 800, current_date - 60,
       '/product-placeholder.svg'
     from pharmacies, generate_series(1, $2::int) n where id = $1`,
    [pharmacyId, OFFERS],
  )
  await client.query(
    `insert into pharmacy_orders (pharmacy_id, airtable_order_id, order_number, customer_name, customer_phone,
       order_details, status, airtable_created, airtable_last, seen_at, ready_at, collected_at)
     select $1, 'recFigure' || n, n::text, 'Giulia Bianchi', '+39 333 123 4567', 'Tachipirina 1000',
       (array['In attesa', 'Confermato', 'Prenotato in Giornata', 'Prenotato Domani', 'Annullato'])[1 + n % 5],
       at, now(), now(), at + n % 50 * interval '10 minutes', at + n % 50 * interval '1 hour'
     from generate_series(1, 730 * $2::int) n, lateral (select now() - n * interval '1 day' / $2::int as at) as each`,
    [pharmacyId, ORDERS_A_DAY],
  )
  await client.query(
    `insert into priority_access_sessions (pharmacy_id, airtable_order_id, status, issued_at, expires_at, arrived_at,
       called_at, ended_at)
     select $1, 'recArrived' || n, 'served', at, at, at, at + interval '5 minutes', at + interval '9 minutes'
     from generate_series(1, 730 * $2::int) n, lateral (select now() - n * interval '1 day' / $2::int as at) as each`,
    [pharmacyId, ARRIVALS_A_DAY],
  )
  await client.query(
    `insert into offer_page_views (pharmacy_id, session_id, visitor_ip, user_agent, viewed_at)
     select $1, 'session ' || n, 'visitor ' || n, 'Chrome · Android', greatest(at, rome_midnight(rome_day(now()) - 1))
     from generate_series(1, $2::int) n, lateral (select now() - n * interval '1 day' / $2::int as at) as each`,
    [pharmacyId, 2 * VIEWS_A_DAY],
  )
}
