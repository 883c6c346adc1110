import type { FileHandle } from 'node:fs/promises'

/** What is not known to be anything. */
export const UNKNOWN_TYPE = 'application/octet-stream'

const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/** What claims to be one of these has it written at its beginning. */
const SIGNED = /^(image|audio|video|font)\/|^application\/(pdf|zip|gzip|x-7z-compressed|vnd\.rar)$/

/** Text that a browser would follow, whatever else it is said to be. */
const MARKUP =
  /<(!doctype|!--|\?xml|html|head|body|script|iframe|svg|style|title|meta|link|object|embed|img|table|div|span|form|h1|p|br|a|b)[\s/>]?/i

/** Bytes that are looked at. */
const SAMPLE_BYTES = 64 * 1024

/** Type and subtype in lower case; undefined when it is none. */
export function typeOf(text: string): string | undefined {
  const [type = ''] = text.split(';', 1)
  const name = type.trim().toLowerCase()
  return TYPE.test(name) ? name : undefined
}

/** A type as it is kept: with its character set, if it names one. */
export function keptType(text: string | undefined): string {
  const type = typeOf(text ?? '')
  if (!type) return UNKNOWN_TYPE
  const [, charset] = /;\s*charset="?([\w.:-]{1,40})"?\s*(?:;|$)/i.exec(text ?? '') ?? []
  return charset ? `${type};charset=${charset}` : type
}

/**
 * The type of a file by its content, where that can say so: what claims to be a picture and is a page is
 * kept as a page, and as bytes when it is neither.
 */
export async function trueType(claimed: string, sample: Uint8Array): Promise<string> {
  const type = typeOf(claimed) ?? UNKNOWN_TYPE
  if (!SIGNED.test(type) || isMarkup(type)) return claimed
  // Large, and not needed before somebody sends a file.
  const { fileTypeFromBuffer, supportedMimeTypes } = await import('file-type')
  const found = await fileTypeFromBuffer(sample).catch(() => undefined)
  if (found && !isMarkup(found.mime)) return isSame(type, found.mime) ? claimed : found.mime
  if (found || looksLikeMarkup(sample)) return markupType(sample)
  return new Set<string>(supportedMimeTypes).has(type) ? UNKNOWN_TYPE : claimed
}

export async function readSample(file: FileHandle): Promise<Uint8Array> {
  const sample = Buffer.alloc(SAMPLE_BYTES)
  const { bytesRead } = await file.read(sample, 0, SAMPLE_BYTES, 0)
  return sample.subarray(0, bytesRead)
}

/** Whether a bucket takes it: `image/png`, `image/*`, or anything. */
export function isAllowed(type: string, allowed: readonly string[] | null): boolean {
  if (!allowed || allowed.length === 0) return true
  const name = typeOf(type) ?? UNKNOWN_TYPE
  const [family = ''] = name.split('/')
  return allowed.some((one) => {
    const wanted = one.trim().toLowerCase()
    return ['*', '*/*', `${family}/*`].includes(wanted) || typeOf(wanted) === name
  })
}

/** Other names of one thing, and what one kind of file is called by what is in it. */
const alike: readonly (readonly string[])[] = [
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
  return claimed === found || alike.some((each) => each.includes(claimed) && each.includes(found))
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

/** In two bytes a character it would be a page as well. */
function textOf(sample: Uint8Array): string {
  return Buffer.from(sample).toString('latin1').replaceAll('\0', '')
}
