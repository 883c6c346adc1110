import type { Database } from './database.ts'

/**
 * Who locks the same pharmacy waits until the transaction ends: what one counts of it, to keep to a limit,
 * stays as it is. Its rows can be written meanwhile.
 *
 * @param tx a transaction
 */
export async function lockPharmacy(tx: Database, pharmacyId: string): Promise<void> {
  await tx
    .selectFrom('pharmacies')
    .select('id')
    .where('id', '=', pharmacyId)
    .forNoKeyUpdate()
    .execute()
}
