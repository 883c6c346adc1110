import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

type Page = {
  /** Actions of the audit trail to list; of used links, only those of the kinds in `links`. */
  told: { actions: readonly string[]; links: readonly string[] }
  /** Id of the last event that the caller has. */
  before: string | undefined
  limit: number
}

type Listed = { first: string; usedSince: string; startedSince: string; limit: number }

export type AccountStore = ReturnType<typeof createAccountStore>
export type ActivityRow = Awaited<ReturnType<AccountStore['activity']>>[number]

/** Reads what the authentication server stores about a user. */
export function createAccountStore(db: Database) {
  return {
    /**
     * The session `first` leads, the others follow by their last use. @param sessions `usedSince`, `startedSince`:
     * ISO 8601; other sessions have expired
     */
    sessions(userId: string, { first, usedSince, startedSince, limit }: Listed) {
      return db
        .selectFrom('auth_sessions')
        .select([
          'id',
          'agent',
          'address',
          'created_at as startedAt',
          'refreshed_at as lastUsedAt',
          'aal',
        ])
        .where('user_id', '=', userId)
        .where('refreshed_at', '>=', usedSince)
        .where('created_at', '>=', startedSince)
        .orderBy(sql`id = ${first}`, 'desc')
        .orderBy('refreshed_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    /** Newest first. */
    activity(userId: string, { told, before, limit }: Page) {
      let query = db
        .selectFrom('audit_events')
        .select(['id', 'at', 'action', 'actor_id as actorId', 'address', 'agent', 'details'])
        .where('user_id', '=', userId)
        .where(({ eb, and, or }) =>
          or([
            eb('action', 'in', told.actions),
            and([
              eb('action', '=', 'link_used'),
              eb(sql<string>`details ->> 'kind'`, 'in', told.links),
            ]),
          ]),
        )
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
      if (before !== undefined) {
        const last = db
          .selectFrom('audit_events')
          .select('at')
          .where('id', '=', before)
          .where('user_id', '=', userId)
        query = query
          // Uses the index; the next condition handles events at the same time.
          .where('at', '<=', last)
          .where(({ eb, or }) => or([eb('at', '<', last), eb('id', '<', before)]))
      }
      return query.execute()
    },
  }
}
