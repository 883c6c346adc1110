import { Readable } from 'node:stream'
import { ErrorBody } from '@bancone/contract/errors'
import { variantUrl } from '@bancone/contract/image-variants'
import type { UploadedImage } from '@bancone/contract/images'
import Fastify from 'fastify'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type ImagesServer, imagesServer, sent } from '../../../test/images-server.ts'
import { anImage, drawn } from '../../../test/pictures.ts'
import { handleErrors } from '../../http/error-handler.ts'
import { type ImageHost, ImageHostError } from '../../ports/image-host.ts'
import { createServedImages, servedImageRoutes } from './served-images.ts'

const CHROME = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

let server: ImagesServer
let caller: { authorization: string }

beforeAll(async () => {
  server = await imagesServer()
  caller = (await server.pharmacy()).headers
})

describe('a picture that customers see', () => {
  let image: UploadedImage

  beforeAll(async () => {
    image = await sent(server, caller, await drawn(320, 160).jpeg().toBuffer())
  })

  const open = (path: string, accept = 'image/webp', more: Record<string, string> = {}) =>
    server.app.inject({ url: path, headers: { accept, ...more } })

  it.each([
    [CHROME, 'image/avif'],
    ['image/webp,*/*;q=0.5', 'image/webp'],
    ['*/*', 'image/jpeg'],
  ])('is sent in a format that is taken: to %s as %s', async (accept, type) => {
    const reply = await open(`${image.url}/card`, accept)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, type])
    const { format, width } = await sharp(reply.rawPayload).metadata()
    expect([`image/${format === 'heif' ? 'avif' : format}`, width]).toEqual([type, 300])
    expect(reply.headers['vary']).toBe('Accept')
  })

  it('is cached for a year, and nothing in it is ever run', async () => {
    const { headers } = await open(`${image.url}/card`)
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(headers).not.toHaveProperty('set-cookie')
  })

  it('is not sent to who has it', async () => {
    const url = `${image.url}/card`
    const { headers } = await open(url)
    const etag = String(headers.etag)
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const reply = await open(url, 'image/webp', { 'if-none-match': known })
      expect([known, reply.statusCode, reply.body]).toEqual([known, 304, ''])
      expect(reply.headers).toMatchObject({ etag, vary: 'Accept' })
    }
    for (const other of ['"x"', etag.slice(1), '']) {
      const reply = await open(url, 'image/webp', { 'if-none-match': other })
      expect([other, reply.statusCode]).toEqual([other, 200])
    }
    expect((await open(url, CHROME, { 'if-none-match': etag })).statusCode).toBe(200)
  })

  it('has a head that says the same', async () => {
    const url = `${image.url}/card`
    const whole = await open(url)
    const head = await server.app.inject({ method: 'HEAD', url, headers: { accept: 'image/webp' } })
    expect([head.statusCode, head.rawPayload.byteLength]).toEqual([200, 0])
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control']) {
      expect([name, head.headers[name]]).toEqual([name, whole.headers[name]])
    }
  })

  it.each([
    ['of another version', () => image.url.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['without its version', () => image.url.replace(/[^/]+$/, '')],
    ['of another name', () => image.url.replace(/_\d+/, '_1')],
    ['of another pharmacy', () => image.url.replace(/[0-9a-f-]{36}/, 'archive')],
    ['outside', () => '/images/..%2F..%2Fetc/passwd'],
    ['that is no name', () => `/images/${'x'.repeat(90)}/y`],
    ['with a zero byte', () => '/images/a%00_1/y'],
  ])('is not there %s', async (_what, path) => {
    const reply = await open(`${path()}/card`)
    expect([reply.statusCode, reply.headers['cache-control']]).toEqual([
      expect.toSatisfy((status) => status === 404 || status === 400),
      'no-store',
    ])
    expect(reply.rawPayload.includes('WEBP')).toBe(false)
  })

  it.each(['card-9x', 'constructor', 'card/x', ''])('has no variant %j', async (variant) => {
    const reply = await open(`${image.url}/${variant}`)
    expect([reply.statusCode, reply.headers['cache-control']]).toEqual([404, 'no-store'])
  })
})

describe('a picture that is in memory', () => {
  const take = (url: string, accept = 'image/webp') =>
    server.app.inject({ url, headers: { accept } })

  async function fresh() {
    const image = await sent(server, caller, await anImage())
    return { ...image, path: variantUrl(image.url, 'card') }
  }

  const telling = [
    'cache-control',
    'content-disposition',
    'content-length',
    'content-security-policy',
    'content-type',
    'cross-origin-resource-policy',
    'etag',
    'vary',
    'x-content-type-options',
  ] as const

  it('is sent as it was the first time', async () => {
    const { path } = await fresh()
    const first = await take(path)
    const again = await take(path)
    expect(again.rawPayload).toEqual(first.rawPayload)
    for (const name of telling)
      expect([name, again.headers[name]]).toEqual([name, first.headers[name]])
    expect(again).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/webp' } })
  })
})

describe('what is asked for often', () => {
  const path = '/images/a_1/v/card'
  let url: string | undefined
  let content: Buffer
  let failure: Error | null
  let asked: { database: number; host: number }
  let shown: ReturnType<typeof createServedImages>
  let get: (path?: string, accept?: string) => Promise<[number, Buffer]>

  beforeEach(async () => {
    url = '/images/a_1/v'
    content = Buffer.alloc(1000, 'x')
    failure = null
    asked = { database: 0, host: 0 }
    const host: Pick<ImageHost, 'open'> = {
      async open(_publicId, _variant, format) {
        asked.host += 1
        if (failure) throw failure
        const stream = Readable.from([content])
        return { bytes: content.byteLength, contentType: `image/${format}`, stream }
      },
    }
    const store = {
      async url() {
        asked.database += 1
        return url
      },
    }
    shown = createServedImages({ store, host })
    const app = Fastify()
    handleErrors(app)
    servedImageRoutes(app, shown)
    onTestFinished(() => app.close())
    get = async (from = path, accept = 'image/webp') => {
      const reply = await app.inject({ url: from, headers: { accept } })
      return [reply.statusCode, reply.rawPayload]
    }
  })

  it('costs neither the disk nor the database', async () => {
    for (let time = 0; time < 5; time += 1) expect(await get()).toEqual([200, content])
    expect(asked).toEqual({ database: 1, host: 1 })
    await get(path, 'image/avif')
    expect(asked).toEqual({ database: 2, host: 2 })
  })

  it('is gone at once when it is removed', async () => {
    await get()
    url = undefined
    shown.forget('a_1')
    expect((await get())[0]).toBe(404)
  })

  it('is not another picture', async () => {
    await get()
    expect((await get('/images/a_1/w/card'))[0]).toBe(404)
    url = '/images/a_1/w'
    shown.forget('a_1')
    expect((await get())[0]).toBe(404)
    expect((await get('/images/a_1/w/card'))[0]).toBe(200)
  })

  it('is not remembered when it is large', async () => {
    content = Buffer.alloc(256 * 1024 + 1, 'x')
    for (let time = 0; time < 2; time += 1) {
      const [status, bytes] = await get()
      expect([status, bytes.equals(content)]).toEqual([200, true])
    }
    expect(asked.host).toBe(2)
  })

  it('takes so much memory and no more', async () => {
    content = Buffer.alloc(250 * 1024, 'x')
    const paths = Array.from({ length: 40 }, (_, number) => {
      url = `/images/a_1/v${number}`
      return `${url}/card`
    })
    for (const each of paths) {
      url = each.replace('/card', '')
      shown.forget('a_1')
      await get(each)
    }
    asked.host = 0
    url = '/images/a_1/v0'
    shown.forget('a_1')
    await get('/images/a_1/v0/card')
    expect(asked.host).toBe(1)
  })

  it('that the host has lost, or cannot draw, is said so and asked for again', async () => {
    failure = new ImageHostError('unavailable', 'as the test wants')
    const [status, body] = await get()
    expect([status, ErrorBody.parse(JSON.parse(body.toString())).code]).toEqual([
      502,
      'images.host_failed',
    ])
    failure = null
    expect(await get()).toEqual([200, content])
  })

  it('is never kept cut off', async () => {
    const whole = content
    let cut = true
    const app = Fastify()
    onTestFinished(() => app.close())
    const open: ImageHost['open'] = async () => ({
      bytes: whole.byteLength,
      contentType: 'image/webp',
      stream: Readable.from([cut ? whole.subarray(1) : whole]),
    })
    handleErrors(app)
    servedImageRoutes(app, createServedImages({ store: { url: async () => url }, host: { open } }))
    expect((await app.inject(path)).statusCode).toBe(500)
    cut = false
    expect((await app.inject(path)).rawPayload).toEqual(whole)
  })

  it('that a service shows is not shown by us', async () => {
    url = 'https://res.cloudinary.com/x/image/upload/v1/bancone/a_1.webp'
    expect((await get())[0]).toBe(404)
    expect(asked.host).toBe(0)
  })
})
