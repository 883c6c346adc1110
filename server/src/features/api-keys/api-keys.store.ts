import { type ApiKey, MAX_API_KEYS } from '@bancone/contract/api-keys'
import { sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import { isActiveAccount } from '../../database/conditions.ts'
import type { Database } from '../../database/database.ts'
import { lockPharmacy, requireRoom } from '../../database/row-limit.ts'
import { createAudit } from '../../platform/audit.ts'
import type { Caller } from '../../platform/auth/auth-context.ts'

/** Seconds between two updates of a key's last use. */
const NOTE_USE_EVERY = 60

const columns = [
  'id',
  'name',
  'start',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const

export type ApiKeysStore = ReturnType<typeof createApiKeysStore>

/** Who makes or revokes a key. */
type KeyActor = { actorId: string } & Caller

/** The only writer of `api_keys`. Keys that are made and revoked are recorded in the audit log. */
export function createApiKeysStore(db: Database) {
  const audit = createAudit(db)

  const record = (
    action: 'api_key_made' | 'api_key_revoked',
    pharmacyId: string,
    keyId: string,
    actor: KeyActor,
    tx: Database,
  ) => {
    const target = { type: 'key', id: keyId }
    const event = { action, userId: pharmacyId, pharmacyId, target, ...actor, details: { keyId } }
    return audit.record(event, tx)
  }

  return {
    /** Keys that are not revoked, newest first. */
    list(pharmacyId: string): Promise<ApiKey[]> {
      return db
        .selectFrom('api_keys')
        .select(columns)
        .where('pharmacy_id', '=', pharmacyId)
        .where('revoked_at', 'is', null)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
    },

    /** @throws AppError `api_keys.too_many` */
    insert(
      pharmacyId: string,
      { name, start, hash }: { name: string; start: string; hash: Buffer },
      actor: KeyActor,
    ): Promise<ApiKey> {
      return db.transaction().execute(async (tx) => {
        // Serialized by a lock, or concurrent inserts would exceed the limit.
        await lockPharmacy(tx, pharmacyId)
        await requireRoom({
          rows: tx
            .selectFrom('api_keys')
            .where('pharmacy_id', '=', pharmacyId)
            .where('revoked_at', 'is', null),
          max: MAX_API_KEYS,
          code: 'api_keys.too_many',
        })
        const made = await tx
          .insertInto('api_keys')
          .values({ pharmacy_id: pharmacyId, name, start, key_hash: hash, made_by: actor.actorId })
          .returning(columns)
          .executeTakeFirstOrThrow()
        await record('api_key_made', pharmacyId, made.id, actor, tx)
        return made
      })
    },

    /** @throws AppError `api_keys.not_found`, also when it was revoked already */
    revoke(pharmacyId: string, keyId: string, actor: KeyActor): Promise<void> {
      return db.transaction().execute(async (tx) => {
        await tx
          .updateTable('api_keys')
          .set({ revoked_at: sql<string>`now()` })
          .where('id', '=', keyId)
          .where('pharmacy_id', '=', pharmacyId)
          .where('revoked_at', 'is', null)
          .returning('id')
          .executeTakeFirstOrThrow(() => new AppError('api_keys.not_found'))
        await record('api_key_revoked', pharmacyId, keyId, actor, tx)
      })
    },

    /** The pharmacy of a key that is not revoked and whose account is not blocked. Records the use of the key. */
    async find(hash: Buffer): Promise<{ keyId: string; pharmacyId: string } | undefined> {
      const row = await db
        .selectFrom('api_keys')
        .select(['id as keyId', 'pharmacy_id as pharmacyId'])
        .select(
          sql<boolean>`last_used_at is null
            or last_used_at < now() - make_interval(secs => ${NOTE_USE_EVERY})`.as('isDue'),
        )
        .where('key_hash', '=', hash)
        .where('revoked_at', 'is', null)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('auth_users as owner')
              .select('owner.id')
              .whereRef('owner.id', '=', 'api_keys.pharmacy_id')
              .where(isActiveAccount('owner')),
          ),
        )
        .executeTakeFirst()
      if (!row) return undefined
      const { isDue, ...found } = row
      if (isDue) {
        await db
          .updateTable('api_keys')
          .set({ last_used_at: sql<string>`now()` })
          .where('id', '=', found.keyId)
          .execute()
      }
      return found
    },
  }
}
