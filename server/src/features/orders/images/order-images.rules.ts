/** Bytes that a picture may have on the way here. */
export const MOST_BYTES = 10 * 1024 * 1024

/** What is kept of one: writing on a photograph of a sheet can be read. */
export const KEPT = {
  width: 4096,
  height: 4096,
  fit: 'inside',
  format: 'webp',
  quality: 82,
} as const

/** How often a picture is tried to be had; with the pauses of the job queue, over three hours. */
export const MOST_TRIES = 10

/**
 * Why no copy of a picture is kept; its own address stays with the order.
 * - `gone`: the address answers no more, nor does a fresh one
 * - `unavailable`: it could not be had, however often we tried
 * - `forbidden`: an address that we do not go to
 * - `no_answer`: something else than a picture or a failure, such as a redirect without end
 * - `too_large`: more bytes than a picture may have
 * - `too_wide`: more pixels than a picture may have
 * - `not_a_picture`: not one of the formats that are taken
 * - `unreadable`: one of them by its beginning, but broken or of a kind that cannot be read
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

/**
 * What an answer's status says about a picture's address: it is there, the address has ended, it may be
 * there later, or it is something else.
 */
export function readStatus(status: number): 'there' | 'gone' | 'later' | 'no_answer' {
  if (status === 200) return 'there'
  if (status === 403 || status === 404 || status === 410) return 'gone'
  if (status === 408 || status === 429 || status >= 500) return 'later'
  return 'no_answer'
}

const SIX_HOURS = 6 * 60 * 60_000

/**
 * When an address that is made now ends, in steps of six hours since 1970: at the next step and twelve
 * hours, so that addresses made one after the other are the same for a while.
 */
export function lastStep(now: number): number {
  return Math.ceil(now / SIX_HOURS) + 2
}

export function hasEnded(step: number, now: number): boolean {
  return now >= step * SIX_HOURS
}
