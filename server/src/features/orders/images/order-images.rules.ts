/** The largest attachment of which a copy is kept. The URL of a larger one is renewed when it is opened. */
export const MAX_BYTES = 25 * 1024 * 1024

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
 * Why an attachment was not stored; it stays where the order source has it.
 * - `gone`: the URL has expired, and so has a fresh one
 * - `unavailable`: all attempts failed
 * - `forbidden`: an address that must not be requested
 * - `no_answer`: neither a picture nor an error, such as endless redirects
 * - `too_large`: too many bytes
 * - `not_a_picture`: a page behind a plain link, or nothing at all
 */
export type ImageReason =
  | 'gone'
  | 'unavailable'
  | 'forbidden'
  | 'no_answer'
  | 'too_large'
  | 'not_a_picture'

/** What the status of a response means for an attachment's URL: available, expired, to be retried, or anything else. */
export function classifyStatus(status: number): 'there' | 'gone' | 'later' | 'no_answer' {
  if (status === 200) return 'there'
  if (status === 403 || status === 404 || status === 410) return 'gone'
  if (status === 408 || status === 429 || status >= 500) return 'later'
  return 'no_answer'
}

/** The media types under which files are served as they are, with the endings of their names. */
const endings: Record<string, string> = {
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/tiff': 'tif',
  'image/webp': 'webp',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
}

/** The type under which a file is served that is kept as it is. @param said what the order source or the response says */
export function fileType(bytes: Uint8Array, said: string | null | undefined): string {
  if (isPdf(bytes)) return 'application/pdf'
  const type = said?.split(';')[0]?.trim().toLowerCase() ?? ''
  return Object.hasOwn(endings, type) ? type : 'application/octet-stream'
}

export function isPdf(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-'
}

/** A file name that does not identify the customer. */
export function fileName(place: number, type: string): string {
  const ending = endings[type]
  return `ordine${place > 1 ? `-${place}` : ''}${ending === undefined ? '' : `.${ending}`}`
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
