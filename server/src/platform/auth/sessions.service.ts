import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import type { Transaction } from './auth.store.ts'
import {
  type AuthContext,
  type AuthenticatedSession,
  type Caller,
  isBanned,
  isEnrolled,
  minAal,
  unixSeconds,
} from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { createRefreshGrant, ELEVATION_STEP, refreshToken, tokenHash } from './refresh-grant.ts'
import { Amr, type AuthSession, addAmrMethod, createTokenResponse } from './session-tokens.ts'
import type { AuthMethod } from './sessions.store.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { AssuranceLevel, AuthUser } from './users.store.ts'

const Claims = z.looseObject({
  sub: z.uuid(),
  session_id: z.uuid(),
  aal: z.literal(['aal1', 'aal2']).catch('aal1'),
})

/** The claims of a valid access token. The session may have ended. */
export type TokenSubject = { userId: string; sessionId: string; aal: AssuranceLevel }

/** A session with its next refresh token, valid once the transaction is committed. */
export type IssuedSession = {
  user: AuthUser
  id: string
  aal: AssuranceLevel
  amr: AuthMethod[]
  nextRefreshToken: string
}

/** The level of an existing session, and whether its user has a second factor. */
export type SessionStatus = { aal: AssuranceLevel; isEnrolled: boolean }

export type LogoutScope = 'global' | 'local' | 'others'

export type AuthSessions = ReturnType<typeof createAuthSessions>

/** Sessions and their tokens, in the GoTrue protocol. */
export function createAuthSessions(dependencies: AuthContext & { keys: SigningKeys }) {
  const { store, keys, clock, audit } = dependencies
  const refreshKey = dependencies.secrets.key('refresh tokens')

  const toTokenResponse = createTokenResponse(dependencies)

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
    const user = await store.users.findBySession(token.sessionId)
    if (user?.id !== token.userId) throw new AuthError('session_not_found')
    if (isBanned(user, clock.now())) throw new AuthError('user_banned', { status: 403 })
    // An access token issued at aal1 stays at aal1 when its session is elevated.
    return { ...user, aal: minAal(token.aal, user.aal) }
  }

  /**
   * Creates a session in the transaction of the authentication. The password must still be the verified one:
   * one that was changed meanwhile does not sign in.
   */
  async function begin(
    [tables, tx]: Transaction,
    user: AuthUser,
    method: string,
    caller: Caller,
  ): Promise<IssuedSession> {
    const now = await tables.users.lock(user.id)
    const still = now && !now.deleted_at && now.password_hash === user.password_hash
    if (!still) throw new AuthError('invalid_credentials')
    if (isBanned(now, clock.now())) throw new AuthError('user_banned')
    const id = randomUUID()
    const amr: AuthMethod[] = [{ method, timestamp: unixSeconds(clock.now()) }]
    const nextRefreshToken = refreshToken(refreshKey, id, 0)
    await tables.sessions.insert({ id, user_id: user.id, amr: JSON.stringify(amr), ...caller })
    await tables.sessions.insertToken({
      token_hash: tokenHash(nextRefreshToken),
      session_id: id,
      counter: 0,
    })
    const details = { method }
    await audit.record({ action: 'signed_in', userId: user.id, ...caller, details }, tx)
    const signedInNow = { last_sign_in_at: new Date(clock.now()).toISOString() }
    return {
      user: await tables.users.update(user.id, signedInNow),
      id,
      aal: 'aal1',
      amr,
      nextRefreshToken,
    }
  }

  /**
   * Elevates the session to aal2 after a second factor was verified. It continues with a refresh token that
   * cannot be obtained from earlier ones.
   *
   * @param factorId null for a recovery code
   */
  async function elevate(
    tables: Transaction[0],
    { user, sessionId }: Pick<AuthenticatedSession, 'user' | 'sessionId'>,
    shown: { method: 'totp' | 'mfa/recovery_code'; factorId: string | null },
    caller: Caller,
  ): Promise<IssuedSession & { ended: string[] }> {
    const session = await tables.sessions.lock(sessionId)
    if (session?.user_id !== user.id) throw new AuthError('session_not_found')
    // An auth code from before the elevation must not yield tokens of aal2.
    await tables.tokens.deleteFlowsOfSession(sessionId)
    const { method, factorId } = shown
    const amr = addAmrMethod(session.amr, { method, timestamp: unixSeconds(clock.now()) })
    const counter = session.active + ELEVATION_STEP
    const nextRefreshToken = refreshToken(refreshKey, sessionId, counter)
    const token = { token_hash: tokenHash(nextRefreshToken), session_id: sessionId, counter }
    await tables.sessions.replaceToken(token, caller, new Date(clock.now()).toISOString())
    await tables.sessions.elevate(sessionId, { amr, factorId, counter })
    const others = { userId: user.id, except: sessionId, aal: 'aal1' } as const
    const ended = await tables.sessions.end(others)
    const now = await tables.users.findById(user.id)
    return { user: now ?? user, id: sessionId, aal: 'aal2', amr, nextRefreshToken, ended }
  }

  /** Issues the next tokens of a continuing session. The user must be locked. @throws AuthError */
  async function renew(
    [tables]: Transaction,
    sessionId: string,
    caller: Caller,
  ): Promise<IssuedSession> {
    const session = await tables.sessions.lock(sessionId)
    const user = session && (await tables.users.findBySession(sessionId))
    if (!user) throw new AuthError('session_not_found')
    if (isBanned(user, clock.now())) throw new AuthError('user_banned')
    const counter = session.active + 1
    const nextRefreshToken = refreshToken(refreshKey, sessionId, counter)
    const token = { token_hash: tokenHash(nextRefreshToken), session_id: sessionId, counter }
    await tables.sessions.replaceToken(token, caller, new Date(clock.now()).toISOString())
    return { user, id: sessionId, aal: user.aal, amr: Amr.parse(session.amr), nextRefreshToken }
  }

  /** The token response of an issued session. Its transaction must be committed. */
  function tokensOf({ user, nextRefreshToken, ...session }: IssuedSession): Promise<AuthSession> {
    return toTokenResponse(user, session, nextRefreshToken)
  }

  return {
    begin,
    elevate,
    renew,
    tokensOf,

    async open(user: AuthUser, method: string, caller: Caller): Promise<AuthSession> {
      const begun = await store.transaction((...transaction) =>
        begin(transaction, user, method, caller),
      )
      return tokensOf(begun)
    },

    refresh: createRefreshGrant({ ...dependencies, refreshKey, toTokenResponse }),

    subject,
    userOf,

    /** The user and the existing session of an access token. @throws AuthError */
    async authenticate(accessToken: string): Promise<AuthenticatedSession> {
      const token = await subject(accessToken)
      const user = await userOf(token)
      return { user, sessionId: token.sessionId, aal: user.aal }
    },

    /** Undefined when the session has ended, or its user is banned. */
    async status(token: TokenSubject): Promise<SessionStatus | undefined> {
      try {
        const user = await userOf(token)
        return { aal: user.aal, isEnrolled: isEnrolled(user) }
      } catch (error) {
        if (isDatabaseUnavailable(error) || !(error instanceof AuthError)) throw error
        return undefined
      }
    },

    /** Ends one session of the user. @returns false when it is not theirs */
    async endOne(userId: string, sessionId: string, caller: Caller): Promise<boolean> {
      const ended = await store.transaction(async (tables, tx) => {
        const gone = await tables.sessions.end({ userId, only: sessionId })
        if (gone.length > 0) await audit.record({ action: 'session_ended', userId, ...caller }, tx)
        return gone
      })
      for (const id of ended) dependencies.onSessionEnded(id)
      return ended.length > 0
    },

    /** Signs out. A session of level aal1 of a user with a second factor ends only other sessions of level aal1. */
    async logout(session: AuthenticatedSession, scope: LogoutScope, caller: Caller): Promise<void> {
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
