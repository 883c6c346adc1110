import { type Insertable, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { violatesConstraint } from '../../database/errors.ts'
import type { AuthChallenges, AuthFactors } from '../../database/schema.gen.ts'
import type { Secrets } from '../secrets.ts'
import { AuthError } from './auth-error.ts'

/** The encryption purpose of TOTP secrets. */
const PURPOSE = 'second factors'

/**
 * The context that a secret is encrypted with. An attacker with write access to the database cannot move the
 * secret of a factor of their own to another user.
 */
const rowOf = (userId: string, factorId: string) => `${userId} ${factorId}`

export function sealFactor(secrets: Secrets, userId: string, factorId: string, secret: Buffer) {
  return secrets.encrypt(PURPOSE, secret, rowOf(userId, factorId))
}

/** @throws when it was encrypted with another secret, or for another row */
export function openFactor(secrets: Secrets, userId: string, factorId: string, sealed: Buffer) {
  return secrets.decrypt(PURPOSE, sealed, rowOf(userId, factorId))
}

/** The only writer of `auth_factors` and `auth_challenges`. */
export function createFactorsStore(db: Database) {
  const one = (userId: string, id: string) =>
    db
      .selectFrom('auth_factors')
      .select(['id', 'status', 'secret', 'last_step', 'created_at'])
      .where('id', '=', id)
      .where('user_id', '=', userId)

  return {
    /** @throws AuthError `mfa_factor_name_conflict` when the user has another of that name, in any case */
    async insert(factor: Insertable<AuthFactors>): Promise<void> {
      await db
        .insertInto('auth_factors')
        .values(factor)
        .execute()
        .catch((error: unknown) => {
          const isTaken = violatesConstraint(error, 'auth_factors__name_taken')
          throw isTaken ? new AuthError('mfa_factor_name_conflict') : error
        })
    },

    /** Undefined when the factor is another user's. */
    find: (userId: string, id: string) => one(userId, id).executeTakeFirst(),

    /** Locks the factor until the transaction ends. */
    lock: (userId: string, id: string) => one(userId, id).forUpdate().executeTakeFirst(),

    async count(userId: string): Promise<number> {
      const { total } = await db
        .selectFrom('auth_factors')
        .select(({ fn }) => fn.countAll<string>().as('total'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return Number(total)
    },

    /** Marks the factor as verified and stores the time step of the code, so that it is not accepted again. */
    async recordVerification(id: string, step: number, at: string): Promise<void> {
      await db
        .updateTable('auth_factors')
        .set({ status: 'verified', last_step: step, updated_at: at })
        .where('id', '=', id)
        .execute()
    },

    async delete(id: string): Promise<void> {
      await db.deleteFrom('auth_factors').where('id', '=', id).execute()
    },

    async deleteOfUser(userId: string): Promise<void> {
      await db.deleteFrom('auth_factors').where('user_id', '=', userId).execute()
    },

    /** Deletes a user's unfinished enrolments: all, or those of a name or created before a time (ISO 8601). */
    async deleteUnverified(
      userId: string,
      only?: { named: string | null; before: string },
    ): Promise<void> {
      let query = db
        .deleteFrom('auth_factors')
        .where('user_id', '=', userId)
        .where('status', '=', 'unverified')
      if (only) {
        query = query.where((eb) =>
          eb.or([
            eb('created_at', '<', only.before),
            eb(sql`lower(friendly_name)`, '=', sql`lower(${only.named})`),
          ]),
        )
      }
      await query.execute()
    },

    /** @throws AuthError `mfa_factor_not_found` when the factor was deleted meanwhile */
    async insertChallenge(challenge: Insertable<AuthChallenges>): Promise<void> {
      await db
        .insertInto('auth_challenges')
        .values(challenge)
        .execute()
        .catch((error: unknown) => {
          const isGone = violatesConstraint(error, 'auth_challenges_factor_id_fkey')
          throw isGone ? new AuthError('mfa_factor_not_found') : error
        })
      await db
        .updateTable('auth_factors')
        .set({ last_challenged_at: challenge.created_at })
        .where('id', '=', challenge.factor_id)
        .execute()
    },

    findChallenge(factorId: string, id: string) {
      return db
        .selectFrom('auth_challenges')
        .select(['address', 'expires_at'])
        .where('id', '=', id)
        .where('factor_id', '=', factorId)
        .executeTakeFirst()
    },

    async deleteChallenge(id: string): Promise<void> {
      await db.deleteFrom('auth_challenges').where('id', '=', id).execute()
    },

    /**
     * Deletes expired challenges and unfinished enrolments.
     *
     * @param now ISO 8601
     * @param before enrolments created before this time (ISO 8601) have expired
     * @returns how many rows
     */
    async deleteExpired(now: string, before: string): Promise<number> {
      const challenges = await db
        .deleteFrom('auth_challenges')
        .where('expires_at', '<', now)
        .executeTakeFirst()
      const factors = await db
        .deleteFrom('auth_factors')
        .where('status', '=', 'unverified')
        .where('created_at', '<', before)
        .executeTakeFirst()
      return Number(challenges.numDeletedRows + factors.numDeletedRows)
    },
  }
}

/** The only writer of `auth_recovery_codes`. */
export function createRecoveryCodesStore(db: Database) {
  const store = {
    /** `created_at`: ISO 8601; null when there are no codes. */
    count(userId: string) {
      return db
        .selectFrom('auth_recovery_codes')
        .select([
          sql<number>`count(*)::int`.as('total'),
          sql<number>`(count(*) filter (where used_at is null))::int`.as('remaining'),
          sql<string | null>`max(created_at)`.as('created_at'),
        ])
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
    },

    /** Replaces all codes. @param at ISO 8601 */
    async replace(userId: string, hashes: readonly Buffer[], at: string): Promise<void> {
      await store.deleteOfUser(userId)
      await db
        .insertInto('auth_recovery_codes')
        .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash, created_at: at })))
        .execute()
    },

    /** Marks the code as used. @returns whether it was unused: of two concurrent calls one gets true */
    async consume(userId: string, hash: Buffer, at: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('auth_recovery_codes')
        .set({ used_at: at })
        .where('user_id', '=', userId)
        .where('code_hash', '=', hash)
        .where('used_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async deleteOfUser(userId: string): Promise<void> {
      await db.deleteFrom('auth_recovery_codes').where('user_id', '=', userId).execute()
    },
  }
  return store
}
