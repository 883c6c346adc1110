import { createHash, createHmac } from 'node:crypto'

/**
 * The n-th refresh token of a session: 32 bytes that only the holder of the server's secret can work
 * out. It can therefore be given again to a client that lost the answer, though only its hash is kept.
 */
export function refreshToken(key: Buffer, sessionId: string, counter: number): string {
  return createHmac('sha256', key).update(`${sessionId}.${counter}`).digest('base64url')
}

/** True for text that could be a refresh token of ours. */
export function looksLikeRefreshToken(token: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(token)
}

/** What the database keeps of a token (SHA-256). */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** How much further the count goes when a session is lifted: the one before is no neighbour then. */
export const LIFT_STEP = 2

/** How long a token may be used again after it was replaced: several tabs refresh at once. */
export const REUSE_INTERVAL_MS = 10_000

/**
 * How long a token from before the session was lifted is put off rather than refused: a client repeats a
 * refresh for half a minute, and only then looks for what another tab has saved.
 */
export const LIFT_INTERVAL_MS = 60_000

export type Presented = {
  /** The number of the presented token, of the session's active one, and of the first since it was lifted. */
  counter: number
  active: number
  lifted: number
  /** When the presented one was replaced, ms; null while it is the active one. */
  replacedAt: number | null
}

/**
 * What to do with a presented refresh token.
 * - `rotate`: it is the active one
 * - `repeat`: it is the one before the active (the client did not save our answer), or was replaced a
 *   moment ago (another tab was faster): the active one is given again
 * - `later`: another tab has just shown a second factor, and what that was given is not this one's to get
 * - `lifted`: the same a while ago: our answer to the factor was not saved, and is not given again
 * - `reuse`: somebody has an old token: the session ends
 */
export function judgeRefresh(
  token: Presented,
  now: number,
): 'rotate' | 'repeat' | 'later' | 'lifted' | 'reuse' {
  if (token.counter === token.active) return 'rotate'
  const age = token.replacedAt === null ? 0 : now - token.replacedAt
  if (token.counter < token.lifted) {
    if (age <= LIFT_INTERVAL_MS) return 'later'
    return token.counter === token.lifted - LIFT_STEP ? 'lifted' : 'reuse'
  }
  if (token.counter === token.active - 1) return 'repeat'
  return age <= REUSE_INTERVAL_MS ? 'repeat' : 'reuse'
}
