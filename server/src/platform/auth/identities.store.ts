import { type Insertable, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { AuthIdentities } from '../../database/schema.gen.ts'

/** The provider's last claims about a user. For display: no decision depends on them. */
export type IdentityData = Record<string, string | boolean>

/** The only writer of `auth_identities`. */
export function createIdentitiesStore(db: Database) {
  return {
    /** The identity and its user, with the issuer in its claims. */
    find(provider: string, subject: string) {
      return db
        .selectFrom('auth_identities')
        .select(['id', 'user_id as userId'])
        .select(sql<string | null>`identity_data ->> 'iss'`.as('issuer'))
        .where('provider', '=', provider)
        .where('subject', '=', subject)
        .executeTakeFirst()
    },

    /** @returns false when the identity is linked already */
    async insert(identity: Insertable<AuthIdentities>): Promise<boolean> {
      const row = await db
        .insertInto('auth_identities')
        .values({ ...identity, last_sign_in_at: sql<string>`now()` })
        .onConflict((conflict) => conflict.columns(['provider', 'subject']).doNothing())
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Records a sign-in and the provider's current claims. @returns false when the identity is gone */
    async recordSignIn(
      id: string,
      { email, data }: { email: string | null; data: IdentityData },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('auth_identities')
        .set({
          email,
          identity_data: JSON.stringify(data),
          last_sign_in_at: sql<string>`now()`,
          updated_at: sql<string>`now()`,
        })
        .where('id', '=', id)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('auth_identities').where('id', '=', id).execute()
    },

    async removeOfUser(userId: string): Promise<void> {
      await db.deleteFrom('auth_identities').where('user_id', '=', userId).execute()
    },
  }
}
