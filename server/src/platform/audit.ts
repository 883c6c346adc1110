import type { Database } from '../database/database.ts'

/** Who did what to whose account. Never holds a secret, nor what was typed. */
export type AuditEvent = {
  action: string
  /** Whom it concerns; null when nobody is known. */
  userId: string | null
  /** Who did it, if not the user. */
  actorId?: string | null
  /** The network address it came from. */
  address?: string | null
  /** The name its browser gave itself. */
  agent?: string | null
  details?: Record<string, string | number | boolean | null>
}

export type Audit = {
  /** @param tx records in that transaction: the event is there exactly if what it tells happened */
  record(event: AuditEvent, tx?: Database): Promise<void>
  /** Whether such an event of that user came from that address since then (ISO 8601). */
  knows(
    event: Required<Pick<AuditEvent, 'action' | 'address'>> & { userId: string },
    since: string,
  ): Promise<boolean>
  /**
   * Forgets what is older, and sooner what concerns nobody known.
   *
   * @param before ISO 8601
   * @param ofNobodyBefore ISO 8601
   * @returns how many events
   */
  forget(before: string, ofNobodyBefore: string): Promise<number>
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
    async knows({ action, userId, address }, since) {
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
    async forget(before, ofNobodyBefore) {
      const { numDeletedRows } = await db
        .deleteFrom('audit_events')
        .where('at', '<', ofNobodyBefore)
        .where((eb) => eb.or([eb('at', '<', before), eb('user_id', 'is', null)]))
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
