import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ByteRange, FileStore } from '../../ports/file-store.ts'
import { typeOf, UNKNOWN_TYPE } from './content-types.ts'
import { lastName } from './names.ts'
import { isUnchangedSince, namesTag, parseRange, rangeOf } from './ranges.ts'
import { StorageError } from './storage-error.ts'

/** A file that is sent: an object, or what was drawn from one. */
export type Sendable = {
  name: string
  file_key: string
  /** Bytes; where that is not known the file is asked. */
  size?: number
  content_type: string
  cache_control: string
  content_encoding: string | null
  etag: string
  /** ISO 8601. */
  updated_at: string
}

/** How it is sent, besides what the object itself says. */
export type Sending = {
  /** Whether it is anybody's, or for the caller alone. */
  isPublic: boolean
  headers?: Record<string, string>
}

type Files = Pick<FileStore, 'open'>

/** What a browser may show. All else it may only save: pages, scripts and what we do not know. */
const SHOWN =
  /^(image\/(png|apng|jpeg|jpg|pjpeg|gif|webp|avif|bmp|tiff|hei[cf](-sequence)?|x-icon|vnd\.microsoft\.icon)|(audio|video)\/[\w.-]+|application\/(pdf|json)|text\/(plain|csv))$/

/** From our own origin they would run in a page of ours; as text they do not. */
const SCRIPT = /^(text|application)\/(x-)?(java|ecma|j|live)script[\d.]*$/

const Query = z.object({ download: z.string().optional() }).catch({})

/**
 * Sends a file, or the part of it that is asked for, or nothing when it is known already (RFC 9110). In a
 * browser none of it can do anything but be looked at. What is sent must not be waited for.
 *
 * @returns false when the file is not there, and nothing is sent
 * @throws StorageError `InvalidRange`
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Sendable,
  files: Files,
  sending: Sending,
): Promise<boolean> {
  if (isKnown(request, file)) {
    reply
      .headers(headersOf(request, reply, file, sending))
      .code(304)
      .send()
    return true
  }
  const part = await openPart(request, file, files)
  if (!part) return false
  const { stream, range, bytes } = part
  const type = SCRIPT.test(plainType(file)) ? 'text/plain;charset=utf-8' : file.content_type
  reply
    .headers(headersOf(request, reply, file, sending))
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
  const wanted = isHead || isOutdated(request, file) ? undefined : parseRange(request.headers.range)
  if (!isHead && !wanted) return wholeOf(file, files)
  const bytes = file.size ?? (await sizeOf(file, files))
  if (bytes === undefined) return undefined
  // Fastify sends none of it then, but would count it unless it is a stream.
  if (!wanted) return { bytes, stream: Readable.from([]), range: undefined }
  const range = rangeOf(wanted, bytes)
  if (!range) {
    throw new StorageError('InvalidRange', { headers: { 'Content-Range': `bytes */${bytes}` } })
  }
  const opened = await files.open(file.file_key, range)
  return opened && { stream: opened.stream, bytes, range }
}

async function wholeOf(file: Sendable, files: Files): Promise<Part | undefined> {
  const opened = await files.open(file.file_key)
  return opened && { ...opened, range: undefined }
}

async function sizeOf(file: Sendable, files: Files): Promise<number | undefined> {
  const opened = await files.open(file.file_key)
  opened?.stream.destroy()
  return opened?.bytes
}

function isKnown({ headers }: FastifyRequest, file: Sendable): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return namesTag(tags, file.etag)
  const since = headers['if-modified-since']
  return since !== undefined && isUnchangedSince(since, file.updated_at)
}

/** Whether the part is of another content, of which who asks has the beginning. */
function isOutdated({ headers }: FastifyRequest, file: Sendable): boolean {
  const condition = z.string().optional().catch('').parse(headers['if-range'])
  if (condition === undefined) return false
  // A time is no proof: two contents can be of one second.
  return condition !== file.etag
}

function headersOf(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Sendable,
  { isPublic, headers = {} }: Sending,
): Record<string, string> {
  const vary = reply.getHeader('vary')
  const { download } = Query.parse(request.query)
  const isShown = SHOWN.test(plainType(file)) && download === undefined
  const name = download === undefined || download === '' ? lastName(file.name) : download
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
    // A picture of a public bucket may be in anybody's page.
    ...(isPublic
      ? { 'Cross-Origin-Resource-Policy': 'cross-origin' }
      : { Vary: [vary, 'Authorization'].filter(Boolean).join(', ') }),
    ...headers,
  }
}

function plainType(file: Sendable): string {
  return typeOf(file.content_type) ?? UNKNOWN_TYPE
}

/** Browsers do not show a PDF in a sandbox; they show it in one of their own. */
function policyOf(file: Sendable): string {
  return plainType(file) === 'application/pdf'
    ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"
    : "default-src 'none'; sandbox"
}

/** What is not public is kept by nobody but the browser it was sent to. */
function cachingOf(wished: string, isPublic: boolean): string {
  if (/\bno-store\b/i.test(wished)) return 'no-store'
  const whose = isPublic ? 'public' : 'private'
  const [, seconds] = /\bmax-age=(\d{1,10})\b/i.exec(wished) ?? []
  if (seconds === undefined) return `${whose}, no-cache`
  const immutable = /\bimmutable\b/i.test(wished) ? ', immutable' : ''
  return `${whose}, max-age=${seconds}${immutable}`
}

/** As every browser takes it (RFC 6266): plain letters first, and then what it really is. */
function fileNameOf(wished: string): string {
  const name = wished.slice(0, 200).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}/\\]/gu, '_')
  const plain = name.replaceAll(/[^\x20-\x7e]|["%]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${plain}"; filename*=UTF-8''${exact}`
}
