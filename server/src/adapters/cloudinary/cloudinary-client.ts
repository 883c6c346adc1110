import { wellFormedJson } from '@bancone/contract/well-formed-text'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { ImageHostError } from '../../ports/image-host.ts'
import { signatureOf } from './cloudinary-signature.ts'

export type CloudinaryOptions = {
  cloud: string
  key: string
  secret: string
  /** The base URL of the API, without `/v1_1`. */
  apiUrl: string
  /** The base URL of the delivery, without the cloud name. */
  deliveryUrl?: string
  fetch?: typeof globalThis.fetch
  clock?: Clock
  timeLimits?: Partial<TimeLimits>
}

/** Time limits in milliseconds for an upload, for the download of a rendered variant, and for other requests. */
type TimeLimits = { send: number; take: number; other: number }

const LIMITS: TimeLimits = { send: 60_000, take: 30_000, other: 10_000 }

/** The largest response in bytes, without and with a picture. */
const MAX_REPLY_BYTES = 64 * 1024
const MAX_PICTURE_BYTES = 16 * 1024 * 1024

/** Transient statuses below 500. 420 is Cloudinary's status for a rate limit. */
const PASSING = new Set([408, 420, 425, 429])

/** The error messages that the operator can act on. Other messages may quote the request and are not logged. */
const HINTS: [words: RegExp, hint: string][] = [
  [/invalid signature/i, 'the secret is wrong'],
  [/api.?key/i, 'the key is wrong'],
  [/cloud.?name/i, 'there is no such cloud'],
  [/stale request/i, 'the clock of this machine is wrong'],
  [/upload preset/i, 'the upload preset is not one of its'],
  [/invalid image/i, 'not a picture to it'],
]

type Sent = { init: RequestInit; timeLimit: keyof TimeLimits; signal?: AbortSignal | undefined }

/** An HTTP client for Cloudinary, with time and size limits. */
export function createCloudinaryClient(options: CloudinaryOptions) {
  const { cloud, key, secret, fetch = globalThis.fetch, clock = systemClock } = options
  const { apiUrl, deliveryUrl = 'https://res.cloudinary.com' } = options
  const timeLimits = { ...LIMITS, ...options.timeLimits }

  async function request(url: string, { init, timeLimit, signal }: Sent, maxBytes: number) {
    const late = AbortSignal.timeout(timeLimits[timeLimit])
    try {
      const reply = await fetch(url, {
        ...init,
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, late]) : late,
      })
      return { reply, body: await readLimited(reply, maxBytes) }
    } catch (error) {
      if (error instanceof ImageHostError) throw error
      // Only the error's name: its message may quote the request.
      throw new ImageHostError('unavailable', `no answer from Cloudinary (${nameOf(error)})`)
    }
  }

  return {
    /** Calls an action of the Upload API. @returns the unvalidated response */
    async tell(
      action: 'upload' | 'destroy',
      fields: Record<string, string>,
      file?: { blob: Blob; name: string },
      signal?: AbortSignal,
    ): Promise<unknown> {
      const stamped = { ...fields, timestamp: String(Math.floor(clock.now() / 1000)) }
      const form = new FormData()
      for (const [name, value] of Object.entries(stamped)) form.set(name, value)
      form.set('api_key', key)
      form.set('signature', signatureOf(stamped, secret))
      if (file) form.set('file', file.blob, file.name)
      const { reply, body } = await request(
        `${apiUrl}/v1_1/${encodeURIComponent(cloud)}/image/${action}`,
        { init: { method: 'POST', body: form }, timeLimit: file ? 'send' : 'other', signal },
        MAX_REPLY_BYTES,
      )
      const text = body.toString()
      if (!reply.ok) throw failureOf(reply.status, text)
      return parseJson(text)
    },

    /** Downloads a picture; undefined when it does not exist. */
    async take(transformation: string, name: string) {
      const [before, after] = [cloud, name].map((path) =>
        path.split('/').map(encodeURIComponent).join('/'),
      )
      const url = `${deliveryUrl}/${before}/image/upload/${transformation}/v1/${after}`
      const taking: Sent = { init: {}, timeLimit: 'take' }
      const { reply, body } = await request(url, taking, MAX_PICTURE_BYTES)
      if (reply.status === 404) return undefined
      if (!reply.ok) throw failureOf(reply.status, reply.headers.get('x-cld-error') ?? '')
      return { bytes: body, contentType: reply.headers.get('content-type') ?? '' }
    },
  }
}

async function readLimited(reply: Response, limit: number): Promise<Buffer> {
  const body: ReadableStream<Uint8Array> | null = reply.body
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.byteLength
    if (bytes > limit) {
      throw new ImageHostError('unavailable', 'the answer of Cloudinary is too large')
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function failureOf(status: number, text: string): ImageHostError {
  const passes = status >= 500 || PASSING.has(status)
  const hint = HINTS.find(([words]) => words.test(text))?.[1]
  const message = `Cloudinary answered ${status}${hint ? `: ${hint}` : ''}`
  return new ImageHostError(passes ? 'unavailable' : 'refused', message)
}

function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(wellFormedJson(text))
    return json
  } catch {
    throw new ImageHostError('unavailable', 'the answer of Cloudinary is not JSON')
  }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? ` ${String(cause.code)}` : ''
  return error.name + code
}
