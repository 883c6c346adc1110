import { createHash, createHmac } from 'node:crypto'

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
export const REUSE_INTERVAL_MS = 10_000

/**
 * Milliseconds for which a token from before the elevation gets a temporary error. A client retries a refresh
 * for half a minute, and only then reads what another tab has saved.
 */
export const ELEVATION_INTERVAL_MS = 60_000

export type PresentedRefreshToken = {
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
