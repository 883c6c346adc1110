/** Maximum size of a download. */
export const MAX_BYTES = 10 * 1024 * 1024

/** Format of the stored picture: handwriting in a photo of a sheet stays legible. */
export const STORED_FORMAT = {
  width: 4096,
  height: 4096,
  fit: 'inside',
  format: 'webp',
  quality: 82,
} as const

/** Maximum number of attempts; with the delays of the job queue, over three hours. */
export const MAX_TRIES = 10

/**
 * Why a picture was not stored; the order keeps its original URL.
 * - `gone`: the URL has expired, and so has a fresh one
 * - `unavailable`: all attempts failed
 * - `forbidden`: an address that must not be requested
 * - `no_answer`: neither a picture nor an error, such as endless redirects
 * - `too_large`: too many bytes
 * - `too_wide`: too many pixels
 * - `not_a_picture`: not a supported format
 * - `unreadable`: a supported format by its signature, but damaged or of an unsupported kind
 */
export type ImageReason =
  | 'gone'
  | 'unavailable'
  | 'forbidden'
  | 'no_answer'
  | 'too_large'
  | 'too_wide'
  | 'not_a_picture'
  | 'unreadable'

/** What the status of a response means for a picture's URL: available, expired, to be retried, or anything else. */
export function classifyStatus(status: number): 'there' | 'gone' | 'later' | 'no_answer' {
  if (status === 200) return 'there'
  if (status === 403 || status === 404 || status === 410) return 'gone'
  if (status === 408 || status === 429 || status >= 500) return 'later'
  return 'no_answer'
}

const SIX_HOURS = 6 * 60 * 60_000

/**
 * Expiry of a URL created now, in steps of six hours since 1970: twelve hours after the next step, so that URLs
 * created within a step are equal and can be cached.
 */
export function expiryStep(now: number): number {
  return Math.ceil(now / SIX_HOURS) + 2
}

export function isExpired(step: number, now: number): boolean {
  return now >= step * SIX_HOURS
}
