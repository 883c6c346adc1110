import type { Database } from '../../database/database.ts'
import { systemClock } from '../../ports/clock.ts'
import type { Secrets } from '../secrets.ts'
import { createSigningKeysStore, type RotationKind } from './signing-keys.store.ts'
import { loadSigningKeys } from './signing-keys.ts'

/** @param signsFrom ISO 8601 */
export type NewKey = { kid: string; signsFrom: string }

/**
 * The rotation by the command-line program, in one transaction.
 *
 * @throws StartupError if the keys were encrypted with another APP_SECRET: no server could use the new one
 */
export function rotateKeys(db: Database, secrets: Secrets, kind: RotationKind): Promise<NewKey> {
  return db.transaction().execute(async (tx) => {
    // In a new database, this creates the key that signs until the new one does.
    await loadSigningKeys(tx, secrets, { issuer: '', audience: '' }, systemClock)
    const kid = await createSigningKeysStore(tx, secrets).rotate(kind)
    const { signs_from: signsFrom } = await tx
      .selectFrom('auth_signing_keys')
      .select('signs_from')
      .where('kid', '=', kid)
      .executeTakeFirstOrThrow()
    return { kid, signsFrom }
  })
}
