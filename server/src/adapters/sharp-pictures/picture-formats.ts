/** The accepted input formats, by sharp's names. */
export type ReadFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'heif'

const MAX_SIDE = 12_000

/** The ISO base media brands of AVIF and HEIF pictures. */
const BRANDS = new Set(['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'mif1', 'msf1'])

/**
 * Detects the format by the first bytes, regardless of name and type. Called before any decoder, so that decoders of
 * other formats, such as SVG and PDF, are never reached.
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
 * The most pixels of a picture. JPEG is scaled down while it is decoded; a small file in another format can need twenty
 * bytes of memory per pixel.
 */
export function maxPixels(format: ReadFormat): number {
  return format === 'jpeg' ? 40_000_000 : 16_000_000
}

export function isTooWide(
  format: ReadFormat,
  { width, height }: { width: number; height: number },
): boolean {
  return Math.max(width, height) > MAX_SIDE || width * height > maxPixels(format)
}
