import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import type { Transaction } from './auth.store.ts'
import {
  type AuthContext,
  type Caller,
  isBanned,
  isEnrolled,
  lowerLevel,
  seconds,
} from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { LIFT_STEP, refreshToken, tokenHash } from './refresh-token.ts'
import { createRefreshing } from './refreshing.ts'
import { Amr, type AuthSession, createSessionTokens, withMethod } from './session-tokens.ts'
import type { AuthMethod } from './sessions.store.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { AssuranceLevel, AuthUser } from './users.store.ts'

const Claims = z.looseObject({
  sub: z.uuid(),
  session_id: z.uuid(),
  aal: z.literal(['aal1', 'aal2']).catch('aal1'),
})

/** Whose token it is. Says nothing of whether the session still exists. */
export type TokenSubject = { userId: string; sessionId: string; aal: AssuranceLevel }

/** A session that is there once its transaction is committed, with its first refresh token, or its next. */
export type BegunSession = {
  user: AuthUser
  id: string
  aal: AssuranceLevel
  amr: AuthMethod[]
  first: string
}

export type SignedIn = { user: AuthUser; sessionId: string; aal: AssuranceLevel }

/** A session that exists: its level, and whether its user has a second factor. */
export type Standing = { aal: AssuranceLevel; isEnrolled: boolean }

export type LogoutScope = 'global' | 'local' | 'others'

export type AuthSessions = ReturnType<typeof createAuthSessions>

type Dependencies = AuthContext & {
  keys: SigningKeys
  /** What refresh tokens are derived from. */
  refreshKey: Buffer
}

/** Sessions and their tokens, as the clients of the GoTrue protocol expect them. */
export function createAuthSessions(dependencies: Dependencies) {
  const { store, keys, refreshKey, clock, audit } = dependencies

  const answer = createSessionTokens(dependencies)

  async function subject(accessToken: string): Promise<TokenSubject> {
    const payload = await keys.verify(accessToken).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) throw error
      throw new AuthError('bad_jwt')
    })
    const claims = Claims.safeParse(payload)
    if (!claims.success) throw new AuthError('bad_jwt')
    const { sub: userId, session_id: sessionId, aal } = claims.data
    return { userId, sessionId, aal }
  }

  async function userOf(token: TokenSubject) {
    const user = await store.users.ofSession(token.sessionId)
    if (user?.id !== token.userId) throw new AuthError('session_not_found')
    if (isBanned(user, clock.now())) throw new AuthError('user_banned', { status: 403 })
    // A token from before the second factor was shown does not rise with its session.
    return { ...user, aal: lowerLevel(token.aal, user.aal) }
  }

  /**
   * A new session of someone who has just proved who they are, in the transaction of the proof. What
   * was proved must still be so: nobody gets in with a password that was changed meanwhile.
   */
  async function begin(
    [tables, tx]: Transaction,
    user: AuthUser,
    method: string,
    caller: Caller,
  ): Promise<BegunSession> {
    const now = await tables.users.lock(user.id)
    const still = now && !now.deleted_at && now.password_hash === user.password_hash
    if (!still) throw new AuthError('invalid_credentials')
    if (isBanned(now, clock.now())) throw new AuthError('user_banned')
    const id = randomUUID()
    const amr: AuthMethod[] = [{ method, timestamp: seconds(clock.now()) }]
    const first = refreshToken(refreshKey, id, 0)
    await tables.sessions.insert({ id, userId: user.id, amr, ...caller })
    await tables.sessions.insertToken({ hash: tokenHash(first), sessionId: id, counter: 0 })
    const details = { method }
    await audit.record({ action: 'signed_in', userId: user.id, ...caller, details }, tx)
    const signedIn = { last_sign_in_at: new Date(clock.now()).toISOString() }
    return { user: await tables.users.update(user.id, signedIn), id, aal: 'aal1', amr, first }
  }

  /**
   * They have shown a second factor in that session, which is locked: from now on it is of level aal2, and
   * goes on with a refresh token that nothing issued before can be turned into.
   *
   * @param factorId null for a recovery code
   */
  async function lift(
    tables: Transaction[0],
    { user, sessionId }: Pick<SignedIn, 'user' | 'sessionId'>,
    shown: { method: 'totp' | 'mfa/recovery_code'; factorId: string | null },
    caller: Caller,
  ): Promise<BegunSession & { ended: string[] }> {
    const session = await tables.sessions.lock(sessionId)
    if (session?.user_id !== user.id) throw new AuthError('session_not_found')
    // A code from before would give the session as it is now.
    await tables.tokens.forgetFlowsOfSession(sessionId)
    const { method, factorId } = shown
    const amr = withMethod(session.amr, { method, timestamp: seconds(clock.now()) })
    const counter = session.active + LIFT_STEP
    const first = refreshToken(refreshKey, sessionId, counter)
    const token = { hash: tokenHash(first), sessionId, counter }
    await tables.sessions.replaceToken(token, caller, new Date(clock.now()).toISOString())
    await tables.sessions.lift(sessionId, { amr, factorId, counter })
    const others = { userId: user.id, except: sessionId, aal: 'aal1' } as const
    const ended = await tables.sessions.end(others)
    const now = await tables.users.withId(user.id)
    return { user: now ?? user, id: sessionId, aal: 'aal2', amr, first, ended }
  }

  /** The next tokens of a session that goes on, whose user is locked. @throws AuthError */
  async function renew(
    [tables]: Transaction,
    sessionId: string,
    caller: Caller,
  ): Promise<BegunSession> {
    const session = await tables.sessions.lock(sessionId)
    const user = session && (await tables.users.ofSession(sessionId))
    if (!user) throw new AuthError('session_not_found')
    if (isBanned(user, clock.now())) throw new AuthError('user_banned')
    const counter = session.active + 1
    const first = refreshToken(refreshKey, sessionId, counter)
    const token = { hash: tokenHash(first), sessionId, counter }
    await tables.sessions.replaceToken(token, caller, new Date(clock.now()).toISOString())
    return { user, id: sessionId, aal: user.aal, amr: Amr.parse(session.amr), first }
  }

  /** The tokens of a session whose transaction is committed. */
  function tokensOf({ user, first, ...session }: BegunSession): Promise<AuthSession> {
    return answer(user, session, first)
  }

  return {
    begin,
    lift,
    renew,
    tokensOf,

    async open(user: AuthUser, method: string, caller: Caller): Promise<AuthSession> {
      const begun = await store.transaction((...transaction) =>
        begin(transaction, user, method, caller),
      )
      return tokensOf(begun)
    },

    refresh: createRefreshing({ ...dependencies, answer }),

    subject,
    userOf,

    /** Whoever calls with that token, whose session still exists. @throws AuthError otherwise */
    async signedIn(accessToken: string): Promise<SignedIn> {
      const token = await subject(accessToken)
      const user = await userOf(token)
      return { user, sessionId: token.sessionId, aal: user.aal }
    },

    /** How that session stands; undefined when it does not exist, or its user may not use it. */
    async standing(token: TokenSubject): Promise<Standing | undefined> {
      try {
        const user = await userOf(token)
        return { aal: user.aal, isEnrolled: isEnrolled(user) }
      } catch (error) {
        if (isDatabaseUnavailable(error) || !(error instanceof AuthError)) throw error
        return undefined
      }
    },

    /** Ends one session of that user from another. @returns false when they have none of that id */
    async endOne(userId: string, sessionId: string, caller: Caller): Promise<boolean> {
      const ended = await store.transaction(async (tables, tx) => {
        const gone = await tables.sessions.end({ userId, only: sessionId })
        if (gone.length > 0) await audit.record({ action: 'session_ended', userId, ...caller }, tx)
        return gone
      })
      for (const id of ended) dependencies.onSessionEnded(id)
      return ended.length > 0
    },

    /** Of the others, whoever did not show the second factor ends those alone that did not either. */
    async logout(session: SignedIn, scope: LogoutScope, caller: Caller): Promise<void> {
      const { user, sessionId, aal } = session
      const userId = user.id
      const ended: string[] = []
      if (scope !== 'others') ended.push(...(await store.sessions.end({ userId, only: sessionId })))
      if (scope !== 'local') {
        const below = isEnrolled(user) && aal === 'aal1' && ({ aal } as const)
        ended.push(...(await store.sessions.end({ userId, except: sessionId, ...below })))
      }
      for (const id of ended) dependencies.onSessionEnded(id)
      await audit.record({
        action: 'signed_out',
        userId,
        ...caller,
        details: { scope, sessions: ended.length },
      })
    },
  }
}
