import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

export type AccountSessionRow = {
  id: string
  agent: string | null
  address: string | null
  startedAt: string
  lastUsedAt: string
  aal: string
}

export type ActivityRow = {
  id: string
  at: string
  action: string
  actorId: string | null
  address: string | null
  agent: string | null
  details: unknown
}

type Page = {
  /** What is told, by its name in the trail; of links those of these kinds. */
  told: { actions: readonly string[]; links: readonly string[] }
  /** The id of the last one that is known. */
  before: string | undefined
  limit: number
}

export type AccountStore = ReturnType<typeof createAccountStore>

/** What authentication keeps of somebody, to read. */
export function createAccountStore(db: Database) {
  return {
    /** `first`, then the last used. @param usedSince ISO 8601: others are as good as ended */
    sessions(
      userId: string,
      { first, usedSince, limit }: { first: string; usedSince: string; limit: number },
    ): Promise<AccountSessionRow[]> {
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
        .orderBy(sql`id = ${first}`, 'desc')
        .orderBy('refreshed_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    /** The newest first. */
    activity(userId: string, { told, before, limit }: Page): Promise<ActivityRow[]> {
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
          // What the index is read from; the rest is for what happened at the same time.
          .where('at', '<=', last)
          .where(({ eb, or }) => or([eb('at', '<', last), eb('id', '<', before)]))
      }
      return query.execute()
    },
  }
}
