import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Secrets } from '../secrets.ts'

export const ALGORITHM = 'ES256'
export const KEYS_PURPOSE = 'auth signing keys'

/** Seconds for which a new key is published before it signs. Others cache the key set for ten minutes. */
const PUBLISHED_AHEAD = 15 * 60

/** Seconds for which the previous keys verify after that: twice the lifetime of an access token. */
const VERIFIES_AFTER = 2 * 3600

/** Days after which a new key replaces the current one. */
const KEY_DAYS = 90

export type RotationKind = 'graceful' | 'immediate'

/** The only writer of `auth_signing_keys`. */
export function createSigningKeysStore(db: Database, secrets: Secrets) {
  const store = {
    /** The keys that verify, the newest signing one first. */
    published() {
      return db
        .selectFrom('auth_signing_keys')
        .select(['kid', 'public_jwk', 'private_jwk'])
        .select(sql<boolean>`signs_from <= now()`.as('signs'))
        .where((eb) =>
          eb.or([eb('retired_at', 'is', null), eb('retired_at', '>', sql<string>`now()`)]),
        )
        .orderBy('signs_from', 'desc')
        .orderBy('kid')
        .execute()
    },

    /** @param ahead seconds until the key signs */
    async create(ahead: number): Promise<string> {
      const pair = await generateKeyPair(ALGORITHM, { extractable: true })
      const publicJwk = await exportJWK(pair.publicKey)
      const privateJwk = await exportJWK(pair.privateKey)
      const kid = await calculateJwkThumbprint(publicJwk)
      await db
        .insertInto('auth_signing_keys')
        .values({
          kid,
          public_jwk: JSON.stringify({ ...publicJwk, kid, alg: ALGORITHM, use: 'sig' }),
          private_jwk: secrets.encrypt(KEYS_PURPOSE, Buffer.from(JSON.stringify(privateJwk))),
          signs_from: sql<string>`now() + make_interval(secs => ${ahead})`,
        })
        .execute()
      return kid
    },

    /**
     * Replaces the signing key. `graceful`: the new key is published first, and the others verify until the
     * last token they signed has expired. `immediate`, for a stolen key: tokens of the other keys become
     * invalid, and clients refresh theirs.
     */
    async rotate(kind: RotationKind): Promise<string> {
      const ahead = kind === 'immediate' ? 0 : PUBLISHED_AHEAD
      const after = kind === 'immediate' ? 0 : PUBLISHED_AHEAD + VERIFIES_AFTER
      const kid = await store.create(ahead)
      await db
        .updateTable('auth_signing_keys')
        .set({ retired_at: sql<string>`now() + make_interval(secs => ${after})` })
        .where('kid', '!=', kid)
        .where((eb) =>
          eb.or([
            eb('retired_at', 'is', null),
            eb('retired_at', '>', sql<string>`now() + make_interval(secs => ${after})`),
          ]),
        )
        .execute()
      return kid
    },

    /** Rotates when the newest key is old. @returns the id of the new key, if any */
    async rotateIfDue(): Promise<string | undefined> {
      const recent = await db
        .selectFrom('auth_signing_keys')
        .select('kid')
        .where('created_at', '>', sql<string>`now() - make_interval(days => ${KEY_DAYS})`)
        .limit(1)
        .executeTakeFirst()
      return recent ? undefined : store.rotate('graceful')
    },
  }
  return store
}
