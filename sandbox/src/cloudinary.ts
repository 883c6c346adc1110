import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { authenticate, type Preset } from './cloudinary/authentication.ts'
import { readForm } from './cloudinary/form.ts'
import { createLibrary, type Upload } from './cloudinary/library.ts'
import { Refusal } from './cloudinary/refusal.ts'
import { createFailureQueue } from './failure-queue.ts'
import { type ListenOptions, listen } from './listening.ts'

/**
 * The behaviour of the next `times` requests, or of all. A `lost-reply` is executed and not answered;
 * `truncated` breaks off in the middle of the response.
 */
const Failure = z.object({
  mode: z.enum([
    'ok',
    'refuse',
    'slow',
    'hang-up',
    'lost-reply',
    'truncated',
    'malformed',
    'oversized',
  ]),
  /** For `refuse`: 420 and 429 for rate limits, 500, … */
  status: z.number().int().min(400).max(599).default(500),
  /** For `slow`. */
  delayMs: z.number().int().min(0).default(30_000),
  times: z.number().int().min(1).optional(),
})
type Failure = z.input<typeof Failure>

export type CloudinaryOptions = ListenOptions & {
  presets?: Record<string, Preset>
  now?: () => number
}

export type CloudinarySandbox = {
  /** The base URL of the API, without `/v1_1`, and of the delivery, without the cloud name. */
  url: string
  cloud: string
  key: string
  secret: string
  /** The accepted uploads, in order. */
  uploads: Upload[]
  /** The number of rendered transformations. */
  drawn(): number
  /** Whether no picture or derivative is left. */
  isEmpty(): boolean
  requests(): number
  fail(failure: Failure): void
  close(): Promise<void>
}

const UPLOAD = /^\/v1_1\/([^/]+)\/image\/(upload|destroy)$/
const DELIVERY = /^\/([^/]+)\/image\/upload\/(.+)$/

/**
 * A stand-in for Cloudinary over HTTP: the upload API with its signatures and errors, and the delivery of
 * pictures with real transformations.
 */
export async function startCloudinary(options: CloudinaryOptions = {}): Promise<CloudinarySandbox> {
  const { presets = {}, now = Date.now } = options
  const account = { cloud: 'farmacia', key: '123456789012345', secret: 'abcDEF-sandbox_secret' }
  const failures = createFailureQueue(Failure, { mode: 'ok' })
  let url = ''
  let requests = 0
  const library = createLibrary({ base: () => `${url}/${account.cloud}`, presets, now })

  async function api(request: IncomingMessage, cloud: string, action: string): Promise<object> {
    const form = await readForm(request)
    if (cloud !== account.cloud) throw new Refusal(401, `Invalid cloud_name ${cloud}`)
    authenticate(form.fields, { ...account, presets, now })
    if (action === 'upload') return library.upload(form)
    return library.destroy(form.fields)
  }

  async function route(request: IncomingMessage): Promise<Answer> {
    const { pathname } = new URL(request.url ?? '/', 'http://sandbox')
    const [, cloud = '', action = ''] = UPLOAD.exec(pathname) ?? []
    if (request.method === 'POST' && action) return json(200, await api(request, cloud, action))
    const [, served, path = ''] = DELIVERY.exec(pathname) ?? []
    if (/^(GET|HEAD)$/.test(request.method ?? '') && served === account.cloud) {
      const { bytes, contentType } = await library.deliver(path, request.headers.accept ?? '')
      const cacheControl = 'public, no-transform, immutable, max-age=2592000'
      const headers = { 'content-type': contentType, 'cache-control': cacheControl, vary: 'Accept' }
      return { status: 200, headers, body: bytes }
    }
    throw new Refusal(404, 'Not found')
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    requests += 1
    const failure = failures.next()
    if (failure.mode === 'slow') await pause(failure.delayMs, undefined, { ref: false })
    if (failure.mode === 'hang-up') return request.socket.destroy()
    const { status, headers, body } =
      failure.mode === 'refuse'
        ? await refused(request, failure.status)
        : await route(request).catch(errorOf)
    if (failure.mode === 'lost-reply') return request.socket.destroy()
    const sent = failure.mode === 'malformed' ? Buffer.from('<html>Bad gateway</html>') : body
    response.writeHead(failure.mode === 'malformed' ? 200 : status, {
      ...headers,
      ...(failure.mode === 'malformed' && { 'content-type': 'text/html' }),
      'content-length': failure.mode === 'oversized' ? 40_000_000 : sent.byteLength,
    })
    if (request.method === 'HEAD') return response.end()
    if (failure.mode === 'oversized') return response.end(Buffer.alloc(40_000_000, ' '))
    if (failure.mode !== 'truncated') return response.end(sent)
    return response.write(sent.subarray(0, sent.byteLength / 2), () => response.socket?.end())
  }

  const server = createServer((request, response) => void answer(request, response))
  const { origin, close } = await listen(server, options)
  url = origin

  return {
    url,
    ...account,
    uploads: library.uploads,
    drawn: library.drawn,
    isEmpty: library.isEmpty,
    requests: () => requests,
    fail: failures.set,
    close,
  }
}

type Answer = { status: number; headers: Record<string, string>; body: Buffer }

function json(status: number, value: object): Answer {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return { status, headers, body: Buffer.from(JSON.stringify(value)) }
}

function errorOf(error: unknown): Answer {
  const { status, message } = error instanceof Refusal ? error : new Refusal(500, String(error))
  const answer = json(status, { error: { message } })
  return { ...answer, headers: { ...answer.headers, 'x-cld-error': encodeURI(message) } }
}

/**
 * Reads the body to its end: a client that is still sending would see a broken connection instead of the
 * response.
 */
async function refused(request: IncomingMessage, status: number): Promise<Answer> {
  await buffer(request)
  return errorOf(new Refusal(status, 'told to refuse'))
}
