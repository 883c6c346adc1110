import { randomUUID } from 'node:crypto'
import type { Secrets } from '../secrets.ts'
import type { Actor } from './admin.service.ts'
import type { AuthTables, Transaction } from './auth.store.ts'
import { isFactorGone, isFactorNameTaken } from './auth-constraints.ts'
import { type AuthContext, type Caller, isEnrolled, needFactor } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import type { AskMail } from './auth-mail.ts'
import { callingUser } from './calling-user.ts'
import { createGuessing, guesserOf } from './guessing.ts'
import type { Presence } from './presence.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions, SignedIn } from './sessions.service.ts'
import { newTotpSecret, showTotp, stepOfCode, type TotpEnrolment } from './totp.ts'
import { factorJson } from './user-json.ts'
import type { AuthUser, UserFactor } from './users.store.ts'

/** Seconds in which an enrolment is ended, and in which a challenge is answered. */
const ENROLMENT_SECONDS = 300
const CHALLENGE_SECONDS = 300

const MOST_FACTORS = 10

/** What secrets of factors are encrypted for. */
const PURPOSE = 'second factors'

/** Whoever can write into the database cannot give somebody a factor that they know the secret of. */
const rowOf = (userId: string, factorId: string) => `${userId} ${factorId}`

type NewFactor = { friendlyName: string | null; issuer: string }

type Enrolment = { id: string; type: 'totp'; friendly_name?: string; totp: TotpEnrolment }

type Challenge = { id: string; type: 'totp'; expires_at: number }

export type Factors = ReturnType<typeof createFactors>

type Dependencies = AuthContext & {
  secrets: Secrets
  sessions: AuthSessions
  askMail: AskMail
  presence: Presence
}

/** When an enrolment that is still good was begun at the earliest, ISO 8601. */
export function enrolmentsSince(now: number): string {
  return new Date(now - ENROLMENT_SECONDS * 1000).toISOString()
}

/** Apps that show a code beside the password (TOTP). */
export function createFactors(dependencies: Dependencies) {
  const { store, limits, audit, clock, secrets, sessions, askMail, presence } = dependencies
  const guessing = createGuessing(limits, ['factor-code', 'factor-code-day'])
  const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

  /** Whether it may be shown: nobody verifies a factor of their own beside the owner's. */
  function usable<F extends { status: string; created_at: string }>(
    factor: F | undefined,
    session: Pick<SignedIn, 'user' | 'aal'>,
  ): F {
    if (!factor) throw new AuthError('mfa_factor_not_found')
    if (factor.status === 'verified') return factor
    if (iso(Date.parse(factor.created_at)) < enrolmentsSince(clock.now())) {
      throw new AuthError('mfa_factor_not_found')
    }
    needFactor(session)
    return factor
  }

  /** @returns null when the code is wrong */
  async function pass(
    [tables, tx]: Transaction,
    session: SignedIn,
    given: { factorId: string; challengeId: string; code: string },
    caller: Caller,
  ) {
    const { user, aal } = await callingUser(tables, session, clock)
    const factor = usable(await tables.factors.lock(user.id, given.factorId), { user, aal })
    const challenge = await tables.factors.challenge(factor.id, given.challengeId)
    if (!challenge || Date.parse(challenge.expires_at) <= clock.now()) {
      throw new AuthError('mfa_challenge_expired')
    }
    if (challenge.address !== caller.address) throw new AuthError('mfa_ip_address_mismatch')
    const last = factor.last_step === null ? null : Number(factor.last_step)
    const secret = secrets.decrypt(PURPOSE, factor.secret, rowOf(user.id, factor.id))
    const step = await stepOfCode(secret, given.code, clock.now(), last)
    if (step === null) return null
    await tables.factors.deleteChallenge(given.challengeId)
    await tables.factors.pass(factor.id, step, iso(clock.now()))
    await tables.factors.forgetUnverified(user.id)
    const isNew = factor.status === 'unverified'
    const action = isNew ? 'factor_added' : 'factor_passed'
    await audit.record({ action, userId: user.id, ...caller }, tx)
    if (isNew) await askMail({ kind: 'factor_added', to: { userId: user.id } }, tx)
    const shown = { method: 'totp', factorId: factor.id } as const
    return sessions.lift(tables, { user, sessionId: session.sessionId }, shown, caller)
  }

  /** With the last one the codes go that stand in for it, and whatever level they gave. */
  async function takeAway(
    [tables, tx]: Transaction,
    user: Pick<AuthUser, 'id' | 'factors'>,
    factor: { id: string; status: string },
    by: Actor | Caller,
  ): Promise<void> {
    const userId = user.id
    await tables.sessions.lower({ userId, factorId: factor.id })
    await tables.factors.delete(factor.id)
    if (factor.status !== 'verified') return
    const isLeft = ({ id, status }: UserFactor) => id !== factor.id && status === 'verified'
    if (!user.factors.some(isLeft)) {
      await tables.sessions.lower({ userId })
      await tables.recoveryCodes.forgetOfUser(userId)
    }
    const isOwn = !('actorId' in by) || by.actorId === userId
    const kind = isOwn ? 'factor_removed' : 'factor_removed_by_administrator'
    await audit.record({ action: kind, userId, ...by }, tx)
    await askMail({ kind, to: { userId } }, tx)
  }

  const countChange = (user: AuthUser) =>
    limits.take({ limit: 'account-change', of: user.id }).catch(tooManyRequests)

  return {
    /** Begins with a new app. One that was begun with under the same name is worth nothing any more. */
    async enrol(session: SignedIn, { friendlyName, issuer }: NewFactor): Promise<Enrolment> {
      await countChange(session.user)
      // The first one keeps everybody else out; the others are asked for the one there is.
      if (!isEnrolled(session.user)) await presence.needFresh(session, 'Enrolling a factor')
      const id = randomUUID()
      const secret = newTotpSecret()
      const label = await store
        .transaction(async (tables) => {
          const { user, aal } = await callingUser(tables, session, clock)
          needFactor({ user, aal })
          const before = enrolmentsSince(clock.now())
          await tables.factors.forgetUnverified(user.id, { named: friendlyName, before })
          if ((await tables.factors.count(user.id)) >= MOST_FACTORS) {
            throw new AuthError('too_many_enrolled_mfa_factors')
          }
          const sealed = secrets.encrypt(PURPOSE, secret, rowOf(user.id, id))
          const at = iso(clock.now())
          await tables.factors.insert({ id, userId: user.id, friendlyName, secret: sealed, at })
          return user.email ?? user.id
        })
        .catch((error: unknown) => {
          throw isFactorNameTaken(error) ? new AuthError('mfa_factor_name_conflict') : error
        })
      const totp = await showTotp(secret, { issuer, label })
      return {
        id,
        type: 'totp',
        ...(friendlyName !== null && { friendly_name: friendlyName }),
        totp,
      }
    },

    /** Asked for before a code is shown, and answered from the same place. */
    async challenge(session: SignedIn, factorId: string, caller: Caller): Promise<Challenge> {
      const { user } = session
      const of = await guesserOf(dependencies, user.id, caller)
      await limits.take({ limit: 'factor-challenge', of }).catch(tooManyRequests)
      const factor = usable(await store.factors.find(user.id, factorId), session)
      const id = randomUUID()
      const expires = clock.now() + CHALLENGE_SECONDS * 1000
      const times = { at: iso(clock.now()), expiresAt: iso(expires) }
      const asked = { id, factorId: factor.id, address: caller.address, ...times }
      await store.factors.putChallenge(asked).catch((error: unknown) => {
        throw isFactorGone(error) ? new AuthError('mfa_factor_not_found') : error
      })
      return { id, type: 'totp', expires_at: Math.floor(expires / 1000) }
    },

    /** The session again, of the higher level. */
    async verify(
      session: SignedIn,
      given: { factorId: string; challengeId: string; code: string },
      caller: Caller,
    ): Promise<AuthSession> {
      const { user } = session
      const lifted = await guessing(await guesserOf(dependencies, user.id, caller), () =>
        store.transaction((...transaction) => pass(transaction, session, given, caller)),
      )
      if (!lifted) {
        await audit.record({ action: 'factor_failed', userId: user.id, ...caller })
        throw new AuthError('mfa_verification_failed')
      }
      for (const id of lifted.ended) dependencies.onSessionEnded(id)
      return sessions.tokensOf(lifted)
    },

    async remove(session: SignedIn, factorId: string, caller: Caller): Promise<{ id: string }> {
      await countChange(session.user)
      await store.transaction(async (...transaction) => {
        const [tables] = transaction
        const { user, aal } = await callingUser(tables, session, clock)
        const factor = await tables.factors.lock(user.id, factorId)
        if (!factor) throw new AuthError('mfa_factor_not_found')
        if (factor.status === 'verified') needFactor({ user, aal }, 422)
        await takeAway(transaction, user, factor, caller)
      })
      return { id: factorId }
    },

    /** For administrators, of anybody: who lost the telephone and the codes. */
    async removeOf(userId: string, factorId: string, actor: Actor) {
      return store.transaction(async (...transaction) => {
        const [tables] = transaction
        const user = await lockedUser(tables, userId)
        const factor = user?.factors.find(({ id }) => id === factorId)
        if (!user || !factor) throw new AuthError('mfa_factor_not_found')
        await takeAway(transaction, user, factor, actor)
        return factorJson(factor)
      })
    },
  }
}

/** Locked first and read then: what is read under a lock may be of before the wait for it. */
async function lockedUser({ users }: Pick<AuthTables, 'users'>, id: string) {
  await users.lock(id)
  return users.withId(id)
}
