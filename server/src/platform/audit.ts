import type { AuditAction } from '@bancone/contract/audit-actions'
import { sql } from 'kysely'
import { currentRequest } from '../base/request-context.ts'
import type { Database } from '../database/database.ts'

/** Administration of buckets and files. Where no pharmacy is concerned, `userId` is null. */
export const FILES_ADMINISTERED = 'files_administered'

/**
 * An event in the audit log: who did what to which account, or for which pharmacy. It contains no secrets and no user
 * input, except for names of buckets. What is left out comes from the request that is being performed: the actor, their
 * role and pharmacy, the request id.
 */
type AuditEvent = {
  action: AuditAction
  /** The account concerned; null when it is unknown, or when it is not about an account. */
  userId: string | null
  /** The user who did it, if it is not the owner of the account. */
  actorId?: string | null
  /** The pharmacy for which it was done. */
  pharmacyId?: string | null
  /** The role of the actor; null for what concerns an account alone. */
  role?: 'admin' | 'owner' | 'staff' | 'key' | 'system'
  outcome?: 'done' | 'refused'
  /** The client's network address. */
  address?: string | null
  /** The header `User-Agent`. */
  agent?: string | null
  /** The type and id of what it concerns. */
  target?: AuditTarget | null
  details?: Record<string, string | number | boolean | null>
}

/** `type` is the name of the parameter in paths without `Id`: `pharmacy`, `plan`, `category`, `offer`, … */
export type AuditTarget = { type: string; id: string }

/** A change of data. Fields that are equal before and after are not recorded, nor is a change of none. */
export type AuditedChange = {
  action: AuditAction
  /** The pharmacy concerned; null for what concerns none, such as a plan. */
  pharmacyId: string | null
  target: AuditTarget
  /** The fields before; left out for what is created. */
  before?: AuditedFields
  /** The fields after; left out for what is removed. */
  after?: AuditedFields
  details?: AuditEvent['details']
}

export type Audit = {
  /** Records an event. @param tx a transaction: the event is recorded exactly if the transaction is committed */
  record(event: AuditEvent, tx?: Database): Promise<void>
  /**
   * Records a change in the transaction that makes it, in the name of the caller of the current request; outside a
   * request in that of the system. Of secrets, personal data and long values it is recorded only that they changed.
   */
  recordChange(tx: Database, change: AuditedChange): Promise<void>
  /** Whether there is such an event of that user and address after `since` (ISO 8601). */
  exists(
    event: Required<Pick<AuditEvent, 'action' | 'address'>> & { userId: string },
    since: string,
  ): Promise<boolean>
  /** Deletes the events that have been kept long enough; see `schema/15-settings-and-audit.sql`. @returns their number */
  deleteExpired(): Promise<number>
}

export function createAudit(db: Database): Audit {
  return {
    record: (event, tx = db) => insert(tx, event),

    async recordChange(tx, { action, pharmacyId, target, before, after, details }) {
      const changes = auditChanges(target.type, before, after)
      if (before && after && Object.keys(changes).length === 0) return
      const role = currentRequest()?.actor ? undefined : 'system'
      await insert(
        tx,
        {
          action,
          userId: null,
          pharmacyId,
          target,
          ...(role && { role }),
          ...(details && { details }),
        },
        changes,
      )
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

    async deleteExpired() {
      const { rows } = await sql<{ gone: number }>`
        select delete_expired_audit_events() as gone`.execute(db)
      return rows[0]?.gone ?? 0
    },
  }
}

async function insert(tx: Database, event: AuditEvent, changes?: AuditChanges): Promise<void> {
  const request = currentRequest()
  const actor = request?.actor
  const { target } = event
  await tx
    .insertInto('audit_events')
    .values({
      action: event.action,
      user_id: event.userId,
      actor_id: event.actorId === undefined ? (actor?.id ?? null) : event.actorId,
      pharmacy_id: event.pharmacyId ?? actor?.pharmacyId ?? null,
      role: event.role ?? actor?.role ?? null,
      outcome: event.outcome ?? 'done',
      request_id: request?.requestId ?? null,
      // Where an actor is known, and not for the events of accounts: they state what is known themselves.
      address: event.address ?? (actor ? request.address : null),
      agent: event.agent ?? (actor ? request.agent : null),
      target: target ? `${target.type}:${target.id}` : null,
      details: JSON.stringify(event.details ?? {}),
      changes: changes ? JSON.stringify(changes) : null,
    })
    .execute()
}

/** What a change concerns, by its fields as they are stored. */
type AuditedFields = Readonly<Record<string, unknown>>

/** Per field the values before and after; null where they must not be stored. */
type AuditChanges = Record<string, { before: unknown; after: unknown } | null>

/** Fields of which the log states only that they changed: secrets, personal data, texts about orders. */
const WITHHELD =
  /pass(word|phrase)|secret|token|hash|\bkey\b|pin$|e-?mail|phone|telefono|whatsapp|address|indirizzo|customer|cliente|user_?name|person|note|text|search|agent/i

/** Fields of pharmacies, colleagues, keys and views that name people. Other things, such as plans, have public names. */
const NAME = /^(display_?)?name$|^nome$/i
const PUBLIC_NAMES: ReadonlySet<string> = new Set(['plan', 'category', 'offer'])

/** Longer values, as JSON, are not stored. */
const MAX_VALUE_LENGTH = 300

/**
 * The fields that differ.
 *
 * @param type of the target: `plan`, `offer`, …
 * @param before undefined for what is created
 * @param after undefined for what is removed
 */
export function auditChanges(
  type: string,
  before: AuditedFields | undefined,
  after: AuditedFields | undefined,
): AuditChanges {
  const changes: AuditChanges = {}
  for (const field of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    const [old = null, now = null] = [before?.[field], after?.[field]]
    const texts = [JSON.stringify(old), JSON.stringify(now)]
    if (texts[0] === texts[1]) continue
    const isWithheld =
      WITHHELD.test(field) ||
      (NAME.test(field) && !PUBLIC_NAMES.has(type)) ||
      texts.some((text) => text.length > MAX_VALUE_LENGTH)
    changes[field] = isWithheld ? null : { before: old, after: now }
  }
  return changes
}
