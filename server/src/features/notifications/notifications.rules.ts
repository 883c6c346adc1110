/**
 * What came of sending to a device:
 * - `gone`: the push service knows it no more
 * - `refused`: not this message; the next may fare better
 * - `later`: nothing is wrong with the message. `after`: seconds that the service wants to be left alone
 */
export type Outcome =
  | { kind: 'delivered' | 'gone' | 'refused' }
  | { kind: 'later'; after: number | null }

/** What a push service's answer means (RFC 8030, and what the browsers' services say). */
export function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: 'later', after: /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) : null }
  }
  return { kind: 'refused' }
}

/** Seconds before the second attempt, the longest between two, and after how many it is given up. */
const FIRST_PAUSE = 5
const LONGEST_PAUSE = 3600
const MOST_ATTEMPTS = 32

/**
 * @param attempt how many there were
 * @param after what the service asks for; it may have its way for a day
 * @returns seconds until the next; null when it has failed for a day
 */
export function pauseAfter(attempt: number, after: number | null): number | null {
  if (attempt >= MOST_ATTEMPTS) return null
  const pause = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE)
  return Math.max(pause, Math.min(after ?? 0, 24 * 3600))
}

/**
 * Whom a push service may write to when we trouble it (RFC 8292, `sub`). Apple takes no address of
 * `localhost`.
 *
 * @param mailFrom as in a mail: `Bancone <bancone@example.it>`
 */
export function vapidSubject(publicUrl: string, mailFrom: string): string {
  if (/^https:\/\/(?!localhost([:/]|$))/.test(publicUrl)) return publicUrl
  const [, named] = /<([^<>]+)>\s*$/.exec(mailFrom) ?? []
  return `mailto:${(named ?? mailFrom).trim()}`
}
