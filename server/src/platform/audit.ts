import type { Database } from '../database/database.ts'

/** Administration of buckets and files. Where no pharmacy is concerned, `userId` is null. */
export const FILES_ADMINISTERED = 'files_administered'

/**
 * An event in the audit log: who did what to which account, or to the pharmacy whose own account that is. It contains
 * no secrets and no user input, except for names of buckets.
 */
export type AuditEvent = {
  action: string
  /** The account concerned; null when it is unknown. */
  userId: string | null
  /** The user who did it, if it is not the owner of the account. */
  actorId?: string | null
  /** The client's network address. */
  address?: string | null
  /** The header `User-Agent`. */
  agent?: string | null
  details?: Record<string, string | number | boolean | null>
}

export type Audit = {
  /** Records an event. @param tx a transaction: the event is recorded exactly if the transaction is committed */
  record(event: AuditEvent, tx?: Database): Promise<void>
  /** Whether there is such an event of that user and address after `since` (ISO 8601). */
  exists(
    event: Required<Pick<AuditEvent, 'action' | 'address'>> & { userId: string },
    since: string,
  ): Promise<boolean>
  /**
   * Deletes old events.
   *
   * @param before ISO 8601; older events are deleted
   * @param anonymousBefore ISO 8601; the same for calls without a session that concern no account
   * @returns the number of deleted events
   */
  deleteBefore(before: string, anonymousBefore: string): Promise<number>
}

export function createAudit(db: Database): Audit {
  return {
    async record(event, tx = db) {
      await tx
        .insertInto('audit_events')
        .values({
          action: event.action,
          user_id: event.userId,
          actor_id: event.actorId ?? null,
          address: event.address ?? null,
          agent: event.agent ?? null,
          details: JSON.stringify(event.details ?? {}),
        })
        .execute()
    },
    async exists({ action, userId, address }, since) {
      const found = await db
        .selectFrom('audit_events')
        .select('id')
        .where('user_id', '=', userId)
        .where('at', '>', since)
        .where('action', '=', action)
        .where('address', '=', address)
        .limit(1)
        .executeTakeFirst()
      return found !== undefined
    },
    async deleteBefore(before, anonymousBefore) {
      const { numDeletedRows } = await db
        .deleteFrom('audit_events')
        .where('at', '<', anonymousBefore)
        .where((eb) =>
          eb.or([
            eb('at', '<', before),
            eb.and([eb('user_id', 'is', null), eb('action', '!=', FILES_ADMINISTERED)]),
          ]),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
