import type { Database } from './database.ts'

/**
 * Locks a pharmacy until the end of the transaction, so that concurrent transactions that enforce a limit run one after
 * the other. Writes to the pharmacy's rows in other tables are not blocked.
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
