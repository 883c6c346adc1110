import { sql } from 'kysely'
import { startOfToday } from '../../database/conditions.ts'
import type { Database } from '../../database/database.ts'

type StatusOfOrder = { recordId: string; from: string | null; to: string }

/** A session that has another status now. */
export type ChangedSession = {
  id: string
  recordId: string
  version: number
  from: string
  to: string
}

/** A hook of other parts, in the transaction that changes the session. */
export type OnPrioritySession = (
  tx: Database,
  pharmacyId: string,
  session: ChangedSession,
) => Promise<void>

/** A hook of other parts: the staff say that the customer of an order was served, or that they were not. It locks the order. */
export type OnServed = (
  tx: Database,
  pharmacyId: string,
  recordId: string,
  served: { isServed: boolean; userId: string },
) => Promise<void>

/**
 * The sessions follow the statuses of their orders: a session ends when its order is cancelled, returns when that was a
 * mistake, and begins when the order gets the status that the pharmacy has chosen.
 *
 * @param tx the transaction that changes the statuses
 */
export async function followStatuses(
  tx: Database,
  pharmacyId: string,
  statuses: readonly StatusOfOrder[],
  onPrioritySession: OnPrioritySession,
): Promise<void> {
  const recordIds = (isMeant: (status: StatusOfOrder) => boolean) =>
    statuses.filter(isMeant).map(({ recordId }) => recordId)
  const cancelled = recordIds(({ from, to }) => from !== null && to === 'Annullato')
  if (cancelled.length > 0) await cancelSessions(tx, pharmacyId, cancelled)
  const returned = recordIds(({ from, to }) => from === 'Annullato' && to !== 'Annullato')
  if (returned.length > 0) await returnSessions(tx, pharmacyId, returned, onPrioritySession)
  await issueSessions(
    tx,
    pharmacyId,
    recordIds(({ to }) => to !== 'Annullato'),
  )
}

async function cancelSessions(tx: Database, pharmacyId: string, recordIds: readonly string[]) {
  await sql`
    update priority_access_sessions
    set status = 'cancelled', ended_at = now(), version = version + 1, changed_from = 'system', changed_by = null
    where pharmacy_id = ${pharmacyId} and airtable_order_id = any(${recordIds}::text[]) and ended_at is null`.execute(
    tx,
  )
}

/** Not those of customers who waited on another day. */
async function returnSessions(
  tx: Database,
  pharmacyId: string,
  recordIds: readonly string[],
  onPrioritySession: OnPrioritySession,
) {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select distinct on (airtable_order_id) * from priority_access_sessions
      where pharmacy_id = ${pharmacyId} and airtable_order_id = any(${recordIds}::text[])
      order by airtable_order_id, status_changed_at desc
    ) newest
    where status = 'cancelled' and changed_from = 'system' and expires_at > now() and (
      previous ->> 'status' in ('link_sent', 'on_the_way')
      or status_changed_at >= ${startOfToday}
    )`.execute(tx)
  for (const { id } of rows) {
    const session = await takeBack(tx, pharmacyId, id, { source: 'system', userId: null })
    if (session) await onPrioritySession(tx, pharmacyId, session)
  }
}

/** Orders that have a session get no other one. */
async function issueSessions(tx: Database, pharmacyId: string, recordIds: readonly string[]) {
  if (recordIds.length === 0) return
  await sql`
    insert into priority_access_sessions (
      pharmacy_id, airtable_order_id, order_number, user_name, user_phone, expires_at
    )
    select o.pharmacy_id, o.airtable_order_id, o.order_number, o.customer_name, o.customer_phone,
      now() + make_interval(days => settings.link_days)
    from priority_settings settings
    join pharmacies pharmacy on pharmacy.id = settings.pharmacy_id
    join pharmacy_orders o on o.pharmacy_id = settings.pharmacy_id and o.status = settings.issue_on_status
    where settings.pharmacy_id = ${pharmacyId} and pharmacy.features_enabled ? 'priority_access'
      and o.airtable_order_id = any(${recordIds}::text[])
    on conflict (pharmacy_id, airtable_order_id) where ended_at is null do nothing`.execute(tx)
}

/**
 * Gives a session the state before its present status back. An arrival that was acknowledged meanwhile stays so.
 *
 * @returns undefined when there is no earlier state
 */
export async function takeBack(
  tx: Database,
  pharmacyId: string,
  prioritySessionId: string,
  by: { source: 'person' | 'system'; userId: string | null },
): Promise<ChangedSession | undefined> {
  const { rows } = await sql<ChangedSession>`
    update priority_access_sessions as present
    set (status, place, on_the_way_at, arrived_at, acknowledged_at, called_at, called_by, ended_at,
        times_not_present, cools_until) = (
        select before.status, before.place, before.on_the_way_at, before.arrived_at,
          coalesce(before.acknowledged_at, present.acknowledged_at), before.called_at, before.called_by,
          before.ended_at, before.times_not_present, before.cools_until
        from jsonb_populate_record(null::priority_access_sessions, present.previous) as before
      ),
      previous = null, version = version + 1, changed_from = ${by.source}, changed_by = ${by.userId}
    where pharmacy_id = ${pharmacyId} and id = ${prioritySessionId} and previous is not null
    returning id, airtable_order_id as "recordId", status_version as version, status as to, (
      select before.status from priority_access_sessions before
      where before.pharmacy_id = present.pharmacy_id and before.id = present.id
    ) as from`.execute(tx)
  return rows[0]
}
