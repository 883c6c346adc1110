import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { variantUrl } from '@bancone/contract/image-variants'
import { startCloudinary } from '@bancone/sandbox/cloudinary'
import sharp from 'sharp'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { failureOf } from '../../../test/failure-of.ts'
import { foreignServer } from '../../../test/foreign-server.ts'
import { drawn } from '../../../test/pictures.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { type CloudinaryImagesOptions, createCloudinaryImages } from './cloudinary-images.ts'

const id = 'farmacia-rossi_1790000000000'
const presets = { bancone: {}, renaming: { publicIdPrefix: 'elsewhere' } }

let content: Buffer

beforeAll(async () => {
  content = await drawn(900, 600).webp().toBuffer()
})

async function start(options: Partial<CloudinaryImagesOptions> = {}) {
  const sandbox = await startCloudinary({ presets })
  onTestFinished(() => sandbox.close().catch(() => {}))
  const { url, cloud, key, secret } = sandbox
  const usual = { cloud, key, secret, uploadPreset: undefined, folder: 'bancone' }
  const host = createCloudinaryImages({ ...usual, apiUrl: url, deliveryUrl: url, ...options })
  const path = join(await temporaryFolder(), 'picture')
  await writeFile(path, content)
  const picture = { path, width: 900, height: 600, bytes: content.byteLength }
  return { sandbox, host, picture }
}

function like(pattern: RegExp): unknown {
  return expect.stringMatching(pattern)
}

const unavailable = { name: 'ImageHostError', kind: 'unavailable' }
const refused = { name: 'ImageHostError', kind: 'refused' }

describe('a picture for Cloudinary', () => {
  it('is sent whole, with the fields that say where it goes', async () => {
    const { sandbox, host, picture } = await start({ uploadPreset: 'bancone' })
    const { url, cloud } = sandbox
    expect(await host.put(id, picture)).toEqual({
      url: like(new RegExp(`^${url}/${cloud}/image/upload/v\\d{10}/bancone/${id}\\.webp$`)),
      width: 900,
      height: 600,
      format: 'webp',
      fileKey: null,
    })
    expect(sandbox.uploads).toEqual([
      {
        name: `bancone/${id}`,
        bytes: picture.bytes,
        fields: {
          upload_preset: 'bancone',
          folder: 'bancone',
          public_id: id,
          quality: 'auto',
          fetch_format: 'auto',
          timestamp: like(/^\d{10}$/),
          api_key: sandbox.key,
          signature: like(/^[0-9a-f]{40}$/),
        },
      },
    ])
  })

  it('may be kept outside of any folder', async () => {
    const { sandbox, host, picture } = await start({ folder: '' })
    await host.put(id, picture)
    expect(sandbox.uploads).toMatchObject([{ name: id }])
    expect(await host.open(id, 'card', 'webp')).toMatchObject({ contentType: 'image/webp' })
    await host.remove(id)
    expect(sandbox.isEmpty()).toBe(true)
  })

  it('is there in every variant at the addresses that browsers are given', async () => {
    const { host, picture } = await start()
    const { url } = await host.put(id, picture)
    const take = async (accept: string) => {
      const reply = await fetch(variantUrl(url, 'card'), { headers: { accept } })
      const { width, height } = await sharp(await reply.arrayBuffer()).metadata()
      return [reply.headers.get('content-type'), width, height]
    }
    expect(await take('image/avif,image/webp,*/*')).toEqual(['image/avif', 300, 200])
    expect(await take('*/*')).toEqual(['image/jpeg', 300, 200])
  })

  it('is not left where a preset would have it under another name', async () => {
    const { sandbox, host, picture } = await start({ uploadPreset: 'renaming' })
    expect(await failureOf(host.put(id, picture))).toMatchObject(refused)
    expect(sandbox.uploads).toMatchObject([{ name: `elsewhere/${id}` }])
    expect(sandbox.isEmpty()).toBe(true)
  })

  it('is there when it was kept and the answer was lost, and goes all the same', async () => {
    const { sandbox, host, picture } = await start()
    sandbox.fail({ mode: 'lost-reply', times: 1 })
    expect(await failureOf(host.put(id, picture))).toMatchObject(unavailable)
    expect(sandbox.isEmpty()).toBe(false)
    await host.remove(id)
    expect(sandbox.isEmpty()).toBe(true)
  })

  it('that is none is refused', async () => {
    const { host, picture } = await start()
    await writeFile(picture.path, '<svg/>')
    expect(await failureOf(host.put(id, picture))).toMatchObject({
      ...refused,
      message: 'Cloudinary answered 400: not a picture to it',
    })
  })

  it('is given up with who waits for it', async () => {
    const { sandbox, host, picture } = await start()
    sandbox.fail({ mode: 'slow' })
    const waiting = new AbortController()
    const putting = failureOf(host.put(id, picture, waiting.signal))
    waiting.abort()
    expect(await putting).toMatchObject(unavailable)
    expect(sandbox.uploads).toEqual([])
  })
})

describe('Cloudinary that', () => {
  it.each([
    { what: 'answers with 500', failure: { mode: 'refuse', status: 500 } },
    { what: 'has had too many requests (420)', failure: { mode: 'refuse', status: 420 } },
    { what: 'has had too many requests (429)', failure: { mode: 'refuse', status: 429 } },
    { what: 'hangs up', failure: { mode: 'hang-up' } },
    { what: 'breaks off', failure: { mode: 'truncated' } },
    { what: 'makes no sense', failure: { mode: 'malformed' } },
    { what: 'sends too much', failure: { mode: 'oversized' } },
    { what: 'says nothing', failure: { mode: 'slow' } },
  ] as const)('$what is unavailable, whatever it is asked for', async ({ failure }) => {
    const timeLimits = failure.mode === 'slow' ? { send: 150, take: 150, other: 150 } : {}
    const { sandbox, host, picture } = await start({ timeLimits })
    sandbox.fail(failure)
    const asked = [host.put(id, picture), host.open(id, 'card', 'webp'), host.remove(id)]
    for (const failed of await Promise.all(asked.map((call) => failureOf(call)))) {
      expect(failed).toMatchObject(unavailable)
    }
    expect(sandbox.requests()).toBe(3)
  })

  it('is not there is unavailable', async () => {
    const { sandbox, host, picture } = await start()
    await sandbox.close()
    expect(await failureOf(host.put(id, picture))).toMatchObject({
      ...unavailable,
      message: 'no answer from Cloudinary (TypeError ECONNREFUSED)',
    })
  })

  it('leads elsewhere is not followed', async () => {
    let elsewhere = 0
    const { origin: apiUrl } = await foreignServer((request, response) => {
      if (request.url === '/elsewhere') elsewhere += 1
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    const { host, picture } = await start({ apiUrl, deliveryUrl: apiUrl })
    expect(await failureOf(host.put(id, picture))).toMatchObject(unavailable)
    expect(await failureOf(host.open(id, 'card', 'webp'))).toMatchObject(unavailable)
    expect(elsewhere).toBe(0)
  })

  it.each<[string, string, Partial<CloudinaryImagesOptions>]>([
    ['another secret', 'Cloudinary answered 401: the secret is wrong', { secret: 'another' }],
    ['another key', 'Cloudinary answered 401: the key is wrong', { key: '1' }],
    ['another cloud', 'Cloudinary answered 401: there is no such cloud', { cloud: 'another' }],
    [
      'a preset that it does not have',
      'Cloudinary answered 400: the upload preset is not one of its',
      { uploadPreset: 'another' },
    ],
    [
      'a clock that is slow',
      'Cloudinary answered 400: the clock of this machine is wrong',
      { clock: { now: () => Date.now() - 2 * 3_600_000 } },
    ],
  ])('is asked with %s refuses, and the log can say why', async (_what, message, options) => {
    const { sandbox, host, picture } = await start(options)
    expect(await failureOf(host.put(id, picture))).toMatchObject({ ...refused, message })
    expect(sandbox.isEmpty()).toBe(true)
  })

  it.each([
    ['no address', { secure_url: 'javascript:alert(1)' }],
    ['no size', { width: 0 }],
    ['a strange format', { format: '../x' }],
    ['no name', { public_id: undefined }],
  ])('answers with %s is not understood', async (_what, wrong) => {
    const right = {
      secure_url: `https://res.cloudinary.com/farmacia/image/upload/v1/bancone/${id}.webp`,
      public_id: `bancone/${id}`,
      width: 900,
      height: 600,
      format: 'webp',
    }
    const answering = (body: object) => ({ fetch: async () => Response.json(body) })
    const { host, picture } = await start(answering(right))
    expect(await host.put(id, picture)).toMatchObject({ url: right.secure_url })
    const { host: strange } = await start(answering({ ...right, ...wrong }))
    expect(await failureOf(strange.put(id, picture))).toMatchObject(unavailable)
  })

  it('sends a page for a picture is not passed on', async () => {
    const page = new Response('<script>', { headers: { 'content-type': 'text/html' } })
    const { host } = await start({ fetch: async () => page })
    expect(await failureOf(host.open(id, 'card', 'webp'))).toMatchObject(unavailable)
  })
})

describe('the secret', () => {
  it('is in no error, nor is the key', async () => {
    const secret = 'verySecret-of-the-tests'
    const { sandbox, host, picture } = await start({ secret, key: 'keyOfTheTests' })
    const failures = [await failureOf(host.put(id, picture)), await failureOf(host.remove(id))]
    sandbox.fail({ mode: 'hang-up' })
    failures.push(await failureOf(host.put(id, picture)))
    const { host: quoting } = await start({
      secret,
      key: 'keyOfTheTests',
      fetch: async (_, init) => {
        const sent = textOf(init?.body)
        expect(sent).toContain('keyOfTheTests')
        throw new TypeError(sent, { cause: new Error(sent) })
      },
    })
    failures.push(await failureOf(quoting.put(id, picture)))
    for (const failure of failures) {
      expect(failure).toMatchObject({ name: 'ImageHostError' })
      const told = inspect(failure, { depth: 20, showHidden: true })
      expect(told).not.toMatch(/verySecret|keyOfTheTests/)
    }
  })

  it('is not sent', async () => {
    let sent = ''
    const { sandbox, host, picture } = await start({
      fetch: (input, init) => {
        sent += `${inspect(input)} ${textOf(init?.body)} `
        return fetch(input, init)
      },
    })
    await host.put(id, picture)
    await host.remove(id)
    expect(sent).toContain("/image/upload' folder")
    expect(sent).toContain("/image/destroy' public_id")
    expect(sent).not.toContain(sandbox.secret)
  })
})

/** The names and values of a form. */
function textOf(body: unknown): string {
  const fields = body instanceof FormData ? [...body] : []
  return fields.map(([name, value]) => `${name} ${inspect(value)}`).join(' ')
}
