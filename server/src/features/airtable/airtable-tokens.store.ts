import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { sourceLocation } from '../../database/on-airtable.ts'
import type { Audit } from '../../platform/audit.ts'
import type { Sealing } from '../../platform/sealing.ts'

export type AirtableTokensStore = ReturnType<typeof createAirtableTokensStore>

/** The beginning of a token's hash: equal for equal tokens, and of no other use. */
export function fingerprintOf(token: string): string {
  return createHash('sha256').update(`airtable ${token}`).digest('hex').slice(0, 16)
}

/** The tokens of bases, which are encrypted and only opened to be sent to Airtable. */
export function createAirtableTokensStore(
  db: Database,
  sealing: Sealing,
  audit: Pick<Audit, 'recordChange'>,
) {
  const rowOf = (baseId: string) =>
    db
      .selectFrom('airtable_tokens')
      .select(['token', 'key_id', 'set_at'])
      .where('base_id', '=', baseId)
      .executeTakeFirst()
  const contextOf = (baseId: string) => `${baseId} token`

  async function record(
    tx: Database,
    action: 'airtable_token_set' | 'airtable_token_removed',
    pharmacyId: string,
    baseId: string,
  ) {
    const target = { type: 'pharmacy', id: pharmacyId }
    await audit.recordChange(tx, { action, pharmacyId, target, details: { baseId } })
  }

  return {
    /** The base's own token; undefined where it has none that this server can open. */
    async find(baseId: string): Promise<string | undefined> {
      const row = await rowOf(baseId)
      return row && sealing.open(contextOf(baseId), row.token, row.key_id)?.toString()
    },

    async state(baseId: string): Promise<{ setAt: string; isReadable: boolean } | null> {
      const row = await rowOf(baseId)
      return row ? { setAt: row.set_at, isReadable: row.key_id === sealing.keyId } : null
    },

    /** @param pharmacyId the pharmacy on whose page it was set */
    async set(tx: Database, pharmacyId: string, baseId: string, token: string): Promise<void> {
      const row = {
        token: sealing.seal(contextOf(baseId), Buffer.from(token)),
        key_id: sealing.keyId,
        fingerprint: fingerprintOf(token),
        set_at: sql<string>`now()`,
      }
      await tx
        .insertInto('airtable_tokens')
        .values({ base_id: baseId, ...row })
        .onConflict((conflict) => conflict.column('base_id').doUpdateSet(row))
        .execute()
      await record(tx, 'airtable_token_set', pharmacyId, baseId)
    },

    /** Does nothing where the base has no token. */
    async remove(tx: Database, pharmacyId: string, baseId: string): Promise<void> {
      const removed = await tx
        .deleteFrom('airtable_tokens')
        .where('base_id', '=', baseId)
        .returning('base_id')
        .executeTakeFirst()
      if (removed) await record(tx, 'airtable_token_removed', pharmacyId, baseId)
    },

    /** Deletes the tokens of bases that no pharmacy has any more, deleted pharmacies included. */
    async removeUnused(): Promise<void> {
      await db
        .deleteFrom('airtable_tokens')
        .where(
          sql<boolean>`not exists (
            select from pharmacies as pharmacy
            where pharmacy.airtable_base_id = airtable_tokens.base_id
          )`,
        )
        .execute()
    },
  }
}

/** Where a pharmacy's orders are, and how many other pharmacies have orders in the same base. */
export async function baseOf(db: Database, pharmacyId: string) {
  const pharmacy = await db
    .selectFrom('pharmacies')
    .select(['airtable_base_id', 'airtable_table_id', 'orders_phase'])
    .where('id', '=', pharmacyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow(() => new AppError('pharmacies.not_found'))
  const location = sourceLocation(pharmacy)
  if (!location) return { location, otherPharmacies: 0 }
  const { others } = await db
    .selectFrom('pharmacies')
    .select((select) => select.fn.countAll<string>().as('others'))
    .where('airtable_base_id', '=', location.baseId)
    .where('id', '<>', pharmacyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { location, otherPharmacies: Number(others) }
}
