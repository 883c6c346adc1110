import {
  MAX_VISITS_LISTED,
  type ReceivedVisit,
  SUPPORT_VISIT_MINUTES,
  type SupportVisit,
} from '@bancone/contract/support-visits'
import { sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { createAudit } from '../../platform/audit.ts'
import type { Caller } from '../../platform/auth/auth-context.ts'

export type SupportVisitsStore = ReturnType<typeof createSupportVisitsStore>

/** The administrator with the session that the visit belongs to. */
export type Visitor = { userId: string; sessionId: string }

/** The only writer of `support_visits`, besides the trigger that ends those of ended sessions. */
export function createSupportVisitsStore(db: Database) {
  const audit = createAudit(db)
  const iso = (time: number) => new Date(time).toISOString()

  const running = (within: Database, { userId, sessionId }: Visitor, now: number) =>
    within
      .selectFrom('support_visits as visit')
      .where('visit.admin_id', '=', userId)
      .where('visit.session_id', '=', sessionId)
      .where('visit.ended_at', 'is', null)
      .where('visit.ends_at', '>', iso(now))

  /** Ends the visits of the session, or one of them, and records the end of those that were in progress. */
  async function end(tx: Database, visitor: Visitor & Caller, now: number, visitId?: string) {
    const { userId, sessionId, ...origin } = visitor
    const ended = await tx
      .updateTable('support_visits')
      .set({ ended_at: sql<string>`least(ends_at, ${iso(now)}::timestamptz)` })
      .where('admin_id', '=', userId)
      .where('session_id', '=', sessionId)
      .where('ended_at', 'is', null)
      .$if(visitId !== undefined, (own) => own.where('id', '=', visitId ?? ''))
      .returning(['id', 'pharmacy_id', sql<boolean>`ended_at < ends_at`.as('was_in_progress')])
      .execute()
    for (const { id, pharmacy_id } of ended.filter(({ was_in_progress }) => was_in_progress)) {
      const event = { userId: pharmacy_id, actorId: userId, ...origin, details: { visitId: id } }
      await audit.record({ action: 'support_visit_ended', ...event }, tx)
    }
  }

  return {
    /** @throws AppError `pharmacies.not_found`, `pharmacy.inactive`, `support.administrator` */
    start(
      pharmacyId: string,
      reason: string,
      visitor: Visitor & Caller,
      now: number,
    ): Promise<string> {
      const { userId, sessionId, ...origin } = visitor
      return db.transaction().execute(async (tx) => {
        // Serialised: a session has one visit at a time.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`visit of ${sessionId}`}, 0))`.execute(
          tx,
        )
        const pharmacy = await tx
          .selectFrom('pharmacies')
          .select('is_active')
          .select(
            sql<boolean>`exists (
              select from admin_users admin
              left join pharmacy_members member
                on member.user_id = admin.user_id and member.removed_at is null
              where pharmacies.id in (admin.user_id, member.pharmacy_id)
            )`.as('has_administrator'),
          )
          .where('id', '=', pharmacyId)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        if (!pharmacy) throw new AppError('pharmacies.not_found')
        if (!pharmacy.is_active) throw new AppError('pharmacy.inactive')
        if (pharmacy.has_administrator) throw new AppError('support.administrator')
        await end(tx, visitor, now)
        const { id } = await tx
          .insertInto('support_visits')
          .values({
            pharmacy_id: pharmacyId,
            admin_id: userId,
            session_id: sessionId,
            reason,
            started_at: iso(now),
            ends_at: iso(now + SUPPORT_VISIT_MINUTES * 60_000),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const event = { userId: pharmacyId, actorId: userId, ...origin, details: { visitId: id } }
        await audit.record({ action: 'support_visit_started', ...event }, tx)
        return id
      })
    },

    async current(visitor: Visitor, now: number): Promise<SupportVisit | null> {
      const row = await running(db, visitor, now)
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'visit.pharmacy_id')
        .select(['visit.id', 'visit.pharmacy_id', 'visit.ends_at', 'pharmacy.name'])
        .executeTakeFirst()
      if (!row) return null
      const secondsLeft = Math.ceil((Date.parse(row.ends_at) - now) / 1000)
      return { id: row.id, pharmacyId: row.pharmacy_id, pharmacyName: row.name, secondsLeft }
    },

    /** The pharmacy of a visit in progress; undefined when this session has no such visit. */
    async pharmacyOf(visitId: string, visitor: Visitor, now: number): Promise<string | undefined> {
      const row = await running(db, visitor, now)
        .select('visit.pharmacy_id')
        .where('visit.id', '=', visitId)
        .executeTakeFirst()
      return row?.pharmacy_id
    },

    end(visitId: string, visitor: Visitor & Caller, now: number): Promise<void> {
      return db.transaction().execute((tx) => end(tx, visitor, now, visitId))
    },

    async list(pharmacyId: string, now: number): Promise<ReceivedVisit[]> {
      const rows = await db
        .selectFrom('support_visits as visit')
        .select(['visit.id', 'visit.reason', 'visit.started_at', 'visit.ends_at', 'visit.ended_at'])
        .select(
          sql<string | null>`person_name(visit.admin_id, visit.pharmacy_id)`.as('administrator'),
        )
        .where('visit.pharmacy_id', '=', pharmacyId)
        .orderBy('visit.started_at', 'desc')
        .limit(MAX_VISITS_LISTED)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        administrator: row.administrator,
        reason: row.reason,
        startedAt: row.started_at,
        endedAt: row.ended_at ?? (Date.parse(row.ends_at) <= now ? row.ends_at : null),
      }))
    },
  }
}
