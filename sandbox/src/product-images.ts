import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parseMinsan } from '@bancone/contract/minsan'
import { z } from 'zod'
import { type ListenOptions, listen } from './listening.ts'
import { renderPack } from './product-images/pack.ts'
import { products } from './products.ts'

/**
 * The behaviour of GET requests, and with `everything` of HEAD requests too: `page` is HTML instead of a
 * picture, `oversized` has 10 MB.
 */
export const PictureFailure = z.object({
  mode: z.enum(['ok', 'status', 'silent', 'slow', 'page', 'oversized', 'redirect', 'hang-up']),
  everything: z.boolean().default(false),
  status: z.number().int().min(400).max(599).default(500),
  delayMs: z.number().int().min(0).default(3_000),
  location: z.string().default('http://169.254.169.254/latest/meta-data/'),
})
export type PictureFailure = z.input<typeof PictureFailure>

export type ProductImagesSandbox = {
  /** The URL template of its pictures, with `{minsan}` for the code. */
  template: string
  /** Methods and codes of the latest 100 requests. */
  requests: readonly string[]
  /** Adds a picture for that code: the given one, or a generated one. */
  add(minsan: string, picture?: Uint8Array): void
  fail(failure: PictureFailure): void
  close(): Promise<void>
}

const MAX_REMEMBERED = 100

/** A stand-in for a provider of product pictures by code. */
export async function startProductImages(place: ListenOptions = {}): Promise<ProductImagesSandbox> {
  const pictures = new Map(products.flatMap(({ name, minsan }) => packOf(name, minsan)))
  const requests: string[] = []
  let failure = PictureFailure.parse({ mode: 'ok' })

  async function answer(request: IncomingMessage, response: ServerResponse, minsan: string) {
    requests.push(`${request.method} ${minsan}`)
    if (requests.length > MAX_REMEMBERED) requests.shift()
    const isFailing = request.method === 'GET' || failure.everything
    const { mode, delayMs } = failure
    if (isFailing && mode === 'silent') return undefined
    if (isFailing && mode === 'slow') await pause(delayMs, undefined, { ref: false })
    else if (isFailing && mode !== 'ok') return misbehave(request, response, failure)
    const picture = pictures.get(minsan)
    if (!picture) return send(response, 404, 'text/plain', 'no such picture')
    return send(response, 200, 'image/png', request.method === 'GET' ? await picture() : '')
  }

  const server = createServer((request, response) => {
    const [, minsan] = /^\/images\/(\d{9})\.png$/.exec(request.url ?? '') ?? []
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    if (minsan === undefined || !isReading) return send(response, 404, 'text/plain', 'not here')
    answer(request, response, minsan).catch((error: unknown) => response.destroy(asError(error)))
  })
  const { origin, close } = await listen(server, place)

  return {
    template: `${origin}/images/{minsan}.png`,
    requests,
    add(minsan, picture) {
      pictures.set(minsan, async () => picture ?? renderPack('Prodotto', minsan))
    },
    fail(next) {
      failure = PictureFailure.parse(next)
    },
    close,
  }
}

type Picture = () => Promise<Uint8Array>

function packOf(name: string, typed: string): [string, Picture][] {
  const read = parseMinsan(typed)
  if (!read || read.check === 'wrong') return []
  return [[read.code, () => renderPack(name, read.code)]]
}

function misbehave(
  request: IncomingMessage,
  response: ServerResponse,
  { mode, status, location }: z.output<typeof PictureFailure>,
): void {
  if (mode === 'hang-up') request.socket.destroy()
  else if (mode === 'redirect') response.writeHead(302, { location }).end()
  else if (mode === 'oversized') send(response, 200, 'image/png', Buffer.alloc(10_000_000))
  else if (mode === 'page') send(response, 200, 'text/html', '<p>Pagina non trovata</p>')
  else send(response, status, 'text/plain', 'told to fail')
}

function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string | Uint8Array,
): void {
  response.writeHead(status, { 'content-type': contentType }).end(body)
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
