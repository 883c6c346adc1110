import { type PriorityStatus, PriorityStatus as Status } from '@bancone/contract/priority'
import { COUNTER_ABSENT_MS } from '@bancone/contract/priority-counters'
import { searchedNumber } from '@bancone/contract/searched-number'
import { sql } from 'kysely'
import { hasOrderNumber } from '../../../database/conditions.ts'
import type { Database } from '../../../database/database.ts'
import { insertLink } from '../priority-links.store.ts'

/** An order as its customer names it. `prioritySessionId`: of its open session. */
export type NamedOrder = { prioritySessionId: string | null; orderId: string; phone: string | null }

export type SessionChange = {
  to: 'on_the_way' | 'user_arrived' | 'cancelled'
  from: readonly PriorityStatus[]
  place: string | null
}

/** The number of waits from which a waiting time is estimated. */
const RECENT_WAITS = 20

/** A session whose customer has not arrived ends with its link. The daily job writes that later. */
const presentStatus = sql<string>`case
  when session.status in ('link_sent', 'on_the_way') and session.expires_at <= now() then 'expired'
  else session.status
end`

/** A session has ended, and a link of a later session of its order was sent. */
const isReplaced = sql<boolean>`session.ended_at is not null and exists (
  select from priority_access_sessions as later
  join priority_links as link on link.pharmacy_id = later.pharmacy_id and link.session_id = later.id
  where later.pharmacy_id = session.pharmacy_id and later.airtable_order_id = session.airtable_order_id
    and later.issued_at > session.issued_at and not link.is_unlocked
)`

export type CustomerSessionsStore = ReturnType<typeof createCustomerSessionsStore>

/** What the pages of a pharmacy's customers and its displays are made of, at one time. Names no customer. */
export type RoomState = NonNullable<Awaited<ReturnType<CustomerSessionsStore['room']>>>

/**
 * Sessions as their customers see and change them.
 *
 * @param onArrived further work of the transaction in which a customer arrives
 */
export function createCustomerSessionsStore(
  db: Database,
  onArrived: (tx: Database, pharmacyId: string) => Promise<void>,
) {
  /** By the record id of the order, also an earlier one. */
  const ofOrder = (pharmacyId: string, orderId: string) =>
    db
      .selectFrom('priority_access_sessions as session')
      .where('session.pharmacy_id', '=', pharmacyId)
      .where((is) =>
        is.or([
          is('session.airtable_order_id', '=', orderId),
          is(
            'session.airtable_order_id',
            '=',
            is
              .selectFrom('order_aliases')
              .select('record_id')
              .where('pharmacy_id', '=', pharmacyId)
              .where('alias', '=', orderId),
          ),
        ]),
      )
      .orderBy('session.issued_at', 'desc')
      .limit(1)

  return {
    /** The id of the session that a token opens. */
    async idOf(pharmacyId: string, tokenHash: Buffer): Promise<string | undefined> {
      const row = await db
        .selectFrom('priority_links')
        .select('session_id')
        .where('pharmacy_id', '=', pharmacyId)
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
      return row?.session_id
    },

    /** The state of the newest session of an order. */
    async statusOf(pharmacyId: string, orderId: string): Promise<PriorityStatus | undefined> {
      const row = await ofOrder(pharmacyId, orderId)
        .select(presentStatus.as('status'))
        .executeTakeFirst()
      return row && Status.parse(row.status)
    },

    /**
     * The order that a customer names, with its open session: by its record id one that has a session, by its number
     * also one without, unless it is cancelled.
     */
    async orderOf(pharmacyId: string, order: { id: string } | { number: string }) {
      const number = 'id' in order ? null : (searchedNumber(order.number) ?? order.number)
      const sessions =
        'id' in order
          ? ofOrder(pharmacyId, order.id)
          : db
              .selectFrom('priority_access_sessions as session')
              .where('session.pharmacy_id', '=', pharmacyId)
              .where(sql`upper(session.order_number)`, '=', number?.toUpperCase())
              .orderBy('session.issued_at', 'desc')
              .limit(1)
      const session = await sessions
        .select([
          'session.id as prioritySessionId',
          'airtable_order_id as orderId',
          'user_phone as phone',
        ])
        .where('session.ended_at', 'is', null)
        .where(presentStatus, '<>', 'expired')
        .executeTakeFirst()
      if (session || number === null) return session
      const found = await db
        .selectFrom('pharmacy_orders')
        .select(['airtable_order_id as orderId', 'customer_phone as phone'])
        .where('pharmacy_id', '=', pharmacyId)
        .where('status', '<>', 'Annullato')
        .where(hasOrderNumber(number))
        .orderBy('airtable_created', 'desc')
        .limit(1)
        .executeTakeFirst()
      return found && { ...found, prioritySessionId: null }
    },

    /** @returns the token of the link */
    addLink: (pharmacyId: string, prioritySessionId: string): Promise<string> =>
      db.transaction().execute((tx) => insertLink(tx, pharmacyId, prioritySessionId, 'unlocked')),

    /** Changes the state if it is one of `from`. @returns whether it was */
    change(pharmacyId: string, prioritySessionId: string, { to, from, place }: SessionChange) {
      const now = sql<string>`now()`
      return db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('priority_access_sessions')
          .set({
            status: to,
            changed_from: 'customer',
            changed_by: null,
            ...(to === 'on_the_way' && { on_the_way_at: now }),
            // A customer who was not there arrives anew, and is announced anew.
            ...(to === 'user_arrived' && {
              arrived_at: now,
              acknowledged_at: null,
              cools_until: null,
            }),
            ...(to !== 'cancelled' && { place }),
            ...(to === 'cancelled' && { ended_at: now }),
          })
          .set((is) => ({ version: is('version', '+', 1) }))
          .where('id', '=', prioritySessionId)
          .where('pharmacy_id', '=', pharmacyId)
          .where('status', 'in', from)
          .executeTakeFirst()
        const isChanged = numUpdatedRows > 0n
        if (isChanged && to === 'user_arrived') await onArrived(tx, pharmacyId)
        return isChanged
      })
    },

    /** Changes where a customer waits who has arrived or is on the way. */
    async changePlace(pharmacyId: string, prioritySessionId: string, place: string | null) {
      await db
        .updateTable('priority_access_sessions')
        .set((is) => ({ place, version: is('version', '+', 1) }))
        .where('id', '=', prioritySessionId)
        .where('pharmacy_id', '=', pharmacyId)
        .where('status', 'in', ['on_the_way', 'user_arrived'])
        .where('place', 'is distinct from', place)
        .execute()
    },

    /**
     * One query: the sessions of those who wait or were called, and these ones; the last real waits in seconds; and
     * milliseconds for which the last seen counter still counts as present, null without any.
     *
     * @returns undefined when the pharmacy does not offer priority access any more
     */
    async room(pharmacyId: string, prioritySessionIds: readonly string[]) {
      const waits = sql<number[]>`array(
        select extract(epoch from called_at - arrived_at)::float8
        from priority_access_sessions
        where pharmacy_id = ${pharmacyId} and called_at is not null and arrived_at <= called_at
        order by called_at desc
        limit ${sql.lit(RECENT_WAITS)}
      )`
      const attendedMs = sql<number | null>`(
        select ${sql.lit(COUNTER_ABSENT_MS)} - extract(epoch from now() - max(seen_at))::float8 * 1000
        from priority_counters where pharmacy_id = ${pharmacyId}
      )`
      const rows = await db
        .selectFrom('pharmacies as pharmacy')
        .leftJoin('priority_access_sessions as session', (join) =>
          join
            .onRef('session.pharmacy_id', '=', 'pharmacy.id')
            .on((is) =>
              is.or([
                is.and([
                  is('session.status', 'in', ['user_arrived', 'called']),
                  is('session.ended_at', 'is', null),
                ]),
                sql<boolean>`session.id = any(${sql.val([...prioritySessionIds])}::uuid[])`,
              ]),
            ),
        )
        .select(['pharmacy.name', waits.as('waits'), attendedMs.as('attendedMs')])
        .select([
          'session.id',
          'session.order_number as orderNumber',
          'session.code',
          'session.place',
        ])
        .select(['session.arrived_at as arrivedAt', 'session.called_at as calledAt'])
        .select([
          'session.called_by as calledBy',
          'session.cools_until as coolsUntil',
          'session.version',
        ])
        .select([presentStatus.as('status'), isReplaced.as('isReplaced')])
        .where('pharmacy.id', '=', pharmacyId)
        .where('pharmacy.is_active', '=', true)
        .where('pharmacy.deleted_at', 'is', null)
        .where(sql<boolean>`pharmacy.features_enabled ? 'priority_access'`)
        .orderBy('session.arrived_at')
        .orderBy('session.id')
        .execute()
      const [first] = rows
      if (!first) return undefined
      const { attendedMs: left } = first
      return {
        name: first.name,
        waits: first.waits,
        attendedMs: left !== null && left > 0 ? left : null,
        sessions: rows.flatMap(
          ({ name: _name, waits: _waits, attendedMs: _left, id, version, status, ...session }) =>
            id === null || version === null
              ? []
              : { ...session, id, version, status: Status.parse(status) },
        ),
      }
    },
  }
}
