import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { matchesEtag } from '../platform/entity-tags.ts'

/** A text that is sent many times: compressed once, with an entity tag of its content. */
export type CompressedText = {
  /** Entity tag of all encodings: they decode to the same text. */
  tag: string
  br: Buffer
  gzip: Buffer
}

export type Encoding = 'br' | 'gzip' | 'identity'

/** Level 9 compresses no better and takes eight times as long, while a client waits. */
const BROTLI_QUALITY = 7
/** Window size as a power of two: a page is no larger, and every compression allocates as much memory. */
const BROTLI_WINDOW = 18

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

export async function compressText(text: string): Promise<CompressedText> {
  const bytes = Buffer.from(text)
  const [br, gz] = await Promise.all([
    toBrotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
    toGzip(bytes, { level: 9 }),
  ])
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { tag, br, gzip: gz }
}

/** Bytes of cached uncompressed texts, which few clients need: they are decompressed on demand. */
const PLAIN_BYTES = 4 * 1024 * 1024

const plain = new LRUCache<string, Buffer>({
  maxSize: PLAIN_BYTES,
  sizeCalculation: ({ byteLength }) => byteLength + 100,
})

export function bytesOf(text: CompressedText, encoding: Encoding): Buffer {
  if (encoding !== 'identity') return text[encoding]
  const known = plain.get(text.tag)
  if (known) return known
  const bytes = gunzipSync(text.gzip)
  plain.set(text.tag, bytes)
  return bytes
}

/** Parsed `Accept-Encoding` headers; there are about as many as kinds of browsers. */
const encodings = new LRUCache<string, Encoding>({ max: 200 })

/** @param accepted the `Accept-Encoding` header */
export function encodingFor(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity'
  const known = encodings.get(accepted)
  if (known) return known
  const encoding = preferred(accepted)
  if (accepted.length <= 500) encodings.set(accepted, encoding)
  return encoding
}

function preferred(accepted: string): Encoding {
  const weights = new Map(
    accepted.split(',').map((one) => {
      const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
  const takes = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0
  if (takes('br')) return 'br'
  return takes('gzip') ? 'gzip' : 'identity'
}

/** Sends the text in the encoding that the client prefers, or says that it has it. */
export function sendCompressed(reply: FastifyReply, type: string, text: CompressedText) {
  const { headers } = reply.request
  reply.header('Vary', 'Accept-Encoding').header('ETag', `W/${text.tag}`)
  if (matchesEtag(headers['if-none-match'], text.tag)) return reply.code(304).send()
  const encoding = encodingFor(headers['accept-encoding']?.toString())
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
  return reply.type(`${type}; charset=utf-8`).send(bytesOf(text, encoding))
}
