import { createHash } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { cloudinaryTransformation, variantUrl } from '@bancone/contract/image-variants'
import { wellFormedJson } from '@bancone/contract/well-formed-text'
import { z } from 'zod'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { HOSTED_FORMAT, type ImageHost, ImageHostError } from '../../ports/image-host.ts'
import { readBody } from '../read-body.ts'

/**
 * The signature of a Cloudinary request: the SHA-1 of all fields except the file and the key, sorted by name, followed by
 * the secret (cloudinary.com/documentation/authentication_signatures).
 */
function signatureOf(fields: Record<string, string>, secret: string): string {
  const signed = Object.entries(fields)
    .filter(([, value]) => value !== '')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return createHash('sha1')
    .update(signed + secret)
    .digest('hex')
}

type CloudinaryOptions = {
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
function createCloudinaryClient(options: CloudinaryOptions) {
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
      return { reply, body: await readBody(reply, maxBytes, tooLarge) }
    } catch (error) {
      if (error instanceof ImageHostError) throw error
      // Only the error's name: its message may quote the request.
      throw new ImageHostError('unavailable', `no answer from Cloudinary (${errorName(error)})`)
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

const tooLarge = () => new ImageHostError('unavailable', 'the answer of Cloudinary is too large')

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

function errorName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? ` ${String(cause.code)}` : ''
  return error.name + code
}

export type CloudinaryImagesOptions = CloudinaryOptions & {
  uploadPreset: string | undefined
  /** The folder of all pictures; a public id is a name in it. */
  folder: string
}

const Uploaded = z.object({
  secure_url: z.url({ protocol: /^https?$/ }),
  public_id: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  format: z.string().regex(/^[a-z0-9]{2,5}$/),
})

const Destroyed = z.object({ result: z.enum(['ok', 'not found']) })

const PUBLIC_ID = /^[a-z0-9][a-z0-9-]*_\d+$/
const SERVED = /^image\/(?:avif|webp|jpeg)$/

/** An image host at Cloudinary, which renders and serves the variants. */
export function createCloudinaryImages(options: CloudinaryImagesOptions): ImageHost {
  const { uploadPreset = '', folder } = options
  const cloudinary = createCloudinaryClient(options)
  const nameOf = (publicId: string) => (folder === '' ? publicId : `${folder}/${publicId}`)

  async function destroy(name: string): Promise<void> {
    // Also invalidates the copies in the CDN.
    const reply = await cloudinary.tell('destroy', { public_id: name, invalidate: 'true' })
    if (!Destroyed.safeParse(reply).success) throw notUnderstood()
  }

  return {
    async put(publicId, { path }, signal) {
      if (!PUBLIC_ID.test(publicId)) throw new ImageHostError('refused', 'not a name of a picture')
      const blob = await blobOf(path)
      const fields = {
        ...(uploadPreset !== '' && { upload_preset: uploadPreset }),
        ...(folder !== '' && { folder }),
        public_id: publicId,
        // Signed uploads set their own options; the URLs define the transformations.
        quality: 'auto',
        fetch_format: 'auto',
      }
      const file = { blob, name: `${publicId}.${HOSTED_FORMAT}` }
      const reply = Uploaded.safeParse(await cloudinary.tell('upload', fields, file, signal))
      if (!reply.success) throw notUnderstood()
      const { secure_url: url, public_id: name, width, height, format } = reply.data
      if (name !== nameOf(publicId) || variantUrl(url, 'card') === url) {
        // An upload preset may rename pictures. A picture under another name would never be removed.
        await destroy(name)
        throw new ImageHostError('refused', 'Cloudinary keeps it under another name or type')
      }
      return { url, width, height, format, fileKey: null }
    },

    async open(publicId, variant, format) {
      if (!PUBLIC_ID.test(publicId)) return undefined
      const found = await cloudinary.take(
        cloudinaryTransformation(variant, format),
        nameOf(publicId),
      )
      if (!found) return undefined
      const { bytes, contentType } = found
      if (!SERVED.test(contentType)) throw notUnderstood()
      return { bytes: bytes.byteLength, contentType, stream: Readable.from([bytes]) }
    },

    async remove(publicId) {
      if (PUBLIC_ID.test(publicId)) await destroy(nameOf(publicId))
    },
  }
}

/** Streams the file instead of reading it into memory. */
async function blobOf(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path, { type: `image/${HOSTED_FORMAT}` })
  } catch {
    throw new ImageHostError('unavailable', 'the picture is not on this disk')
  }
}

function notUnderstood(): ImageHostError {
  return new ImageHostError('unavailable', 'the answer of Cloudinary is not understood')
}
