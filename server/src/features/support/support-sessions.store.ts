import {
  MAX_SUPPORT_SESSIONS_LISTED,
  type ReceivedSupportSession,
  SUPPORT_SESSION_MINUTES,
  type SupportSession,
} from '@bancone/contract/support-sessions'
import { sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { createAudit } from '../../platform/audit.ts'
import type { Caller } from '../../platform/auth/auth-context.ts'

export type SupportSessionsStore = ReturnType<typeof createSupportSessionsStore>

/** The administrator and the sign-in that the support session belongs to. */
export type AdminSession = { userId: string; sessionId: string }

/** The only writer of `support_sessions`, besides the trigger that ends those of ended sessions. */
export function createSupportSessionsStore(db: Database) {
  const audit = createAudit(db)
  const iso = (time: number) => new Date(time).toISOString()

  const running = (within: Database, { userId, sessionId }: AdminSession, now: number) =>
    within
      .selectFrom('support_sessions as session')
      .where('session.admin_id', '=', userId)
      .where('session.session_id', '=', sessionId)
      .where('session.ended_at', 'is', null)
      .where('session.ends_at', '>', iso(now))

  /** Ends the support sessions of the sign-in, or one of them, and records the end of those that were in progress. */
  async function end(
    tx: Database,
    adminSession: AdminSession & Caller,
    now: number,
    supportSessionId?: string,
  ) {
    const { userId, sessionId, ...origin } = adminSession
    const ended = await tx
      .updateTable('support_sessions')
      .set({ ended_at: sql<string>`least(ends_at, ${iso(now)}::timestamptz)` })
      .where('admin_id', '=', userId)
      .where('session_id', '=', sessionId)
      .where('ended_at', 'is', null)
      .$if(supportSessionId !== undefined, (own) => own.where('id', '=', supportSessionId ?? ''))
      .returning(['id', 'pharmacy_id', sql<boolean>`ended_at < ends_at`.as('was_in_progress')])
      .execute()
    for (const { id, pharmacy_id } of ended.filter(({ was_in_progress }) => was_in_progress)) {
      const event = {
        userId: pharmacy_id,
        actorId: userId,
        ...origin,
        details: { supportSessionId: id },
      }
      await audit.record({ action: 'support_session_ended', ...event }, tx)
    }
  }

  return {
    /** @throws AppError `pharmacies.not_found`, `pharmacy.inactive`, `support.administrator` */
    start(pharmacyId: string, reason: string, adminSession: AdminSession & Caller, now: number) {
      const { userId, sessionId, ...origin } = adminSession
      return db.transaction().execute(async (tx) => {
        // Serialised: a sign-in has one support session at a time.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`support session of ${sessionId}`}, 0))`.execute(
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
          .executeTakeFirstOrThrow(() => new AppError('pharmacies.not_found'))
        if (!pharmacy.is_active) throw new AppError('pharmacy.inactive')
        if (pharmacy.has_administrator) throw new AppError('support.administrator')
        await end(tx, adminSession, now)
        const { id } = await tx
          .insertInto('support_sessions')
          .values({
            pharmacy_id: pharmacyId,
            admin_id: userId,
            session_id: sessionId,
            reason,
            started_at: iso(now),
            ends_at: iso(now + SUPPORT_SESSION_MINUTES * 60_000),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const event = {
          userId: pharmacyId,
          actorId: userId,
          ...origin,
          details: { supportSessionId: id },
        }
        await audit.record({ action: 'support_session_started', ...event }, tx)
        return id
      })
    },

    async current(adminSession: AdminSession, now: number): Promise<SupportSession | null> {
      const row = await running(db, adminSession, now)
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'session.pharmacy_id')
        .select(['session.id', 'session.pharmacy_id', 'session.ends_at', 'pharmacy.name'])
        .executeTakeFirst()
      if (!row) return null
      const secondsLeft = Math.ceil((Date.parse(row.ends_at) - now) / 1000)
      return { id: row.id, pharmacyId: row.pharmacy_id, pharmacyName: row.name, secondsLeft }
    },

    /** The pharmacy of a support session in progress; undefined when this sign-in has none of that id. */
    async pharmacyOf(supportSessionId: string, adminSession: AdminSession, now: number) {
      const row = await running(db, adminSession, now)
        .select('session.pharmacy_id')
        .where('session.id', '=', supportSessionId)
        .executeTakeFirst()
      return row?.pharmacy_id
    },

    end(supportSessionId: string, adminSession: AdminSession & Caller, now: number): Promise<void> {
      return db.transaction().execute((tx) => end(tx, adminSession, now, supportSessionId))
    },

    async list(pharmacyId: string, now: number): Promise<ReceivedSupportSession[]> {
      const rows = await db
        .selectFrom('support_sessions as session')
        .select([
          'session.id',
          'session.reason',
          'session.started_at',
          'session.ends_at',
          'session.ended_at',
        ])
        .select(
          sql<string | null>`person_name(session.admin_id, session.pharmacy_id)`.as(
            'administrator',
          ),
        )
        .where('session.pharmacy_id', '=', pharmacyId)
        .orderBy('session.started_at', 'desc')
        .limit(MAX_SUPPORT_SESSIONS_LISTED)
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
