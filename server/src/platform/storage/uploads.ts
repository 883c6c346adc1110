import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { createBoundedQueue } from '../bounded-queue.ts'
import { detectContentType, readSample, storedContentType } from './content-types.ts'
import type { ObjectLocation } from './names.ts'
import { MAX_METADATA, Metadata } from './object-json.ts'
import type { NewContent } from './objects.store.ts'
import type { Principal } from './principals.ts'
import { StorageError } from './storage-error.ts'

/** Concurrent uploads per key. The bodies of waiting uploads are not read. */
const CONCURRENCY = 6

/** The longest wait in milliseconds. Idle connections break after longer ones. */
const MAX_WAIT_MS = 20_000

/** Runs an upload when its turn comes. @throws StorageError `SlowDown` when it has waited too long */
export type UploadQueue = <T>(queueKey: string, upload: () => Promise<T>) => Promise<T>

export const queueKeyOf = (principal: Principal) => principal.folder ?? principal.userId ?? ''

/** A signed URL has a queue of its own: its recipient cannot block the signer's uploads. */
export const queueKeyOfSignedUrl = (location: ObjectLocation) =>
  `link ${location.bucket}/${location.name}`

/** Limits the concurrent uploads per principal, because files in transfer do not count against a quota. */
export function createUploadQueue(maxWaitMs = MAX_WAIT_MS): UploadQueue {
  const inTurn = createBoundedQueue({ concurrency: CONCURRENCY })
  return (key, upload) => {
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(new StorageError('SlowDown')), maxWaitMs)
    const begin = () => {
      clearTimeout(timer)
      return upload()
    }
    return inTurn(begin, { key, signal: waiting.signal })
  }
}

/** The properties of an upload, besides the file. */
type Received = Omit<NewContent, 'owner' | 'file_key'>

/** Form fields besides the file. */
const MAX_FIELDS = 10

/** The maximum size of a form without its file, in bytes. */
const MAX_FORM = (MAX_FIELDS + 1) * (MAX_METADATA + 1024)

/** The accepted values of `Cache-Control`. */
const CACHING = /^[a-z-]{1,40}(=\d{1,10})?(, ?[a-z-]{1,40}(=\d{1,10})?){0,9}$/i

const ENCODINGS = new Set(['gzip', 'deflate', 'br', 'zstd'])

type Parts = {
  type: string | undefined
  caching: string | undefined
  metadata: string | undefined
  encoding: string | undefined
}

type Written = { size: number; etag: string }

/**
 * Writes an upload to a new file: the body itself, or the one file of a form. It is streamed, and reading stops
 * after `maxBytes`.
 *
 * @throws StorageError `EntityTooLarge`, `InvalidRequest`
 */
export async function receiveUpload(
  body: IncomingMessage,
  path: string,
  maxBytes: number,
): Promise<Received> {
  // The connection broke while the upload waited in the queue.
  if (isBroken(body)) throw new StorageError('InvalidRequest')
  const file = await open(path, 'wx+', 0o600)
  try {
    const { written, parts } = await (isForm(body) ? form : whole)(body, file, maxBytes)
    const { caching = '', encoding = '' } = parts
    const claimed = storedContentType(parts.type)
    // Compressed content cannot be examined; it is served with the claimed type, and never as a page.
    const isPacked = ENCODINGS.has(encoding)
    return {
      ...written,
      content_type: isPacked ? claimed : await detectContentType(claimed, await readSample(file)),
      cache_control: CACHING.test(caching) ? caching : 'no-cache',
      content_encoding: isPacked ? encoding : null,
      metadata: metadataOf(parts.metadata),
    }
  } catch (error) {
    // The client has disconnected: the response reaches no one.
    throw isBroken(body) ? new StorageError('InvalidRequest', { cause: error }) : error
  } finally {
    await file.close()
  }
}

/** The minimum size of the uploaded file; 0 when the length is not stated. */
export function minFileBytes(body: IncomingMessage): number {
  const bytes = Number(body.headers['content-length'] ?? 0)
  return isForm(body) ? Math.max(0, bytes - MAX_FORM) : bytes
}

function isForm({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')
}

/** Whether the body ended early, or was not read to its end. */
function isBroken(body: IncomingMessage): boolean {
  return body.destroyed && !body.readableEnded
}

async function whole(body: IncomingMessage, file: FileHandle, maxBytes: number) {
  const { headers } = body
  const parts: Parts = {
    type: headers['content-type'],
    caching: headers['cache-control'],
    metadata: fromBase64(z.string().optional().catch('').parse(headers['x-metadata'])),
    encoding: headers['content-encoding'],
  }
  // The connection stays open, so that the client receives the error.
  const pieces = body.iterator({ destroyOnReturn: false })
  return { parts, written: await write(pieces, file, maxBytes) }
}

async function form(body: IncomingMessage, file: FileHandle, maxBytes: number) {
  const { default: busboy } = await import('busboy')
  const parts: Parts = {
    type: undefined,
    caching: undefined,
    metadata: undefined,
    encoding: undefined,
  }
  const parser = parserOf(() =>
    busboy({
      headers: body.headers,
      limits: { files: 1, fields: MAX_FIELDS, parts: MAX_FIELDS + 1, fieldSize: MAX_METADATA },
    }),
  )
  let writing: Promise<Written> | undefined
  const parsed = new Promise<void>((resolve, reject) => {
    const refuse = (message: string) => reject(new StorageError('InvalidRequest', { message }))
    // The field's name is empty for the official clients, and arbitrary in other forms.
    parser.on('file', (_name, stream: Readable, { mimeType }) => {
      parts.type = mimeType
      writing = write(stream, file, maxBytes)
      writing.catch(reject)
    })
    parser.on('field', (name, value, { valueTruncated }) => {
      if (valueTruncated) return refuse('A field of the form is too long')
      if (name === 'cacheControl') parts.caching = cachingOf(value)
      if (name === 'metadata') parts.metadata = value
      if (name === 'contentEncoding') parts.encoding = value
      if (name === 'contentType') parts.type ??= value
    })
    parser.on('filesLimit', () => refuse('One file at a time'))
    parser.on('fieldsLimit', () => refuse('The form has too many fields'))
    parser.on('partsLimit', () => refuse('The form has too many parts'))
    parser.on('error', () => refuse('The form cannot be read'))
    parser.on('close', resolve)
    body.once('error', reject)
    body.once('close', () => {
      if (isBroken(body)) reject(new Error('the connection broke'))
    })
  })
  body.pipe(parser)
  try {
    await parsed
    if (!writing) throw new StorageError('InvalidRequest', { message: 'There is no file in it' })
    return { parts, written: await writing }
  } finally {
    body.unpipe(parser)
    parser.destroy()
    await writing?.catch(() => {})
  }
}

function parserOf<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw new StorageError('InvalidRequest', { message: 'The form cannot be read', cause: error })
  }
}

async function write(
  pieces: AsyncIterable<Uint8Array>,
  file: FileHandle,
  maxBytes: number,
): Promise<Written> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of pieces) {
    size += piece.byteLength
    if (size > maxBytes) throw new StorageError('EntityTooLarge')
    hash.update(piece)
    await file.writeFile(piece)
  }
  return { size, etag: `"${hash.digest('hex').slice(0, 32)}"` }
}

/** In a form it is a number of seconds. */
function cachingOf(value: string): string {
  return /^\d{1,10}$/.test(value) ? `max-age=${value}` : value
}

function fromBase64(text: string | undefined): string | undefined {
  return text === undefined ? undefined : Buffer.from(text, 'base64').toString()
}

function metadataOf(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined) return null
  const refused = (cause?: unknown) =>
    new StorageError('InvalidRequest', { message: 'The metadata is not valid', cause })
  if (Buffer.byteLength(text) > MAX_METADATA) throw refused()
  try {
    return Metadata.parse(JSON.parse(text))
  } catch (error) {
    throw refused(error)
  }
}
