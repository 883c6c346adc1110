/** What a picture may have: bytes on the way here, and pixels a side. */
export const MOST_BYTES = 10 * 1024 * 1024
export const LONGEST_SIDE = 12_000

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

/** The formats that are read, in the words of the library that reads them. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'heif'

/**
 * Pixels of a picture. A photograph is made smaller while it is read; of the other formats a few kilobytes
 * can take twenty bytes of memory a pixel.
 */
export function mostPixels(format: ImageFormat): number {
  return format === 'jpeg' ? 40_000_000 : 16_000_000
}

/** Brands of ISO files that hold AVIF or HEIF pictures. */
const BRANDS = new Set(['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'mif1', 'msf1'])

/**
 * The format by the first bytes, whatever name or type came with them. Asked before any library looks at
 * the rest: those that read SVG, PDF and what else there is are never reached.
 */
export function imageFormat(bytes: Uint8Array): ImageFormat | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  if (text(0, 3) === '\xff\xd8\xff') return 'jpeg'
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return 'gif'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp'
  if (text(4, 8) === 'ftyp' && BRANDS.has(text(8, 12))) return 'heif'
  return undefined
}

export function isTooWide(
  format: ImageFormat,
  { width, height }: { width: number; height: number },
): boolean {
  return Math.max(width, height) > LONGEST_SIDE || width * height > mostPixels(format)
}

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
