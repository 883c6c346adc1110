import { variantUrl } from '@bancone/contract/image-variants'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ImagesServer, imagesServer, sent } from '../../../test/images-server.ts'
import { anImage } from '../../../test/pictures.ts'

let server: ImagesServer
let origin: string
let headers: { authorization: string }

beforeAll(async () => {
  server = await imagesServer()
  origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  ;({ headers } = await server.pharmacy())
})

/** @returns how it was answered, and whether the framework was asked: it numbers what it answers */
async function take(url: string, more: { method?: string; headers?: Record<string, string> } = {}) {
  const reply = await fetch(origin + url, {
    ...more,
    headers: { accept: 'image/webp', ...more.headers },
  })
  const bytes = Buffer.from(await reply.arrayBuffer())
  const isEarly = !reply.headers.has('x-request-id')
  return { status: reply.status, headers: Object.fromEntries(reply.headers), bytes, isEarly }
}

async function fresh() {
  const image = await sent(server, headers, await anImage())
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

describe('a picture that is in memory', () => {
  it('is sent at once, as it was the first time', async () => {
    const { path } = await fresh()
    const first = await take(path)
    const again = await take(path)
    expect([first.isEarly, again.isEarly]).toEqual([false, true])
    expect(again.bytes).toEqual(first.bytes)
    for (const name of telling)
      expect([name, again.headers[name]]).toEqual([name, first.headers[name]])
    expect(again).toMatchObject({ status: 200, headers: { 'content-type': 'image/webp' } })
  })

  it('is another one for who takes another format', async () => {
    const { path } = await fresh()
    await take(path)
    const other = await take(path, { headers: { accept: '*/*' } })
    expect(other).toMatchObject({ isEarly: false, headers: { 'content-type': 'image/jpeg' } })
    expect((await take(path)).headers['content-type']).toBe('image/webp')
  })

  it.each<[string, { method?: string; headers?: Record<string, string> }, number]>([
    ['has it already', { headers: { 'if-none-match': '*' } }, 304],
    ['asks for its head alone', { method: 'HEAD' }, 200],
    ['sends something', { method: 'DELETE' }, 404],
  ])('is left to the framework for who %s', async (_who, request, status) => {
    const { path } = await fresh()
    const { bytes } = await take(path)
    const reply = await take(path, request)
    expect(reply).toMatchObject({ status, isEarly: false })
    expect(reply.bytes).not.toEqual(bytes)
  })

  it.each([
    ['another version', (path: string) => path.replace(/[0-9a-f]{16}/, '0000000000000000')],
    ['more of a path', (path: string) => `${path}/x`],
    ['a variant that there is not', (path: string) => path.replace('card', 'huge')],
  ])('is not found by %s', async (_what, change) => {
    const { path } = await fresh()
    await take(path)
    expect((await take(change(path))).status).toBe(404)
  })

  it('is gone when it is removed', async () => {
    const { path, publicId } = await fresh()
    await take(path)
    expect((await take(path)).isEarly).toBe(true)
    const removal = { method: 'DELETE' as const, url: `/api/images/${publicId}`, headers }
    expect((await server.app.inject(removal)).statusCode).toBe(200)
    expect((await take(path)).status).toBe(404)
  })
})
