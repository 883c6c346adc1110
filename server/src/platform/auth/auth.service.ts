import { randomUUID } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AuthStore, AuthUser } from './auth.store.ts'
import { AuthError } from './auth-error.ts'
import { MAX_PASSWORD_BYTES, verifyPassword } from './passwords.ts'
import { judgeRefresh, looksLikeRefreshToken, refreshToken, tokenHash } from './refresh-token.ts'
import type { SigningKeys } from './signing-keys.ts'
import { type AuthUserJson, userJson } from './user-json.ts'

/** Seconds an access token lives. */
export const ACCESS_TOKEN_SECONDS = 3600

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

export type AuthService = {
  signInWithPassword(email: string, password: string): Promise<AuthSession>
  refresh(token: string): Promise<AuthSession>
  /** @throws AuthError `bad_jwt` */
  subject(accessToken: string): Promise<TokenSubject>
  /** The user of a token whose session still exists. @throws AuthError otherwise */
  user(accessToken: string): Promise<AuthUserJson>
  /** Whether that session exists and its user may use it. */
  isAlive(subject: TokenSubject): Promise<boolean>
  logout(accessToken: string, scope: 'global' | 'local' | 'others'): Promise<void>
  jwks(): JSONWebKeySet
}

type Dependencies = {
  store: AuthStore
  keys: SigningKeys
  /** What refresh tokens are derived from. */
  refreshKey: Buffer
  clock: Clock
  /** Told of every session that ended here, so that what remembers it forgets it. */
  onSessionEnded(sessionId: string): void
}

/** Sign-in and sessions, as the clients of the GoTrue protocol expect them. */
export function createAuth(dependencies: Dependencies): AuthService {
  const { store, keys, refreshKey, clock } = dependencies

  async function openSession(user: AuthUser, method: string): Promise<AuthSession> {
    const sessionId = randomUUID()
    const amr = [{ method, timestamp: seconds(clock.now()) }]
    const first = refreshToken(refreshKey, sessionId, 0)
    const signedIn = await store.transaction(async (tx) => {
      await tx.insertSession({ id: sessionId, userId: user.id, amr })
      await tx.insertRefreshToken({ hash: tokenHash(first), sessionId, counter: 0 })
      return tx.markSignedIn(user.id)
    })
    return answer(signedIn, { id: sessionId, aal: 'aal1', amr }, first)
  }

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
      email: user.email,
      phone: '',
      app_metadata: user.app_metadata,
      user_metadata: user.user_metadata,
      role: 'authenticated',
      aal: session.aal,
      amr: Amr.parse(session.amr),
      session_id: session.id,
      is_anonymous: false,
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
    const payload = await keys.verify(accessToken).catch(() => {
      throw new AuthError('bad_jwt')
    })
    const claims = Claims.safeParse(payload)
    if (!claims.success) throw new AuthError('bad_jwt')
    return { userId: claims.data.sub, sessionId: claims.data.session_id }
  }

  async function userOf(token: TokenSubject): Promise<AuthUser> {
    const user = await store.userOfSession(token.sessionId)
    if (user?.id !== token.userId) throw new AuthError('session_not_found')
    if (isBanned(user, clock.now())) throw new AuthError('user_banned', { status: 403 })
    return user
  }

  return {
    async signInWithPassword(email, password) {
      const user = await store.userByEmail(email)
      const tooLong = Buffer.byteLength(password) > MAX_PASSWORD_BYTES
      const matches = await verifyPassword(user?.password_hash ?? null, tooLong ? '' : password)
      if (!user || !matches) throw new AuthError('invalid_credentials')
      if (isBanned(user, clock.now())) throw new AuthError('user_banned')
      if (!user.email_confirmed_at) throw new AuthError('email_not_confirmed')
      return openSession(user, 'password')
    },

    async refresh(token) {
      if (!looksLikeRefreshToken(token)) {
        throw new AuthError('validation_failed', { message: 'Refresh token is not valid' })
      }
      const outcome = await store.transaction(async (tx) => {
        const session = await tx.lockSessionOfToken(tokenHash(token))
        if (!session) return 'unknown'
        const replacedAt = session.replaced_at ? Date.parse(session.replaced_at) : null
        const verdict = judgeRefresh({ ...session, replacedAt }, clock.now())
        if (verdict === 'reuse') {
          // The session ends even though the call fails: the transaction is committed.
          await tx.endSession(session.id)
          return { ended: session.id }
        }
        const user = await tx.userOfSession(session.id)
        if (!user) return 'unknown'
        if (isBanned(user, clock.now())) return 'banned'
        const counter = verdict === 'rotate' ? session.active + 1 : session.active
        const next = refreshToken(refreshKey, session.id, counter)
        if (verdict === 'rotate') {
          await tx.replaceRefreshToken({ hash: tokenHash(next), sessionId: session.id, counter })
        }
        return { user, session, next }
      })
      if (outcome === 'unknown') throw new AuthError('refresh_token_not_found')
      if (outcome === 'banned') throw new AuthError('user_banned')
      if ('ended' in outcome) {
        dependencies.onSessionEnded(outcome.ended)
        throw new AuthError('refresh_token_already_used')
      }
      return answer(outcome.user, outcome.session, outcome.next)
    },

    subject,

    async user(accessToken) {
      return userJson(await userOf(await subject(accessToken)))
    },

    async isAlive(token) {
      try {
        await userOf(token)
        return true
      } catch (error) {
        if (isDatabaseUnavailable(error) || !(error instanceof AuthError)) throw error
        return false
      }
    },

    async logout(accessToken, scope) {
      const token = await subject(accessToken)
      await userOf(token)
      const ended = await store.deleteSessions({
        userId: token.userId,
        ...(scope === 'local' && { only: token.sessionId }),
        ...(scope === 'others' && { except: token.sessionId }),
      })
      for (const sessionId of ended) dependencies.onSessionEnded(sessionId)
    },

    jwks: () => keys.jwks(),
  }
}

function isBanned(user: AuthUser, now: number): boolean {
  return user.banned_until !== null && Date.parse(user.banned_until) > now
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
