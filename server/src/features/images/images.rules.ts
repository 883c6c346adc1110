import type { ErrorCode } from '@bancone/contract/errors'
import type { ServedFormat } from '../../ports/image-host.ts'
import type { PictureReason } from '../../ports/picture-maker.ts'

/** What is kept of every picture: what a screen of twice the pixels can show, and no more. */
export const KEPT_SIDE = 2_000
export const KEPT_QUALITY = 90

/** What those are told whose picture is none. */
export const refusals = {
  not_a_picture: 'images.not_a_picture',
  too_wide: 'images.too_wide',
  unreadable: 'images.unreadable',
} as const satisfies Record<PictureReason, ErrorCode>

/** @param owner a pharmacy's id; null for the archive of products */
export function publicIdOf(owner: string | null, ms: number): string {
  return `${owner ?? 'archive'}_${ms}`
}

/** The address of a picture that we serve ourselves, without the name of a variant. */
export function pathOf(publicId: string, version: string): string {
  return `/images/${publicId}/${version}`
}

/**
 * The format for who sends that `Accept`. Only what is named counts for AVIF and WebP: who takes anything
 * may be a program that knows neither, as those are that show a link's picture in a chat.
 */
export function servedFormat(accept = ''): ServedFormat {
  const wishes = new Map(accept.split(',').map(readWish))
  const jpeg = wishes.get('image/jpeg') ?? wishes.get('image/*') ?? wishes.get('*/*') ?? 0
  const avif = wishes.get('image/avif') ?? 0
  const webp = wishes.get('image/webp') ?? 0
  // Of what is as welcome, the smallest.
  if (avif > 0 && avif >= webp && avif >= jpeg) return 'avif'
  return webp > 0 && webp >= jpeg ? 'webp' : 'jpeg'
}

/** A type, and how welcome it is, from 0 to 1; what cannot be read is not. */
function readWish(text: string): [type: string, quality: number] {
  const [type = '', ...parameters] = text.toLowerCase().split(';')
  const given = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='))
  if (given === undefined) return [type.trim(), 1]
  return [type.trim(), /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given.slice(2)) : 0]
}
