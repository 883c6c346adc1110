/**
 * Outcome of a push:
 * - `gone`: the push service no longer knows the subscription
 * - `refused`: this message was rejected; the next may succeed
 * - `later`: temporary failure. `after`: seconds to wait, as the service demands
 */
export type Outcome =
  | { kind: 'delivered' | 'gone' | 'refused' }
  | { kind: 'later'; after: number | null }

/** Classifies the answer of a push service (RFC 8030, and what the browsers' services document). */
export function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: 'later', after: /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) : null }
  }
  return { kind: 'refused' }
}

/** Seconds before the first retry, maximum seconds between two attempts, and maximum number of attempts. */
const FIRST_PAUSE = 5
const LONGEST_PAUSE = 3600
const MAX_ATTEMPTS = 32

/**
 * @param attempt number of attempts so far
 * @param after seconds that the service demands, honoured up to a day
 * @returns seconds until the next attempt; null when a day of attempts has failed
 */
export function pauseAfter(attempt: number, after: number | null): number | null {
  if (attempt >= MAX_ATTEMPTS) return null
  const pause = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE)
  return Math.max(pause, Math.min(after ?? 0, 24 * 3600))
}

/**
 * Contact for push services (RFC 8292, `sub`). Apple rejects an address at `localhost`.
 *
 * @param mailFrom as in a mail: `Bancone <bancone@example.it>`
 */
export function vapidSubject(publicUrl: string, mailFrom: string): string {
  if (/^https:\/\/(?!localhost([:/]|$))/.test(publicUrl)) return publicUrl
  const [, named] = /<([^<>]+)>\s*$/.exec(mailFrom) ?? []
  return `mailto:${(named ?? mailFrom).trim()}`
}
