import type { ErrorCode } from '@bancone/contract/errors'
import type { ServedFormat } from '../../ports/image-host.ts'
import type { PictureRejection } from '../../ports/picture-renderer.ts'

/** Longest side of a stored picture, in pixels: enough for a screen of double density. */
export const MAX_STORED_SIDE = 2_000
export const STORED_QUALITY = 90

/** Errors for files that are no usable picture. */
export const refusals = {
  not_a_picture: 'images.not_a_picture',
  too_wide: 'images.too_wide',
  unreadable: 'images.unreadable',
} as const satisfies Record<PictureRejection, ErrorCode>

/** @param owner a pharmacy's id; null for the archive of products */
export function publicIdOf(owner: string | null, ms: number): string {
  return `${owner ?? 'archive'}_${ms}`
}

/** URL path of a picture that the application serves itself, without the variant. */
export function pathOf(publicId: string, version: string): string {
  return `/images/${publicId}/${version}`
}

/**
 * Chooses the format by the `Accept` header. AVIF and WebP must be named in it: programs that send only a wildcard,
 * such as the link previews of chats, may support neither.
 */
export function servedFormat(accept = ''): ServedFormat {
  const qualities = new Map(accept.split(',').map(parseAcceptEntry))
  const jpeg = qualities.get('image/jpeg') ?? qualities.get('image/*') ?? qualities.get('*/*') ?? 0
  const avif = qualities.get('image/avif') ?? 0
  const webp = qualities.get('image/webp') ?? 0
  // With equal quality values, the smallest format.
  if (avif > 0 && avif >= webp && avif >= jpeg) return 'avif'
  return webp > 0 && webp >= jpeg ? 'webp' : 'jpeg'
}

/** A media type and its quality from 0 to 1; 0 when it cannot be parsed. */
function parseAcceptEntry(text: string): [type: string, quality: number] {
  const [type = '', ...parameters] = text.toLowerCase().split(';')
  const given = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='))
  if (given === undefined) return [type.trim(), 1]
  return [type.trim(), /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given.slice(2)) : 0]
}
