import { randomUUID } from 'node:crypto'
import type { Actor } from './admin.service.ts'
import { attemptKeyOf, createAttemptLimiter, endAttempt } from './attempt-limits.ts'
import type { AuthTables, Transaction } from './auth.store.ts'
import {
  type AuthContext,
  type AuthenticatedSession,
  type Caller,
  isEnrolled,
  lockCallingUser,
  requireSufficientAal,
} from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import type { EnqueueMail } from './auth-mail.ts'
import { openFactor, sealFactor } from './factors.store.ts'
import type { Reauthentication } from './reauthentication.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions } from './sessions.service.ts'
import { createTotpEnrolment, newTotpSecret, stepOfCode } from './totp.ts'
import { factorJson } from './user-json.ts'
import type { AuthUser, UserFactor } from './users.store.ts'

/** Seconds until an unfinished enrolment expires, and until a challenge does. */
const ENROLMENT_SECONDS = 300
const CHALLENGE_SECONDS = 300

const MAX_FACTORS = 10

type NewFactor = { friendlyName: string | null; issuer: string }

type Dependencies = AuthContext & {
  sessions: AuthSessions
  enqueueMail: EnqueueMail
  reauthentication: Reauthentication
}

/** Unfinished enrolments created before this time have expired. ISO 8601. */
export function enrolmentCutoff(now: number): string {
  return new Date(now - ENROLMENT_SECONDS * 1000).toISOString()
}

/** TOTP factors (authenticator apps). */
export function createFactors(dependencies: Dependencies) {
  const { store, limits, audit, clock, secrets, sessions, enqueueMail, reauthentication } =
    dependencies
  const limitAttempts = createAttemptLimiter(limits, ['factor-code', 'factor-code-day'])
  const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

  /**
   * Checks that the factor may be verified now. A user with a verified factor adds another one only at level
   * aal2.
   */
  function requireUsable<F extends { status: string; created_at: string }>(
    factor: F | undefined,
    session: Pick<AuthenticatedSession, 'user' | 'aal'>,
  ): F {
    if (!factor) throw new AuthError('mfa_factor_not_found')
    if (factor.status === 'verified') return factor
    if (iso(Date.parse(factor.created_at)) < enrolmentCutoff(clock.now())) {
      throw new AuthError('mfa_factor_not_found')
    }
    requireSufficientAal(session)
    return factor
  }

  /** @returns null when the code is wrong */
  async function verifyCode(
    [tables, tx]: Transaction,
    session: AuthenticatedSession,
    given: { factorId: string; challengeId: string; code: string },
    caller: Caller,
  ) {
    const { user, aal } = await lockCallingUser(tables, session, clock)
    const factor = requireUsable(await tables.factors.lock(user.id, given.factorId), { user, aal })
    const challenge = await tables.factors.findChallenge(factor.id, given.challengeId)
    if (!challenge || Date.parse(challenge.expires_at) <= clock.now()) {
      throw new AuthError('mfa_challenge_expired')
    }
    if (challenge.address !== caller.address) throw new AuthError('mfa_ip_address_mismatch')
    const last = factor.last_step === null ? null : Number(factor.last_step)
    const secret = openFactor(secrets, user.id, factor.id, factor.secret)
    const step = await stepOfCode(secret, given.code, clock.now(), last)
    if (step === null) return null
    await tables.factors.deleteChallenge(given.challengeId)
    await tables.factors.recordVerification(factor.id, step, iso(clock.now()))
    await tables.factors.deleteUnverified(user.id)
    const isNew = factor.status === 'unverified'
    const action = isNew ? 'factor_added' : 'factor_passed'
    await audit.record({ action, userId: user.id, ...caller }, tx)
    if (isNew) await enqueueMail({ kind: 'factor_added', to: { userId: user.id } }, tx)
    const shown = { method: 'totp', factorId: factor.id } as const
    return sessions.elevate(tables, { user, sessionId: session.sessionId }, shown, caller)
  }

  /** The recovery codes and the level aal2 end with the last verified factor. */
  async function removeFactor(
    [tables, tx]: Transaction,
    user: Pick<AuthUser, 'id' | 'factors'>,
    factor: { id: string; status: string },
    by: Actor | Caller,
  ): Promise<void> {
    const userId = user.id
    await tables.sessions.downgrade({ userId, factorId: factor.id })
    await tables.factors.delete(factor.id)
    if (factor.status !== 'verified') return
    const isLeft = ({ id, status }: UserFactor) => id !== factor.id && status === 'verified'
    if (!user.factors.some(isLeft)) {
      await tables.sessions.downgrade({ userId })
      await tables.recoveryCodes.deleteOfUser(userId)
    }
    const isOwn = !('actorId' in by) || by.actorId === userId
    const kind = isOwn ? 'factor_removed' : 'factor_removed_by_administrator'
    await audit.record({ action: kind, userId, ...by }, tx)
    await enqueueMail({ kind, to: { userId } }, tx)
  }

  const countChange = (user: AuthUser) =>
    limits.take({ limit: 'account-change', subject: user.id }).catch(tooManyRequests)

  return {
    /** Begins an enrolment. An unfinished one of the same name is replaced. */
    async enrol(session: AuthenticatedSession, { friendlyName, issuer }: NewFactor) {
      await countChange(session.user)
      // Without a factor, the user must have authenticated recently; with one, level aal2 is required instead.
      if (!isEnrolled(session.user)) {
        await reauthentication.requireRecent(session, 'Enrolling a factor')
      }
      const id = randomUUID()
      const secret = newTotpSecret()
      const label = await store.transaction(async (tables) => {
        const { user, aal } = await lockCallingUser(tables, session, clock)
        requireSufficientAal({ user, aal })
        const before = enrolmentCutoff(clock.now())
        await tables.factors.deleteUnverified(user.id, { named: friendlyName, before })
        if ((await tables.factors.count(user.id)) >= MAX_FACTORS) {
          throw new AuthError('too_many_enrolled_mfa_factors')
        }
        const at = iso(clock.now())
        await tables.factors.insert({
          id,
          user_id: user.id,
          friendly_name: friendlyName,
          secret: sealFactor(secrets, user.id, id, secret),
          created_at: at,
          updated_at: at,
        })
        return user.email ?? user.id
      })
      const totp = await createTotpEnrolment(secret, { issuer, label })
      return {
        id,
        type: 'totp',
        ...(friendlyName !== null && { friendly_name: friendlyName }),
        totp,
      }
    },

    /** Creates a challenge, to be verified from the same address. */
    async challenge(session: AuthenticatedSession, factorId: string, caller: Caller) {
      const { user } = session
      const subject = await attemptKeyOf(dependencies, user.id, caller)
      await limits.take({ limit: 'factor-challenge', subject }).catch(tooManyRequests)
      const factor = requireUsable(await store.factors.find(user.id, factorId), session)
      const id = randomUUID()
      const expires = clock.now() + CHALLENGE_SECONDS * 1000
      await store.factors.insertChallenge({
        id,
        factor_id: factor.id,
        address: caller.address,
        created_at: iso(clock.now()),
        expires_at: iso(expires),
      })
      return { id, type: 'totp', expires_at: Math.floor(expires / 1000) }
    },

    /** Verifies a code. @returns new tokens of the session, now of level aal2 */
    async verify(
      session: AuthenticatedSession,
      given: { factorId: string; challengeId: string; code: string },
      caller: Caller,
    ): Promise<AuthSession> {
      const { user } = session
      const elevated = await limitAttempts(await attemptKeyOf(dependencies, user.id, caller), () =>
        store.transaction((...transaction) => verifyCode(transaction, session, given, caller)),
      )
      return endAttempt(
        dependencies,
        { userId: user.id, elevated, code: 'mfa_verification_failed' },
        caller,
      )
    },

    async remove(
      session: AuthenticatedSession,
      factorId: string,
      caller: Caller,
    ): Promise<{ id: string }> {
      await countChange(session.user)
      if (session.user.factors.some(({ id, status }) => id === factorId && status === 'verified')) {
        requireSufficientAal(session, 422)
        await reauthentication.requireRecent(session, 'Removing a factor')
      }
      await store.transaction(async (...transaction) => {
        const [tables] = transaction
        const { user, aal } = await lockCallingUser(tables, session, clock)
        const factor = await tables.factors.lock(user.id, factorId)
        if (!factor) throw new AuthError('mfa_factor_not_found')
        if (factor.status === 'verified') requireSufficientAal({ user, aal }, 422)
        await removeFactor(transaction, user, factor, caller)
      })
      return { id: factorId }
    },

    /**
     * Removes all verified factors of a user who has lost the device and the recovery codes.
     *
     * @returns their number
     */
    async removeAllForUser(userId: string, actor: Actor): Promise<number> {
      return store.transaction(async (...transaction) => {
        const [tables] = transaction
        const user = await lockedUser(tables, userId)
        const verified = user?.factors.filter(({ status }) => status === 'verified') ?? []
        for (const [place, factor] of verified.entries()) {
          const left = { id: userId, factors: verified.slice(place) }
          await removeFactor(transaction, left, factor, actor)
        }
        return verified.length
      })
    },

    /** For administrators, when a user has lost the device and the recovery codes. */
    async removeForUser(userId: string, factorId: string, actor: Actor) {
      return store.transaction(async (...transaction) => {
        const [tables] = transaction
        const user = await lockedUser(tables, userId)
        const factor = user?.factors.find(({ id }) => id === factorId)
        if (!user || !factor) throw new AuthError('mfa_factor_not_found')
        await removeFactor(transaction, user, factor, actor)
        return factorJson(factor)
      })
    },
  }
}

/** Locks first and reads then: a query that waited for its lock may return older rows of other tables. */
async function lockedUser({ users }: Pick<AuthTables, 'users'>, id: string) {
  await users.lock(id)
  return users.findById(id)
}
