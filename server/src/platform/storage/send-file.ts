import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ByteRange, FileStore } from '../../ports/file-store.ts'
import { matchesEtag } from '../browser-call.ts'
import { mediaTypeOf, UNKNOWN_TYPE } from './content-types.ts'
import { baseName } from './names.ts'
import { StorageError } from './storage-error.ts'

/** The byte range of a header: from a start, from a start to an end, or the last bytes. */
type RequestedRange = { start: number; end: number | undefined } | { last: number }

/** Undefined for several ranges and for an invalid header: the whole file is sent then. */
export function parseRange(header: string | undefined): RequestedRange | undefined {
  const [, start = '', end = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? []
  if (start !== '') {
    const range = { start: Number(start), end: end === '' ? undefined : Number(end) }
    return range.end !== undefined && range.end < range.start ? undefined : range
  }
  return end === '' ? undefined : { last: Number(end) }
}

/** The range within a file of that size; undefined when it is not satisfiable. */
export function resolveRange(wanted: RequestedRange, bytes: number): ByteRange | undefined {
  if ('last' in wanted) {
    if (wanted.last === 0 || bytes === 0) return undefined
    return { start: Math.max(0, bytes - wanted.last), end: bytes - 1 }
  }
  if (wanted.start >= bytes) return undefined
  return { start: wanted.start, end: Math.min(wanted.end ?? bytes - 1, bytes - 1) }
}

/** Whether the file is unchanged since then, to the second, the precision of HTTP dates. */
export function isNotModifiedSince(header: string, changed: string): boolean {
  return wholeSeconds(Date.parse(header)) >= wholeSeconds(Date.parse(changed))
}

function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

/** A file to send: an object or a rendition. */
export type Sendable = {
  name: string
  file_key: string
  /** In bytes; when absent, it is read from the file. */
  size?: number
  content_type: string
  cache_control: string
  content_encoding: string | null
  etag: string
  /** ISO 8601. */
  updated_at: string
}

/** Options of a response, besides the properties of the file. */
export type SendOptions = {
  /** Whether the file is public, or for the caller alone. */
  isPublic: boolean
  headers?: Record<string, string>
}

type Files = Pick<FileStore, 'open'>

/** Types that browsers may show inline. All others, such as pages, scripts and unknown types, are downloads. */
const INLINE_TYPES =
  /^(image\/(png|apng|jpeg|jpg|pjpeg|gif|webp|avif|bmp|tiff|hei[cf](-sequence)?|x-icon|vnd\.microsoft\.icon)|(audio|video)\/[\w.-]+|application\/(pdf|json)|text\/(plain|csv))$/

/** Sent as text, because they would run in pages of our own origin. */
const SCRIPT = /^(text|application)\/(x-)?(java|ecma|j|live)script[\d.]*$/

const Query = z.object({ download: z.string().optional() }).catch({})

/**
 * Sends a file, a range of it, or 304 (RFC 9110). The headers keep browsers from executing any of it. The
 * response is sent without awaiting its end.
 *
 * @returns false when the file does not exist; nothing is sent then
 * @throws StorageError `InvalidRange`
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Sendable,
  files: Files,
  options: SendOptions,
): Promise<boolean> {
  if (isNotModified(request, file)) {
    reply
      .headers(headersOf(request, reply, file, options))
      .code(304)
      .send()
    return true
  }
  const part = await openPart(request, file, files)
  if (!part) return false
  const { stream, range, bytes } = part
  const type = SCRIPT.test(plainType(file)) ? 'text/plain;charset=utf-8' : file.content_type
  reply
    .headers(headersOf(request, reply, file, options))
    .type(type)
    .header('Content-Length', range ? range.end - range.start + 1 : bytes)
  if (range) {
    reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`)
  }
  reply.send(stream)
  return true
}

type Part = { stream: Readable; bytes: number; range: ByteRange | undefined }

async function openPart(
  request: FastifyRequest,
  file: Sendable,
  files: Files,
): Promise<Part | undefined> {
  const isHead = request.method === 'HEAD'
  const wanted =
    isHead || failsIfRange(request, file) ? undefined : parseRange(request.headers.range)
  if (!isHead && !wanted) return openWhole(file, files)
  const bytes = file.size ?? (await sizeOf(file, files))
  if (bytes === undefined) return undefined
  // Fastify sends no body for HEAD, but sets a content length unless it is a stream.
  if (!wanted) return { bytes, stream: Readable.from([]), range: undefined }
  const range = resolveRange(wanted, bytes)
  if (!range) {
    throw new StorageError('InvalidRange', { headers: { 'Content-Range': `bytes */${bytes}` } })
  }
  const opened = await files.open(file.file_key, range)
  return opened && { stream: opened.stream, bytes, range }
}

async function openWhole(file: Sendable, files: Files): Promise<Part | undefined> {
  const opened = await files.open(file.file_key)
  return opened && { ...opened, range: undefined }
}

async function sizeOf(file: Sendable, files: Files): Promise<number | undefined> {
  const opened = await files.open(file.file_key)
  opened?.stream.destroy()
  return opened?.bytes
}

function isNotModified({ headers }: FastifyRequest, file: Sendable): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return matchesEtag(tags, file.etag)
  const since = headers['if-modified-since']
  return since !== undefined && isNotModifiedSince(since, file.updated_at)
}

/** Whether `If-Range` names another content than the current one. */
function failsIfRange({ headers }: FastifyRequest, file: Sendable): boolean {
  const condition = z.string().optional().catch('').parse(headers['if-range'])
  if (condition === undefined) return false
  // A date does not suffice: two contents can be of the same second.
  return condition !== file.etag
}

function headersOf(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Sendable,
  { isPublic, headers = {} }: SendOptions,
): Record<string, string> {
  const vary = reply.getHeader('vary')
  const { download } = Query.parse(request.query)
  const isShown = INLINE_TYPES.test(plainType(file)) && download === undefined
  const name = download === undefined || download === '' ? baseName(file.name) : download
  return {
    'Accept-Ranges': 'bytes',
    ETag: file.etag,
    'Last-Modified': new Date(file.updated_at).toUTCString(),
    'Cache-Control': cachingOf(file.cache_control, isPublic),
    ...(!isShown && { 'Content-Disposition': `attachment; ${fileNameOf(name)}` }),
    'Content-Security-Policy': policyOf(file),
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'none',
    ...(file.content_encoding !== null && { 'Content-Encoding': file.content_encoding }),
    // Pages of other origins may embed pictures of public buckets.
    ...(isPublic
      ? { 'Cross-Origin-Resource-Policy': 'cross-origin' }
      : { Vary: [vary, 'Authorization'].filter(Boolean).join(', ') }),
    ...headers,
  }
}

function plainType(file: Sendable): string {
  return mediaTypeOf(file.content_type) ?? UNKNOWN_TYPE
}

/** Browsers do not show a PDF under the `sandbox` directive; their PDF viewer is sandboxed itself. */
function policyOf(file: Sendable): string {
  return plainType(file) === 'application/pdf'
    ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"
    : "default-src 'none'; sandbox"
}

/** Shared caches may not store private files. */
function cachingOf(wished: string, isPublic: boolean): string {
  if (/\bno-store\b/i.test(wished)) return 'no-store'
  const whose = isPublic ? 'public' : 'private'
  const [, seconds] = /\bmax-age=(\d{1,10})\b/i.exec(wished) ?? []
  if (seconds === undefined) return `${whose}, no-cache`
  const immutable = /\bimmutable\b/i.test(wished) ? ', immutable' : ''
  return `${whose}, max-age=${seconds}${immutable}`
}

/** Both forms of RFC 6266: an ASCII fallback, then the exact name. */
function fileNameOf(wished: string): string {
  const name = wished.slice(0, 200).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}/\\]/gu, '_')
  const plain = name.replaceAll(/[^\x20-\x7e]|["%]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${plain}"; filename*=UTF-8''${exact}`
}
