import { createHash, createHmac } from 'node:crypto'
import { DAY_MS } from '@bancone/contract/dates'
import { type AuthContext, type Caller, isBanned } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import type { AuthSession, createTokenResponse } from './session-tokens.ts'

/**
 * The n-th refresh token of a session: 32 bytes derived from the server's secret. It can therefore be issued
 * again when the client has lost the response, although only its hash is stored.
 */
export function refreshToken(key: Buffer, sessionId: string, counter: number): string {
  return createHmac('sha256', key).update(`${sessionId}.${counter}`).digest('base64url')
}

/** Whether the text has the format of a refresh token. */
export function looksLikeRefreshToken(token: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(token)
}

/** The stored hash of a token (SHA-256). */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * The step of the counter when a session is elevated to aal2. A step of two keeps the token before it from
 * being treated as the direct predecessor of the active one.
 */
export const ELEVATION_STEP = 2

/** Milliseconds for which a replaced token is accepted: several tabs refresh at once. */
const REUSE_INTERVAL_MS = 10_000

/**
 * Milliseconds for which a token from before the elevation gets a temporary error. A client retries a refresh
 * for half a minute, and only then reads what another tab has saved.
 */
const ELEVATION_INTERVAL_MS = 60_000

type PresentedRefreshToken = {
  /**
   * The counters of the presented token, of the session's active one, and of the first token after the
   * elevation.
   */
  counter: number
  active: number
  elevated: number
  /** When the presented token was replaced, in ms; null while it is the active one. */
  replacedAt: number | null
}

/**
 * Decides about a presented refresh token.
 * - `rotate`: it is the active one
 * - `repeat`: it is the predecessor of the active one (the client did not save the response), or was replaced a
 *   moment ago (another tab was faster): the active token is issued again
 * - `retry-later`: another tab has just elevated the session; a token from before must not get tokens of aal2
 * - `elevated`: the same, longer ago: the client did not save the response to the second factor, and it is not
 *   issued again
 * - `reuse`: an old token was reused: the session ends
 */
export function decideRefresh(
  token: PresentedRefreshToken,
  now: number,
): 'rotate' | 'repeat' | 'retry-later' | 'elevated' | 'reuse' {
  if (token.counter === token.active) return 'rotate'
  const age = token.replacedAt === null ? 0 : now - token.replacedAt
  if (token.counter < token.elevated) {
    if (age <= ELEVATION_INTERVAL_MS) return 'retry-later'
    return token.counter === token.elevated - ELEVATION_STEP ? 'elevated' : 'reuse'
  }
  if (token.counter === token.active - 1) return 'repeat'
  return age <= REUSE_INTERVAL_MS ? 'repeat' : 'reuse'
}

/** Days without a refresh after which a session ends. */
export const INACTIVITY_TIMEOUT_DAYS = 60

/** Days after which a session ends, however much it is used. */
export const MAX_SESSION_DAYS = 90

/** Seconds until a client should retry when another tab has just received newer tokens. */
const RETRY_AFTER_SECONDS = 2

type Dependencies = AuthContext & {
  toTokenResponse: ReturnType<typeof createTokenResponse>
  refreshKey: Buffer
}

/** The refresh token grant (RFC 6749, 6). */
export function createRefreshGrant(dependencies: Dependencies) {
  const { store, refreshKey, clock, audit, limits } = dependencies

  /** Decides about a presented token, under the lock of its session. */
  function presented(token: string, caller: Caller) {
    return store.transaction(async (tables, tx) => {
      const session = await tables.sessions.lockByRefreshToken(tokenHash(token))
      if (!session) return { refused: 'refresh_token_not_found' } as const
      const now = clock.now()
      const replacedAt = session.replaced_at ? Date.parse(session.replaced_at) : null
      const verdict = decideRefresh({ ...session, replacedAt }, now)
      const end = async (why: 'refresh_token_already_used' | 'session_expired') => {
        // The session ends even though the call fails: the transaction is committed.
        await tables.sessions.end({ userId: session.user_id, only: session.id })
        const action = why === 'session_expired' ? 'session_expired' : 'refresh_token_reused'
        await audit.record({ action, userId: session.user_id, ...caller }, tx)
        return { refused: why, ended: session.id } as const
      }
      if (verdict === 'reuse') return end('refresh_token_already_used')
      const idle = now - Date.parse(session.refreshed_at)
      const age = now - Date.parse(session.created_at)
      if (idle > INACTIVITY_TIMEOUT_DAYS * DAY_MS || age > MAX_SESSION_DAYS * DAY_MS) {
        return end('session_expired')
      }
      if (verdict === 'retry-later') return { refused: 'request_timeout' } as const
      if (verdict === 'elevated') return { refused: 'refresh_token_already_used' } as const
      const user = await tables.users.findBySession(session.id)
      if (!user) return { refused: 'refresh_token_not_found' } as const
      if (isBanned(user, now)) return { refused: 'user_banned' } as const
      const counter = verdict === 'rotate' ? session.active + 1 : session.active
      const next = refreshToken(refreshKey, session.id, counter)
      if (verdict === 'rotate') {
        const active = { token_hash: tokenHash(next), session_id: session.id, counter }
        await tables.sessions.replaceToken(active, caller, new Date(now).toISOString())
      }
      return { user, session, next }
    })
  }

  /** @throws AuthError. A temporary failure is a 503, because older clients sign out on other errors. */
  return async (token: string, caller: Caller): Promise<AuthSession> => {
    const failures = { limit: 'refresh-address', subject: caller.address } as const
    if (!looksLikeRefreshToken(token)) {
      await limits.take(failures).catch(tooManyRequests)
      throw new AuthError('validation_failed', { message: 'Refresh token is not valid' })
    }
    const outcome = await presented(token, caller)
    if ('refused' in outcome) {
      const { refused } = outcome
      if ('ended' in outcome) dependencies.onSessionEnded(outcome.ended)
      if (refused === 'request_timeout')
        throw new AuthError(refused, { retryAfter: RETRY_AFTER_SECONDS })
      if (refused !== 'user_banned') await limits.take(failures).catch(tooManyRequests)
      throw new AuthError(refused)
    }
    const { user, session, next } = outcome
    await limits.take({ limit: 'refresh-session', subject: session.id }).catch(tooManyRequests)
    return dependencies.toTokenResponse(user, session, next)
  }
}
