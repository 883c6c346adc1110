import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import type { Transaction } from './auth.store.ts'
import { type AuthContext, type Caller, isBanned, seconds } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import { judgeRefresh, looksLikeRefreshToken, refreshToken, tokenHash } from './refresh-token.ts'
import type { AuthMethod } from './sessions.store.ts'
import type { SigningKeys } from './signing-keys.ts'
import { type AuthUserJson, userJson } from './user-json.ts'
import type { AuthUser } from './users.store.ts'

/** Seconds an access token lives. */
export const ACCESS_TOKEN_SECONDS = 3600

/** Days after which a session that nobody used ends. */
export const IDLE_DAYS = 60

const Amr = z.array(z.object({ method: z.string(), timestamp: z.number() })).catch([])
const Claims = z.looseObject({ sub: z.uuid(), session_id: z.uuid() })

export type AuthSession = {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  expires_at: number
  refresh_token: string
  user: AuthUserJson
}

/** Whose token it is. Says nothing of whether the session still exists. */
export type TokenSubject = { userId: string; sessionId: string }

/** A session that is there once its transaction is committed. */
export type BegunSession = { user: AuthUser; id: string; amr: AuthMethod[]; first: string }

export type SignedIn = { user: AuthUser; sessionId: string }

export type LogoutScope = 'global' | 'local' | 'others'

export type AuthSessions = ReturnType<typeof createAuthSessions>

type Dependencies = AuthContext & {
  keys: SigningKeys
  /** What refresh tokens are derived from. */
  refreshKey: Buffer
}

/** Sessions and their tokens, as the clients of the GoTrue protocol expect them. */
export function createAuthSessions(dependencies: Dependencies) {
  const { store, keys, refreshKey, clock, audit, limits } = dependencies

  async function answer(
    user: AuthUser,
    session: { id: string; aal: string; amr: unknown },
    refresh: string,
  ): Promise<AuthSession> {
    const iat = seconds(clock.now())
    const exp = iat + ACCESS_TOKEN_SECONDS
    const access = await keys.sign({
      sub: user.id,
      iat,
      exp,
      email: user.email ?? '',
      phone: '',
      app_metadata: user.app_metadata,
      user_metadata: user.user_metadata,
      role: 'authenticated',
      aal: session.aal,
      amr: Amr.parse(session.amr),
      session_id: session.id,
      is_anonymous: user.is_anonymous,
    })
    return {
      access_token: access,
      token_type: 'bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      expires_at: exp,
      refresh_token: refresh,
      user: userJson(user),
    }
  }

  async function subject(accessToken: string): Promise<TokenSubject> {
    const payload = await keys.verify(accessToken).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) throw error
      throw new AuthError('bad_jwt')
    })
    const claims = Claims.safeParse(payload)
    if (!claims.success) throw new AuthError('bad_jwt')
    return { userId: claims.data.sub, sessionId: claims.data.session_id }
  }

  async function userOf(token: TokenSubject): Promise<AuthUser> {
    const user = await store.users.ofSession(token.sessionId)
    if (user?.id !== token.userId) throw new AuthError('session_not_found')
    if (isBanned(user, clock.now())) throw new AuthError('user_banned', { status: 403 })
    return user
  }

  /** What the database says of a presented token, under the lock of its session. */
  function presented(token: string, caller: Caller) {
    return store.transaction(async (tables, tx) => {
      const session = await tables.sessions.lockOfToken(tokenHash(token))
      if (!session) return { refused: 'refresh_token_not_found' } as const
      const now = clock.now()
      const replacedAt = session.replaced_at ? Date.parse(session.replaced_at) : null
      const verdict = judgeRefresh({ ...session, replacedAt }, now)
      const end = async (why: 'refresh_token_already_used' | 'session_expired') => {
        // The session ends even though the call fails: the transaction is committed.
        await tables.sessions.end({ userId: session.user_id, only: session.id })
        const action = why === 'session_expired' ? 'session_expired' : 'refresh_token_reused'
        await audit.record({ action, userId: session.user_id, ...caller }, tx)
        return { refused: why, ended: session.id } as const
      }
      if (verdict === 'reuse') return end('refresh_token_already_used')
      const idle = now - Date.parse(session.refreshed_at)
      if (idle > IDLE_DAYS * 86_400_000) return end('session_expired')
      const user = await tables.users.ofSession(session.id)
      if (!user) return { refused: 'refresh_token_not_found' } as const
      if (isBanned(user, now)) return { refused: 'user_banned' } as const
      const counter = verdict === 'rotate' ? session.active + 1 : session.active
      const next = refreshToken(refreshKey, session.id, counter)
      if (verdict === 'rotate') {
        await tables.sessions.replaceToken({
          hash: tokenHash(next),
          sessionId: session.id,
          counter,
        })
      }
      return { user, session, next }
    })
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
    await tables.sessions.insert({ id, userId: user.id, amr })
    await tables.sessions.insertToken({ hash: tokenHash(first), sessionId: id, counter: 0 })
    const details = { method }
    await audit.record({ action: 'signed_in', userId: user.id, ...caller, details }, tx)
    const signedIn = { last_sign_in_at: new Date(clock.now()).toISOString() }
    return { user: await tables.users.update(user.id, signedIn), id, amr, first }
  }

  /** The tokens of a session whose transaction is committed. */
  function tokensOf({ user, id, amr, first }: BegunSession): Promise<AuthSession> {
    return answer(user, { id, aal: 'aal1', amr }, first)
  }

  return {
    begin,
    tokensOf,

    async open(user: AuthUser, method: string, caller: Caller): Promise<AuthSession> {
      const begun = await store.transaction((...transaction) =>
        begin(transaction, user, method, caller),
      )
      return tokensOf(begun)
    },

    /** @throws AuthError; whatever may pass is a 503, since older clients sign out on anything else */
    async refresh(token: string, caller: Caller): Promise<AuthSession> {
      const failures = { limit: 'refresh-address', of: caller.address } as const
      if (!looksLikeRefreshToken(token)) {
        await limits.take(failures).catch(tooManyRequests)
        throw new AuthError('validation_failed', { message: 'Refresh token is not valid' })
      }
      const outcome = await presented(token, caller)
      if ('refused' in outcome) {
        if ('ended' in outcome) dependencies.onSessionEnded(outcome.ended)
        if (outcome.refused !== 'user_banned') await limits.take(failures).catch(tooManyRequests)
        throw new AuthError(outcome.refused)
      }
      const { user, session, next } = outcome
      await limits.take({ limit: 'refresh-session', of: session.id }).catch(tooManyRequests)
      return answer(user, session, next)
    },

    subject,
    userOf,

    /** Whoever calls with that token, whose session still exists. @throws AuthError otherwise */
    async signedIn(accessToken: string): Promise<SignedIn> {
      const token = await subject(accessToken)
      return { user: await userOf(token), sessionId: token.sessionId }
    },

    /** Whether that session exists and its user may use it. */
    async isAlive(token: TokenSubject): Promise<boolean> {
      try {
        await userOf(token)
        return true
      } catch (error) {
        if (isDatabaseUnavailable(error) || !(error instanceof AuthError)) throw error
        return false
      }
    },

    async logout({ user, sessionId }: SignedIn, scope: LogoutScope, caller: Caller): Promise<void> {
      const ended = await store.sessions.end({
        userId: user.id,
        ...(scope === 'local' && { only: sessionId }),
        ...(scope === 'others' && { except: sessionId }),
      })
      for (const id of ended) dependencies.onSessionEnded(id)
      await audit.record({
        action: 'signed_out',
        userId: user.id,
        ...caller,
        details: { scope, sessions: ended.length },
      })
    },
  }
}
