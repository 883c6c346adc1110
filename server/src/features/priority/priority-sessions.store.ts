import {
  type changePrioritySession,
  MAX_NOT_PRESENT,
  NOT_PRESENT_COOLDOWN_MS,
  type PriorityBoard,
  type PrioritySession,
  type PriorityStatus,
  staffTransitions,
  UNDO_MS,
} from '@bancone/contract/priority'
import { sql } from 'kysely'
import type { z } from 'zod'
import { AppError } from '../../base/app-error.ts'
import { startOfToday } from '../../database/conditions.ts'
import type { Database } from '../../database/database.ts'
import { enqueue } from '../../platform/jobs.ts'
import { type OnPrioritySession, type OnServed, takeBack } from './sessions-of-orders.store.ts'

export const SERVED_TASK = 'priority.serve'

/** Seconds after which a called customer counts as served. */
const SERVED_AFTER = 30 * 60

/**
 * Seconds after which a change cannot be taken back: as long as the page offers it, and what a slow connection adds.
 */
const UNDO_WITHIN = UNDO_MS / 1_000 + 20

/** The most sessions of a board. */
const MAX_SHOWN = 1_000

/**
 * An SQL condition: the link is past its time. An expired session ends with the daily job, and counts as ended before.
 */
const isExpired = sql<boolean>`
  (status in ('link_sent', 'on_the_way') and expires_at <= now())`

/** The status of a session now. */
const presentStatus = sql<PriorityStatus>`
  case when ${isExpired} then 'expired' else status end`

const columns = [
  'id',
  'airtable_order_id as recordId',
  'order_number as orderNumber',
  'user_name as customerName',
  'user_phone as phone',
  sql<PriorityStatus>`status`.as('status'),
  'code',
  'place',
  'on_the_way_at as onTheWayAt',
  'arrived_at as arrivedAt',
  'acknowledged_at as acknowledgedAt',
  'called_at as calledAt',
  'called_by as calledBy',
  'ended_at as endedAt',
  'times_not_present as timesNotPresent',
  'status_changed_at as changedAt',
  'status_version as version',
] as const

export type PrioritySessionsStore = ReturnType<typeof createPrioritySessionsStore>

/** The sessions as the staff see and change them. */
export function createPrioritySessionsStore(
  db: Database,
  onPrioritySession: OnPrioritySession,
  onServed: OnServed,
) {
  /** Before the session is locked: orders are locked first, everywhere. */
  async function followServed(
    tx: Database,
    pharmacyId: string,
    prioritySessionId: string,
    served: Parameters<OnServed>[3],
  ) {
    const session = await tx
      .selectFrom('priority_access_sessions')
      .select(['airtable_order_id as recordId', 'status'])
      .where('pharmacy_id', '=', pharmacyId)
      .where('id', '=', prioritySessionId)
      .executeTakeFirst()
    // Taking back another step says nothing of the order.
    if (session && (served.isServed || session.status === 'served'))
      await onServed(tx, pharmacyId, session.recordId, served)
  }

  return {
    async board(pharmacyId: string): Promise<Omit<PriorityBoard, 'lateMinutes'>> {
      const rows = await db
        .selectFrom('priority_access_sessions')
        .select(columns)
        .where('pharmacy_id', '=', pharmacyId)
        .where(({ or, and, eb }) =>
          or([
            and([
              eb('ended_at', 'is', null),
              eb('status', 'in', ['user_arrived', 'on_the_way']),
              eb.not(isExpired),
            ]),
            and([
              eb('times_not_present', '>', 0),
              eb('status', '=', 'link_sent'),
              eb('status_changed_at', '>=', startOfToday),
              eb.not(isExpired),
            ]),
            eb('called_at', '>=', startOfToday),
          ]),
        )
        .orderBy(sql`called_at desc nulls first`)
        .orderBy(sql`coalesce(arrived_at, on_the_way_at)`)
        .orderBy('id')
        .limit(MAX_SHOWN)
        .execute()
      return {
        waiting: rows.filter(({ status }) => status === 'user_arrived'),
        onTheWay: rows.filter(({ status }) => status === 'on_the_way'),
        sentBack: rows
          .filter(({ status }) => status === 'link_sent')
          .toSorted((a, b) => b.changedAt.localeCompare(a.changedAt)),
        completed: rows.filter(({ calledAt }) => calledAt !== null),
      }
    },

    /**
     * Moves a session from one state to another if it is still in that version. Of concurrent changes one succeeds.
     *
     * @throws AppError `priority.no_such_change`, `priority.not_found`, `priority.changed_meanwhile` with the present
     * `status` and the `desk` that called, if any
     */
    change(
      pharmacyId: string,
      prioritySessionId: string,
      { from, to, version, desk }: z.output<typeof changePrioritySession.body>,
      userId: string,
    ): Promise<PrioritySession> {
      if (!staffTransitions[from].includes(to)) throw new AppError('priority.no_such_change')
      return db.transaction().execute(async (tx) => {
        if (to === 'served')
          await followServed(tx, pharmacyId, prioritySessionId, { isServed: true, userId })
        const session = await tx
          .updateTable('priority_access_sessions')
          .set(fieldsOf(from, to, desk))
          .set({ changed_from: 'person', changed_by: userId, version: sql<number>`version + 1` })
          .where('id', '=', prioritySessionId)
          .where('pharmacy_id', '=', pharmacyId)
          .where('status', '=', from)
          .where('status_version', '=', version)
          .where(({ not }) => not(isExpired))
          .returning(columns)
          .executeTakeFirst()
        if (!session) throw await refusal(tx, pharmacyId, prioritySessionId)
        if (session.status === 'called') {
          const key = `${SERVED_TASK}:${prioritySessionId}`
          const delaySeconds = SERVED_AFTER
          await enqueue(tx, SERVED_TASK, { pharmacyId, prioritySessionId }, { key, delaySeconds })
        }
        await onPrioritySession(tx, pharmacyId, { ...session, from, to: session.status })
        return session
      })
    },

    /**
     * Gives a session the state back that it had before the staff changed it.
     *
     * @throws AppError `priority.not_found`, `priority.changed_meanwhile` as `change`
     */
    undo(pharmacyId: string, prioritySessionId: string, version: number, userId: string) {
      return db.transaction().execute(async (tx) => {
        await followServed(tx, pharmacyId, prioritySessionId, { isServed: false, userId })
        const changed = await tx
          .selectFrom('priority_access_sessions as session')
          .select('id')
          .where('id', '=', prioritySessionId)
          .where('pharmacy_id', '=', pharmacyId)
          .where('status_version', '=', version)
          .where('changed_from', '=', 'person')
          .where('previous', 'is not', null)
          .where(
            sql<boolean>`status_changed_at > now() - make_interval(secs => ${sql.lit(UNDO_WITHIN)})`,
          )
          .where(({ not, exists, selectFrom }) =>
            // The order of an ended session may have got another one.
            not(
              exists(
                selectFrom('priority_access_sessions as other')
                  .select('other.id')
                  .whereRef('other.pharmacy_id', '=', 'session.pharmacy_id')
                  .whereRef('other.airtable_order_id', '=', 'session.airtable_order_id')
                  .whereRef('other.id', '<>', 'session.id')
                  .where('other.ended_at', 'is', null),
              ),
            ),
          )
          .forUpdate()
          .executeTakeFirst()
        if (!changed) throw await refusal(tx, pharmacyId, prioritySessionId)
        const undone = await takeBack(tx, pharmacyId, prioritySessionId, {
          source: 'person',
          userId,
        })
        if (undone) await onPrioritySession(tx, pharmacyId, undone)
        return tx
          .selectFrom('priority_access_sessions')
          .select(columns)
          .where('pharmacy_id', '=', pharmacyId)
          .where('id', '=', prioritySessionId)
          .executeTakeFirstOrThrow()
      })
    },

    async acknowledge(pharmacyId: string, prioritySessionIds: readonly string[]): Promise<void> {
      await db
        .updateTable('priority_access_sessions')
        .set({ acknowledged_at: sql<string>`now()` })
        .where('pharmacy_id', '=', pharmacyId)
        .where('id', 'in', ({ selectFrom }) =>
          // In one order, so that concurrent screens do not deadlock.
          selectFrom('priority_access_sessions')
            .select('id')
            .where('pharmacy_id', '=', pharmacyId)
            .where('id', 'in', prioritySessionIds)
            .where('status', '=', 'user_arrived')
            .where('acknowledged_at', 'is', null)
            .orderBy('id')
            .forUpdate(),
        )
        .execute()
    },
  }
}

/** What a change sets, with the time of the new state. */
function fieldsOf(from: PriorityStatus, to: PriorityStatus, desk: string | null) {
  const now = sql<string>`now()`
  // Who changes the session knows of the arrival.
  const acknowledged = sql<string>`coalesce(acknowledged_at, now())`
  if (to === 'called')
    return { status: to, called_at: now, called_by: desk, acknowledged_at: acknowledged }
  if (to === 'user_arrived' && from === 'link_sent')
    return { status: to, acknowledged_at: acknowledged, ...arrivedBefore }
  if (to === 'user_arrived') return { status: to, called_at: null, called_by: null }
  if (to === 'link_sent') return notPresent
  return { status: to, ended_at: now }
}

const isLastTime = sql<boolean>`times_not_present + 1 >= ${MAX_NOT_PRESENT}`

/** The customer was not there: the session begins anew, or ends when that happened too often. */
const notPresent = {
  status: sql<string>`case when ${isLastTime} then 'no_show' else 'link_sent' end`,
  ended_at: sql<string>`case when ${isLastTime} then now() end`,
  arrived_at: sql<string>`case when ${isLastTime} then arrived_at end`,
  called_at: sql<string>`case when ${isLastTime} then called_at end`,
  called_by: sql<string>`case when ${isLastTime} then called_by end`,
  acknowledged_at: null,
  on_the_way_at: null,
  place: null,
  times_not_present: sql<number>`times_not_present + 1`,
  cools_until: sql<string>`now() + make_interval(secs => ${NOT_PRESENT_COOLDOWN_MS / 1_000})`,
}

/** A customer who was sent back waits since they arrived, where they said. */
const arrivedBefore = {
  arrived_at: sql<string>`coalesce((previous ->> 'arrived_at')::timestamptz, now())`,
  place: sql<string | null>`previous ->> 'place'`,
  cools_until: null,
}

/** Why a session was not changed. */
async function refusal(db: Database, pharmacyId: string, prioritySessionId: string) {
  const session = await db
    .selectFrom('priority_access_sessions')
    .select([presentStatus.as('status'), 'called_by as desk'])
    .where('id', '=', prioritySessionId)
    .where('pharmacy_id', '=', pharmacyId)
    .executeTakeFirst()
  if (!session) return new AppError('priority.not_found')
  const { status, desk } = session
  if (desk === null) return new AppError('priority.changed_meanwhile', { details: { status } })
  return new AppError('priority.changed_meanwhile', {
    details: { status, desk },
    ...(status === 'called' && { text: `Chiamato da ${desk}` }),
  })
}
