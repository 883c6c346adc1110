import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { matchesEtag } from '../platform/browser-call.ts'

/** A text that is sent many times: compressed once, with an entity tag of its content. */
export type CompressedText = {
  /** Entity tag of all encodings: they decode to the same text. */
  tag: string
  br: Buffer
  gzip: Buffer
}

type Encoding = 'br' | 'gzip' | 'identity'

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

/** @param accepted the `Accept-Encoding` header */
export function encodingFor(accepted = ''): Encoding {
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

/**
 * Sends the text in the encoding that the client prefers. When the answer is 200 it has an entity tag, and is 304 to a
 * client that has the text.
 */
export function sendCompressed(reply: FastifyReply, type: string, text: CompressedText) {
  const { headers } = reply.request
  reply.header('Vary', 'Accept-Encoding')
  if (reply.statusCode === 200) {
    reply.header('ETag', `W/${text.tag}`)
    if (matchesEtag(headers['if-none-match'], text.tag)) return reply.code(304).send()
  }
  const encoding = encodingFor(headers['accept-encoding']?.toString())
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
  // Few clients take no encoding: for them the text is decompressed each time.
  const bytes = encoding === 'identity' ? gunzipSync(text.gzip) : text[encoding]
  return reply.type(`${type}; charset=utf-8`).send(bytes)
}
