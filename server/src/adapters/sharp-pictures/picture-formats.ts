/** The formats that are read, in the words of the library that reads them. */
export type ReadFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'heif'

const LONGEST_SIDE = 12_000

/** Brands of ISO files that hold AVIF or HEIF pictures. */
const BRANDS = new Set(['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'mif1', 'msf1'])

/**
 * The format by the first bytes, whatever name or type came with them. Asked before any library looks at
 * the rest: those that read SVG, PDF and what else there is are never reached.
 */
export function readFormat(bytes: Uint8Array): ReadFormat | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  if (text(0, 3) === '\xff\xd8\xff') return 'jpeg'
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return 'gif'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp'
  if (text(4, 8) === 'ftyp' && BRANDS.has(text(8, 12))) return 'heif'
  return undefined
}

/**
 * Pixels of a picture. A photograph is made smaller while it is read; of the other formats a few kilobytes
 * can take twenty bytes of memory a pixel.
 */
export function mostPixels(format: ReadFormat): number {
  return format === 'jpeg' ? 40_000_000 : 16_000_000
}

export function isTooWide(
  format: ReadFormat,
  { width, height }: { width: number; height: number },
): boolean {
  return Math.max(width, height) > LONGEST_SIDE || width * height > mostPixels(format)
}
