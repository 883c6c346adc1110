import type { FileHandle } from 'node:fs/promises'

/** The type of unknown content. */
export const UNKNOWN_TYPE = 'application/octet-stream'

const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/** Types that a file signature (magic bytes) identifies. */
const SIGNED = /^(image|audio|video|font)\/|^application\/(pdf|zip|gzip|x-7z-compressed|vnd\.rar)$/

/** Markup that a browser would render, whatever type is claimed. */
const MARKUP =
  /<(!doctype|!--|\?xml|html|head|body|script|iframe|svg|style|title|meta|link|object|embed|img|table|div|span|form|h1|p|br|a|b)[\s/>]?/i

/** Bytes that are examined. */
const SAMPLE_BYTES = 64 * 1024

/** Type and subtype in lower case; undefined when it is not a media type. */
export function mediaTypeOf(text: string): string | undefined {
  const [type = ''] = text.split(';', 1)
  const name = type.trim().toLowerCase()
  return TYPE.test(name) ? name : undefined
}

/** The stored form of a type: with its charset, if it has one. */
export function storedContentType(text: string | undefined): string {
  const type = mediaTypeOf(text ?? '')
  if (!type) return UNKNOWN_TYPE
  const [, charset] = /;\s*charset="?([\w.:-]{1,40})"?\s*(?:;|$)/i.exec(text ?? '') ?? []
  return charset ? `${type};charset=${charset}` : type
}

/**
 * The content type of a file by its content, where that identifies it. A claimed image whose content is markup
 * is stored as markup, and as `application/octet-stream` when it is neither.
 */
export async function detectContentType(claimed: string, sample: Uint8Array): Promise<string> {
  const type = mediaTypeOf(claimed) ?? UNKNOWN_TYPE
  if (!SIGNED.test(type) || isMarkup(type)) return claimed
  // Loaded at the first upload: the package is large.
  const { fileTypeFromBuffer, supportedMimeTypes } = await import('file-type')
  const found = await fileTypeFromBuffer(sample).catch(() => undefined)
  if (found && !isMarkup(found.mime)) return isSame(type, found.mime) ? claimed : found.mime
  if (found || looksLikeMarkup(sample)) return markupType(sample)
  return new Set<string>(supportedMimeTypes).has(type) ? UNKNOWN_TYPE : claimed
}

/** The content type by the file signature alone; `application/octet-stream` for content without one. */
export async function signatureType(sample: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(sample).catch(() => undefined)
  return found?.mime ?? UNKNOWN_TYPE
}

export async function readSample(file: FileHandle): Promise<Uint8Array> {
  const sample = Buffer.alloc(SAMPLE_BYTES)
  const { bytesRead } = await file.read(sample, 0, SAMPLE_BYTES, 0)
  return sample.subarray(0, bytesRead)
}

/** Whether a bucket allows the type: an exact one, a family such as `image/*`, or any. */
export function isAllowed(type: string, allowed: readonly string[] | null): boolean {
  if (!allowed || allowed.length === 0) return true
  const name = mediaTypeOf(type) ?? UNKNOWN_TYPE
  const [family = ''] = name.split('/')
  return allowed.some((one) => {
    const wanted = one.trim().toLowerCase()
    return ['*', '*/*', `${family}/*`].includes(wanted) || mediaTypeOf(wanted) === name
  })
}

/** Aliases of one type, and types that the signature does not tell apart. */
const aliases: readonly (readonly string[])[] = [
  ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
  ['image/x-icon', 'image/vnd.microsoft.icon'],
  ['image/png', 'image/apng'],
  ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
  ['audio/mp4', 'audio/x-m4a', 'video/mp4', 'audio/aac', 'video/x-m4v'],
  ['audio/ogg', 'audio/opus', 'video/ogg', 'audio/ogg; codecs=opus', 'application/ogg'],
  ['audio/webm', 'video/webm', 'audio/x-matroska', 'video/x-matroska', 'video/matroska'],
  ['application/gzip', 'application/x-gzip'],
  ['video/x-msvideo', 'video/avi', 'video/vnd.avi'],
]

function isSame(claimed: string, found: string): boolean {
  return claimed === found || aliases.some((each) => each.includes(claimed) && each.includes(found))
}

function isMarkup(type: string): boolean {
  return /[/+]xml$/.test(type) || type === 'text/html'
}

function looksLikeMarkup(sample: Uint8Array): boolean {
  return MARKUP.test(textOf(sample).slice(0, 4096))
}

function markupType(sample: Uint8Array): string {
  const text = textOf(sample)
  if (/<html|<!doctype html|<script|<body/i.test(text)) return 'text/html'
  if (/<svg[\s>]/i.test(text)) return 'image/svg+xml'
  return text.trimStart().startsWith('<?xml') ? 'application/xml' : 'text/html'
}

/** Without null bytes, markup in UTF-16 is detected too. */
function textOf(sample: Uint8Array): string {
  return Buffer.from(sample).toString('latin1').replaceAll('\0', '')
}

/** In the protocol a megabyte is 10⁶ bytes, and a mebibyte is 1024² bytes. */
const units: Record<string, number> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
}

/** The bytes of `20MB`, or of a number; undefined when it is not a size. */
export function fileSize(value: number | string): number | undefined {
  const [, number = '', unit = ''] =
    /^\s*(\d{1,15}(?:\.\d{1,6})?)\s*([a-z]{0,3})\s*$/i.exec(String(value)) ?? []
  const bytes = Math.floor(Number(number) * (units[unit.toLowerCase()] ?? Number.NaN))
  return number !== '' && Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined
}
