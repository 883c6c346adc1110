import type { Day } from '@bancone/contract/dates'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/database.ts'

/** Thirteen months. */
const DAYS = 396

/** Days ago: the week in which the flyer was handed out. */
export const DEMO_FLYER = { from: 48, to: 42 } as const

/** The views of an ordinary day, by hour. */
const HOURS = [
  0.3, 0.1, 0.1, 0.1, 0.1, 0.2, 0.5, 1.2, 3, 4.5, 5, 5.2, 4, 2.4, 2, 3.2, 4.6, 5.4, 5.6, 4.4, 3,
  2.2, 1.2, 0.6,
]

/** Monday first. */
const WEEKDAYS = [1.15, 1, 0.95, 1, 1.1, 0.8, 0.3]

/** From 0 to 1, the same at each start for the same key. */
const random = (key: RawBuilder<unknown>, seed: number) =>
  sql`((hashtextextended(${key}, ${sql.lit(seed)}) & 1048575) / 1048576.0)`

/** How busy a day of the table `day` is: by weekday, less in August, more in the week of the flyer, growing. */
const busy = sql`
  (array[${sql.join(WEEKDAYS.map((each) => sql.lit(each)))}])[extract(isodow from day)]
  * case when extract(month from day) = 8 then 0.55 else 1 end
  * case when age between ${sql.lit(DEMO_FLYER.to)} and ${sql.lit(DEMO_FLYER.from)} then 2 else 1 end
  * (1.15 - 0.55 * age / ${sql.lit(DAYS)})`

/** The table of the days up to today, with `age` in days. */
const daysUntil = (today: Day) => sql`(
  select day::date as day, ${today}::date - day::date as age
  from generate_series(${today}::date - ${sql.lit(DAYS)}, ${today}::date, interval '1 day') as day
)`

/**
 * Queues the page views of thirteen months, which become figures when they are folded. Offers that customers see now
 * were seen for five weeks, those before them are gone. Each event is one of a view, so that funnels narrow.
 */
export async function queueDemoPageViews(db: Database, pharmacyId: string, today: Day) {
  const key = sql`key`
  await sql`
    with day as (
      select day, age, ${busy} as busy from ${daysUntil(today)} as each
    ), hour as (
      select day, age, from_rome_time(day + make_interval(hours => hour::integer - 1)) as at,
        busy * weight as views
      from day cross join unnest(array[${sql.join(HOURS.map((each) => sql.lit(each)))}]) with ordinality
        as of_hour (weight, hour)
    ), offer as materialized (
      select id, greatest(start_date, ${today}::date - 35) as first_day,
        least(coalesce(end_date, ${today}), case when is_active then ${today}::date else ${today}::date - 10 end) as last_day
      from (
        -- The offers of a demo begin on its first day.
        select id, is_active, end_date,
          case when start_date = ${today} then ${today}::date - 35 else start_date end as start_date
        from product_offers where pharmacy_id = ${pharmacyId}
      ) as present
      union all
      select overlay(overlay(md5('demo offer ' || n) placing '4' from 13) placing '8' from 17)::uuid, ${today}::date - ${sql.lit(DAYS)} + n * 30,
        least(${today}::date - ${sql.lit(DAYS)} + n * 30 + 75, ${today}::date - 36)
      from generate_series(0, 11) as n
    ), view as materialized (
      select day, age, key, at + make_interval(secs => 3599 * ${random(key, 1)}) as at,
        row_number() over (partition by day order by key) = 1 or ${random(key, 2)} < 0.62 as is_visitor,
        ${random(key, 3)} as source, ${random(key, 4)} as device, ${random(key, 5)} as interest
      from (
        select *, day || ' ' || at || ' ' || n as key
        from hour cross join lateral generate_series(1, floor(views + ${random(sql`at::text`, 6)})::integer) as n
      ) as each
    ), seen as materialized (
      select view.*, (
        select array_agg(id order by ${random(sql`key || id`, 7)}) from offer where day between first_day and last_day
      ) as offers
      from view where at <= now()
    )
    insert into page_event_queue (pharmacy_id, happened_at, kind, offer_ids, is_visitor, is_visit, source, device, reason, amount)
    select ${pharmacyId}::uuid, at, 'view', '{}', is_visitor, is_visitor or interest < 0.3,
      case
        when source < 0.4 and age between ${sql.lit(DEMO_FLYER.to)} and ${sql.lit(DEMO_FLYER.from)} then 'flyer'
        when source < 0.28 then 'direct' when source < 0.46 then 'whatsapp' when source < 0.62 then 'search'
        when source < 0.72 then 'link' when source < 0.8 then 'poster' when source < 0.86 then 'social'
        when source < 0.91 then 'share' when source < 0.96 then 'flyer' else 'site'
      end,
      case when device < 0.78 then 'phone' when device < 0.95 then 'computer' else 'tablet' end, null, 1
    from seen
    union all
    select ${pharmacyId}::uuid, at, 'offer_seen', offers[1:4 + (device * 5)::integer], false, false, null, null, null, 1
    from seen where offers is not null
    union all
    -- Of those who open an offer a part asks for it, and of those a part orders.
    select ${pharmacyId}::uuid, at + step.after, step.kind, offers[1:1], false, false, null, null, null, 1
    from seen cross join (values
      ('offer_opened', 0.38, interval '20 seconds'),
      ('whatsapp_tapped', 0.12, interval '1 minute'),
      ('ordered', 0.055, interval '4 minutes')
    ) as step (kind, share, after)
    where offers is not null and interest < step.share and at + step.after <= now()
    union all
    select ${pharmacyId}::uuid, at, 'call_tapped', '{}', false, false, null, null, null, 1
    from seen where interest > 0.96
    union all
    select ${pharmacyId}::uuid, least(rome_midnight(day) + interval '9 hours', now()), 'excluded', '{}', false, false, null,
      null, reason, 1 + floor(busy * amount * ${random(sql`day || reason`, 8)})::integer
    from day cross join (values ('bot', 9), ('preview', 6), ('staff', 4), ('privacy', 3)) as why (reason, amount)
  `.execute(db)
}

/**
 * Queues the orders and arrivals of the days before the first order and the first arrival that the pharmacy has.
 * Nothing recomputes the figures of a day, so that they stay.
 */
export async function queueDemoOrders(db: Database, pharmacyId: string, today: Day): Promise<void> {
  const chance = random(sql`day::text`, 11)
  await sql`
    with day as (
      select day, floor(${busy} * 4 + 2 * ${chance})::integer as orders,
        floor(${busy} * 3 + 2 * ${random(sql`day::text`, 12)})::integer as arrivals
      from ${daysUntil(today)} as each where extract(isodow from day) < 7
    ), first as (
      select
        (select coalesce(rome_day(min(airtable_created)), ${today}) from pharmacy_orders
          where pharmacy_id = ${pharmacyId}) as ordered,
        (select coalesce(rome_day(min(arrived_at)), ${today}) from priority_access_sessions
          where pharmacy_id = ${pharmacyId}) as arrived
    )
    insert into analytics_changes (pharmacy_id, date, total_orders, completed_orders, cancelled_orders,
      processing_orders, arrivals, called, not_present)
    select ${pharmacyId}::uuid, day, orders, orders - cancelled, cancelled, 0, 0, 0, 0
    from day cross join first
    cross join lateral (select floor(orders * 0.2 * ${chance} + 0.3)::integer as cancelled) as of_day
    where day < ordered and orders > 0
    union all
    select ${pharmacyId}::uuid, day, 0, 0, 0, 0, arrivals, arrivals - absent, absent
    from day cross join first
    cross join lateral (select floor(arrivals * 0.1 + 0.5 * ${chance})::integer as absent) as of_day
    where day < arrived and arrivals > 0`.execute(db)
}

/** Says when the orders of the demo were confirmed: later at lunchtime. */
export async function insertDemoConfirmations(db: Database, pharmacyId: string): Promise<void> {
  await sql`
    insert into order_confirmations (order_id, pharmacy_id, ordered_at, minutes)
    select id, pharmacy_id, airtable_created,
      (case when extract(hour from rome_time(airtable_created)) between 13 and 14 then 45 else 6 end
        + 40 * ${random(sql`id::text`, 21)} ^ 2)::integer
    from pharmacy_orders cross join lateral order_figures(status)
    where pharmacy_id = ${pharmacyId} and completed = 1
    on conflict do nothing`.execute(db)
}

/** Folds all that the demo has queued, at once. */
export async function foldDemo(db: Database): Promise<void> {
  await sql`select fold_analytics(1000000)`.execute(db)
}
