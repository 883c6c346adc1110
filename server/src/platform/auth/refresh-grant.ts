import { type AuthContext, type Caller, isBanned } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import { decideRefresh, looksLikeRefreshToken, refreshToken, tokenHash } from './refresh-token.ts'
import type { AuthSession, createTokenResponse } from './session-tokens.ts'

/** Days without a refresh after which a session ends. */
export const INACTIVITY_TIMEOUT_DAYS = 60

const DAY_MS = 86_400_000

/** Seconds until a client should retry when another tab has just received newer tokens. */
const RETRY_AFTER_SECONDS = 2

type Dependencies = AuthContext & {
  toTokenResponse: ReturnType<typeof createTokenResponse>
  refreshKey: Buffer
  /** Days after which a session ends, however much it is used. */
  sessionDays: number
}

/** The refresh token grant (RFC 6749, 6). */
export function createRefreshGrant(dependencies: Dependencies) {
  const { store, refreshKey, sessionDays, clock, audit, limits } = dependencies

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
      if (idle > INACTIVITY_TIMEOUT_DAYS * DAY_MS || age > sessionDays * DAY_MS) {
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
        const active = { hash: tokenHash(next), sessionId: session.id, counter }
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
