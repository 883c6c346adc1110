import pg from 'pg'
import type { BenchDatabase, BenchPharmacy } from './database.ts'

/** So many pharmacies are looked at, the last of which has ten times the views. */
export const SHOWN = 6

const VIEWS_A_DAY = Math.round(1_000_000 / 365)
const ORDERS_A_DAY = 20
const ARRIVALS_A_DAY = 10

/** Of the same pharmacy and number always the same. */
const offerId = `overlay(overlay(md5(id || ' ' || n) placing '4' from 13) placing '8' from 17)::uuid`

/**
 * Gives every pharmacy the figures of a year of 10^6 views, and those that are shown the year before, orders, arrivals and
 * the visits themselves of two days.
 * @returns those that are shown
 */
export async function prepareFigures({ url, pharmacies }: BenchDatabase): Promise<BenchPharmacy[]> {
  const shown = pharmacies.slice(-SHOWN)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `update pharmacies set features_enabled = '["analytics", "offers", "priority_access"]', max_offers = 100`,
    )
    // The days of every pharmacy, how much more it has than others, and how many offers.
    await client.query(
      `create temporary table days as
       select id, day::date as day, rome_day(now()) - day::date as age,
         case when id = $2 then 10 else 1 end as size, case when id = $2 then 100 else 30 end as offers
       from pharmacies, generate_series(
         rome_day(now()) - case when id = any ($1) then 729 else 364 end, rome_day(now()), interval '1 day'
       ) as day`,
      [shown.map(({ id }) => id), shown.at(-1)?.id],
    )
    await client.query(
      `insert into pharmacy_analytics_cache (pharmacy_id, date, page_views, unique_visitors, visits, offers_opened,
         whatsapp_taps, call_taps, excluded, coded_orders)
       select id, day, views, views * 0.6, views * 0.7, views * 0.4, views * 0.1, views * 0.02, views * 0.1, views * 0.01
       from days, lateral (select $1::int * size as views) as each`,
      [VIEWS_A_DAY],
    )
    await client.query(
      `insert into analytics_hours (pharmacy_id, hour, page_views, unique_visitors, visits, offers_opened, whatsapp_taps,
         call_taps)
       select id, hour, views, views * 0.6, views * 0.7, views * 0.4, views * 0.1, views * 0.02
       from days, lateral (select $1::int * size / 24 as views) as each,
         generate_series(rome_midnight(day), rome_midnight(day + 1) - interval '1 hour', interval '1 hour') as hour`,
      [VIEWS_A_DAY],
    )
    await client.query(
      `insert into analytics_shares (pharmacy_id, date, dimension, value, amount)
       select id, day, dimension, value, $1::int * size / 9
       from days, (values
         ('source', '{flyer,poster,link,share,whatsapp,social,search,site,direct}'::text[]),
         ('device', '{phone,tablet,computer}'), ('excluded', '{bot,preview,staff,privacy,limit}')
       ) as each (dimension, list), unnest(list) as value`,
      [VIEWS_A_DAY],
    )
    // Other offers every 60 days.
    await client.query(
      `insert into analytics_offer_days (pharmacy_id, date, offer_id, seen, opened, whatsapp_taps, ordered)
       select id, day, ${offerId}, 100 * size + n, 40 * size, 10 * size, size
       from days, lateral generate_series(age / 60 * offers + 1, age / 60 * offers + offers) as n`,
    )
    for (const { id } of shown) await addDetails(client, id)
    await client.query('select fold_analytics(10000000)')
    await client.query('vacuum analyze')
    return shown
  } finally {
    await client.end()
  }
}

/** Offers, orders, arrivals and visits, of which those of orders and arrivals become figures by triggers. */
async function addDetails(client: pg.Client, pharmacyId: string): Promise<void> {
  await client.query(
    `insert into product_offers (id, pharmacy_id, pharmacy_code, product_name, category, list_price, offer_price,
       start_date, image_url)
     select ${offerId}, id, pharmacy_id, 'Crema idratante n. ' || n, 'Cosmetici', 1000, 800, current_date - 60,
       '/product-placeholder.svg'
     from pharmacies, generate_series(1, 30) n where id = $1`,
    [pharmacyId],
  )
  await client.query(
    `insert into pharmacy_orders (pharmacy_id, airtable_order_id, order_number, customer_name, customer_phone,
       order_details, status, airtable_created, airtable_last, seen_at)
     select $1, 'rec' || lpad(n::text, 14, '0'), n::text, 'Giulia Bianchi', '+39 333 123 4567', 'Tachipirina 1000',
       (array['In attesa', 'Confermato', 'Prenotato in Giornata', 'Prenotato Domani', 'Annullato'])[1 + n % 5],
       now() - n * interval '1 day' / $2::int, now(), now()
     from generate_series(1, 730 * $2::int) n`,
    [pharmacyId, ORDERS_A_DAY],
  )
  await client.query(
    `insert into order_confirmations (order_id, pharmacy_id, ordered_at, minutes)
     select id, pharmacy_id, airtable_created, id % 50
     from pharmacy_orders, order_figures(status) where pharmacy_id = $1 and completed = 1`,
    [pharmacyId],
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
