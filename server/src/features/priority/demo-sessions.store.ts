import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

/** Minutes ago, and for those who have gone the status in which the session ended. */
type DemoSession = {
  status: string
  way?: number
  arrived?: number
  called?: number
  ended?: number
}

/** What a demo begins with: one session each of the newest orders, in this order. */
const today: readonly DemoSession[] = [
  { status: 'link_sent' },
  { status: 'link_sent' },
  { status: 'on_the_way', way: 4 },
  { status: 'user_arrived', arrived: 3 },
  { status: 'user_arrived', way: 20, arrived: 12 },
  { status: 'called', arrived: 7, called: 2 },
  { status: 'served', arrived: 25, called: 21, ended: 17 },
  { status: 'served', way: 52, arrived: 41, called: 33, ended: 30 },
  { status: 'served', arrived: 64, called: 61, ended: 55 },
  { status: 'no_show', arrived: 95, called: 80, ended: 70 },
  { status: 'cancelled', ended: 100 },
  { status: 'expired', ended: 120 },
]

const DAY = 24 * 60
const EARLIER = 60

/** Sessions of the two weeks before, within the three hours up to the present time of the day. */
const earlier: readonly DemoSession[] = Array.from({ length: EARLIER }, (_, n) => {
  const arrived = (1 + (n % 14)) * DAY + ((n * 47) % 180)
  const called = arrived - 2 - ((n * 5) % 11)
  return n % 12 === 11
    ? { status: 'no_show', arrived, ended: called }
    : { status: 'served', arrived, called, ended: called - 4 }
})

/** The most customers of a demo who wait at the same time. */
const MAX_WAITING = 5

/** Inserts sessions in each state, of orders that the pharmacy has. Their arrivals have been noted. */
export async function insertDemoPrioritySessions(db: Database, pharmacyId: string): Promise<void> {
  const plan = [...today, ...earlier].map((session, index) => ({ n: index + 1, ...session }))
  await sql`
    insert into priority_access_sessions (
      pharmacy_id, airtable_order_id, order_number, user_name, user_phone, code, status, issued_at, expires_at,
      on_the_way_at, arrived_at, acknowledged_at, called_at, called_by, ended_at
    )
    select ${pharmacyId}, airtable_order_id, order_number, customer_name, customer_phone,
      case when arrived is not null then lpad((137 * n % 1000)::text, 3, '0') end, plan.status,
      coalesce(way_at, arrived_at, ended_at, now()) - interval '1 hour', now() + interval '7 days',
      way_at, arrived_at, arrived_at, called_at,
      case when called is not null then 'Banco ' || 1 + n % 2 end, ended_at
    from jsonb_to_recordset(${JSON.stringify(plan)}::jsonb)
      as plan (n integer, status text, way integer, arrived integer, called integer, ended integer)
    cross join lateral (
      select now() - make_interval(mins => way) as way_at, now() - make_interval(mins => arrived) as arrived_at,
        now() - make_interval(mins => called) as called_at, now() - make_interval(mins => ended) as ended_at
    ) as times
    join (
      select *, row_number() over (order by airtable_created desc, id desc) as n
      from pharmacy_orders where pharmacy_id = ${pharmacyId} and status <> 'Annullato'
    ) as orders using (n)`.execute(db)
}

/** The newest order that is not cancelled and has no session yet. @returns its record id */
export async function orderWithoutPrioritySession(db: Database, pharmacyId: string) {
  const row = await db
    .selectFrom('pharmacy_orders as order')
    .select('order.airtable_order_id')
    .where('order.pharmacy_id', '=', pharmacyId)
    .where('order.status', '<>', 'Annullato')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('priority_access_sessions as session')
            .select('session.id')
            .whereRef('session.pharmacy_id', '=', 'order.pharmacy_id')
            .whereRef('session.airtable_order_id', '=', 'order.airtable_order_id'),
        ),
      ),
    )
    .orderBy('order.airtable_created', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.airtable_order_id
}

/** The customer of the session arrives, as with the button of their page, unless enough of them wait. */
export async function arriveInDemo(
  db: Database,
  pharmacyId: string,
  prioritySessionId: string,
  onArrived: (tx: Database, pharmacyId: string) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('priority_access_sessions')
      .set({
        status: 'user_arrived',
        arrived_at: sql<string>`now()`,
        changed_from: 'customer',
        changed_by: null,
        version: sql<number>`version + 1`,
      })
      .where('pharmacy_id', '=', pharmacyId)
      .where('id', '=', prioritySessionId)
      .where('status', '=', 'link_sent')
      .where(
        sql<boolean>`(
          select count(*) from priority_access_sessions
          where pharmacy_id = ${pharmacyId} and status = 'user_arrived' and ended_at is null
        ) < ${MAX_WAITING}`,
      )
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await onArrived(tx, pharmacyId)
  })
}
