import type { App } from './app.ts'
import { query } from './database.ts'

/** The readable code of the demo's pharmacy. */
const CODE = 'PHARM-0001'

/** The views of the last seven days, and of the seven before them. */
export const VIEWS = { week: 105, before: 85 }

/**
 * Replaces the counted page views of San Marco: n days ago, for n from 1 to 6, 8, 9 and 20, there were five times n
 * views after midnight, each second one by a new visitor. They wait in the queue until the figures are asked for anew.
 * The seventh day has none: the day that today is compared with is compared up to the current hour.
 */
export async function countPageViews(app: App): Promise<void> {
  await query(
    app,
    `with own as (select id from pharmacies where pharmacy_id = '${CODE}'),
       hours as (delete from analytics_hours using own where pharmacy_id = own.id),
       offers as (delete from analytics_offer_days using own where pharmacy_id = own.id),
       shares as (delete from analytics_shares using own where pharmacy_id = own.id),
       days as (update pharmacy_analytics_cache set page_views = 0, unique_visitors = 0, visits = 0,
         offers_opened = 0, whatsapp_taps = 0, call_taps = 0, excluded = 0, coded_orders = 0
         from own where pharmacy_id = own.id)
     delete from page_event_queue using own where pharmacy_id = own.id`,
  )
  await query(
    app,
    `insert into page_event_queue (pharmacy_id, happened_at, kind, is_visitor, is_visit, source, device)
     select pharmacy.id, rome_midnight(rome_day(now()) - day) + n * interval '1 second',
       'view', n % 2 = 1, n % 2 = 1, case n % 3 when 0 then 'search' else 'flyer' end, 'phone'
     from pharmacies as pharmacy, unnest('{1,2,3,4,5,6,8,9,20}'::integer[]) as day,
       generate_series(1, 5 * day) as n
     where pharmacy.pharmacy_id = '${CODE}'`,
  )
  await query(
    app,
    `insert into page_event_queue (pharmacy_id, happened_at, kind, offer_ids)
     select pharmacy_id, now() - interval '1 day', kind, array[id]
     from product_offers, unnest('{offer_seen,offer_seen,offer_opened,whatsapp_tapped}'::text[]) as kind
     where pharmacy_code = '${CODE}'`,
  )
}
