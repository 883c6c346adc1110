import type { PharmacyAccount } from '@bancone/contract/pharmacy-actions'
import { sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { isOnAirtable } from '../../database/on-airtable.ts'

export type PharmacyActionsStore = ReturnType<typeof createPharmacyActionsStore>

/** Reads the state of the pharmacies' own accounts. Writes nothing. */
export function createPharmacyActionsStore(db: Database) {
  return {
    /** @throws AppError `pharmacies.not_found`, also for a deleted pharmacy */
    async account(pharmacyId: string): Promise<PharmacyAccount> {
      const row = await db
        .selectFrom('pharmacies as pharmacy')
        .innerJoin('auth_users as account', 'account.id', 'pharmacy.id')
        .select([
          sql<string>`coalesce(account.email, pharmacy.email)`.as('email'),
          sql<boolean>`account.email_confirmed_at is not null`.as('hasJoined'),
          sql<number>`(
            select count(*)::int from auth_factors where user_id = account.id and status = 'verified'
          )`.as('secondFactors'),
          'account.last_sign_in_at as lastSignInAt',
          isOnAirtable('pharmacy').as('isOnAirtable'),
        ])
        .where('pharmacy.id', '=', pharmacyId)
        .where('pharmacy.deleted_at', 'is', null)
        .executeTakeFirstOrThrow(() => new AppError('pharmacies.not_found'))
      return row
    },
  }
}
