import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createClock } from '../test/start.ts'
import { type CloudinaryOptions, type CloudinarySandbox, startCloudinary } from './cloudinary.ts'

const clock = createClock()
const seconds = (late = 0) => String(Math.floor(clock.now() / 1000) - late)

let picture: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  const background = { r: 200, g: 30, b: 60, alpha: 0.5 }
  const create = { width: 400, height: 200, channels: 4 as const, background }
  picture = new Uint8Array(await sharp({ create }).webp().toBuffer())
})

async function start(options: CloudinaryOptions = {}): Promise<CloudinarySandbox> {
  const cloudinary = await startCloudinary({ now: clock.now, ...options })
  onTestFinished(() => cloudinary.close())
  return cloudinary
}

type Fields = Record<string, string>

/** As documented: all parameters except file and key, sorted by name, followed by the secret. */
function signed(fields: Fields, { key, secret }: { key: string; secret: string }): Fields {
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join('&')
  const signature = createHash('sha1')
    .update(text + secret)
    .digest('hex')
  return { ...fields, api_key: key, signature }
}

async function send(
  { url, cloud }: CloudinarySandbox,
  fields: Fields,
  { action = 'upload', file = picture, to = cloud } = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (action === 'upload') form.set('file', new Blob([file]), 'x')
  const reply = await fetch(`${url}/v1_1/${to}/image/${action}`, { method: 'POST', body: form })
  const body: unknown = await reply.json()
  return { status: reply.status, body }
}

const Uploaded = z.object({ secure_url: z.url() })

/** Uploads successfully. @returns the URL */
async function upload(cloudinary: CloudinarySandbox, name = 'one'): Promise<string> {
  const fields = { folder: 'bancone', public_id: name, timestamp: seconds() }
  const { body } = await send(cloudinary, signed(fields, cloudinary))
  return Uploaded.parse(body).secure_url
}

async function take(url: string, accept = '*/*') {
  const reply = await fetch(url, { headers: { accept } })
  const bytes = Buffer.from(await reply.arrayBuffer())
  return { status: reply.status, type: reply.headers.get('content-type'), bytes }
}

function error(words: string) {
  const message: unknown = expect.stringContaining(words)
  return { error: { message } }
}

describe('an upload', () => {
  it('that is signed is taken, and answered with all there is to know', async () => {
    const cloudinary = await start()
    const { url, cloud } = cloudinary
    const fields = {
      folder: 'bancone',
      public_id: 'one',
      quality: 'auto',
      fetch_format: 'auto',
      timestamp: seconds(),
    }
    expect(await send(cloudinary, signed(fields, cloudinary))).toMatchObject({
      status: 200,
      body: {
        public_id: 'bancone/one',
        secure_url: `${url}/${cloud}/image/upload/v${seconds()}/bancone/one.webp`,
        width: 400,
        height: 200,
        format: 'webp',
        bytes: picture.byteLength,
      },
    })
    expect(cloudinary.uploads).toMatchObject([{ name: 'bancone/one', fields }])
  })

  it.each<[string, number, string, (right: Fields) => Fields]>([
    ['whose fields were changed', 401, 'Invalid Signature', (f) => ({ ...f, folder: 'x' })],
    ['with a field that was not signed', 401, 'Invalid Signature', (f) => ({ ...f, tags: 'x' })],
    ['of another key', 401, 'Unknown API key', (f) => ({ ...f, api_key: '1' })],
    ['with a preset that is not there', 400, 'not found', (f) => ({ ...f, upload_preset: 'x' })],
    [
      'without a signature',
      400,
      'preset must be specified',
      ({ public_id = '' }) => ({ public_id }),
    ],
  ])('%s is refused', async (_what, status, message, change) => {
    const cloudinary = await start()
    const fields = signed({ public_id: 'one', timestamp: seconds() }, cloudinary)
    expect(await send(cloudinary, change(fields))).toEqual({ status, body: error(message) })
    expect(cloudinary.uploads).toEqual([])
  })

  it('needs no signature by a preset that says so, and then may say less', async () => {
    const presets = { open: { unsigned: true, publicIdPrefix: 'shop' }, closed: {} }
    const cloudinary = await start({ presets })
    const by = (upload_preset: string, more: Fields = {}) =>
      send(cloudinary, { upload_preset, public_id: 'one', ...more })
    expect(await by('open')).toMatchObject({ status: 200, body: { public_id: 'shop/one' } })
    expect(await by('closed')).toEqual({ status: 400, body: error('whitelisted') })
    expect(await by('open', { overwrite: 'true' })).toEqual({
      status: 400,
      body: error('overwrite parameter is not allowed'),
    })
  })

  it('to another cloud, or of something else than a picture, is refused', async () => {
    const cloudinary = await start()
    const fields = signed({ public_id: 'one', timestamp: seconds() }, cloudinary)
    expect(await send(cloudinary, fields, { to: 'other' })).toMatchObject({ status: 401 })
    const text = new TextEncoder().encode('<svg/>')
    expect(await send(cloudinary, fields, { file: text })).toEqual({
      status: 400,
      body: error('Invalid image file'),
    })
  })
})

describe('a picture that is destroyed', () => {
  const destroy = (cloudinary: CloudinarySandbox, more: Fields = {}) => {
    const fields = { public_id: 'bancone/one', timestamp: seconds(), ...more }
    return send(cloudinary, signed(fields, cloudinary), { action: 'destroy' })
  }

  it('is gone, and so is what was drawn from it if that is asked for', async () => {
    const cloudinary = await start()
    const address = await upload(cloudinary)
    const small = address.replace('/v1', '/w_50/v1')
    await take(small)
    expect(await destroy(cloudinary)).toEqual({ status: 200, body: { result: 'ok' } })
    expect(await destroy(cloudinary)).toEqual({ status: 200, body: { result: 'not found' } })
    expect([(await take(address)).status, (await take(small)).status]).toEqual([404, 200])
    await upload(cloudinary)
    await destroy(cloudinary, { invalidate: 'true' })
    expect((await take(small)).status).toBe(404)
  })

  it('is signed with the secret alone', async () => {
    const cloudinary = await start({ presets: { open: { unsigned: true } } })
    const address = await upload(cloudinary)
    const fields = { public_id: 'bancone/one', upload_preset: 'open' }
    expect((await send(cloudinary, fields, { action: 'destroy' })).status).toBe(401)
    expect((await take(address)).status).toBe(200)
  })
})
