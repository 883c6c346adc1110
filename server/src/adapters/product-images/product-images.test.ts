import { type ProductImagesSandbox, startProductImages } from '@bancone/sandbox/product-images'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { foreignServer } from '../../../test/foreign-server.ts'
import { createOutbound } from '../../platform/outbound.ts'
import { createProductImages, type ProductImagesOptions } from './product-images.ts'

const KNOWN = '012745093'
const UNKNOWN = '034208013'

async function start(options: Partial<ProductImagesOptions> = {}) {
  const provider = await startProductImages()
  onTestFinished(() => provider.close())
  return { provider, images: imagesOf(provider.template, options) }
}

function imagesOf(template: string, options: Partial<ProductImagesOptions> = {}) {
  const outbound = createOutbound({ allow: [new URL(template).origin] })
  onTestFinished(() => outbound.close())
  return createProductImages({ template, fetch: outbound.fetch, ...options })
}

const gets = ({ requests }: ProductImagesSandbox) => requests

describe('the provider', () => {
  it('has a picture at the address that the code makes', async () => {
    const { provider, images } = await start()
    const address = provider.template.replace('{minsan}', KNOWN)
    expect(images.url(KNOWN)).toBe(address)
    expect((await fetch(address)).status).toBe(200)
    const twice = imagesOf('https://example.it/{minsan}/{minsan}.jpg')
    expect(twice.url(KNOWN)).toBe(`https://example.it/${KNOWN}/${KNOWN}.jpg`)
  })

  it('is none where none is configured', () => {
    const images = createProductImages({
      template: undefined,
      fetch: () => Promise.reject(new Error('asked')),
    })
    expect(images.url(KNOWN)).toBeNull()
  })

  it('gives the picture', async () => {
    const { images } = await start()
    const picture = await images.download(KNOWN)
    if (typeof picture === 'string') throw new Error(picture)
    expect((await sharp(picture).metadata()).width).toBe(1200)
  })

  it.each([404, 410])('has none where it says %i', async (status) => {
    const { provider, images } = await start()
    expect(await images.download(UNKNOWN)).toBe('none')
    provider.fail({ mode: 'status', status })
    expect(await images.download(KNOWN)).toBe('none')
  })

  it.each([
    ['too large', { mode: 'oversized' }],
    ['at a private address', { mode: 'redirect' }],
    ['not to be had', { mode: 'status', status: 403 }],
  ] as const)('has one that is %s, which is not taken', async (_what, failure) => {
    const { provider, images } = await start()
    provider.fail(failure)
    expect(await images.download(KNOWN)).toBe('unusable')
    expect(gets(provider)).toEqual([`GET ${KNOWN}`])
  })

  it('has one of no bytes, which is not taken', async () => {
    const { provider, images } = await start()
    provider.add(KNOWN, new Uint8Array())
    expect(await images.download(KNOWN)).toBe('unusable')
  })

  it.each([
    ['fails', { mode: 'status', status: 500 }],
    ['is busy', { mode: 'status', status: 429 }],
    ['hangs up', { mode: 'hang-up' }],
    ['is silent', { mode: 'silent' }],
  ] as const)('may do better later when it %s', async (_how, failure) => {
    const { provider, images } = await start({ timeLimitMs: 300 })
    provider.fail(failure)
    const failing = images.download(KNOWN)
    await expect(failing).rejects.toThrow(/provider answered|no answer|took more/)
    await expect(failing).rejects.not.toThrow('127.0.0.1')
  })

  it('is followed to where it keeps its pictures, and not to another address of this network', async () => {
    const inside = await foreignServer((_request, response) => response.end('secret'))
    const there = await foreignServer((request, response) => {
      if (request.url === '/elsewhere') response.end('picture')
      else
        response
          .writeHead(302, { location: request.url?.includes(KNOWN) ? '/elsewhere' : inside.url })
          .end()
    })
    const images = imagesOf(`${there.url}{minsan}`)
    expect(Buffer.from(await images.download(KNOWN)).toString()).toBe('picture')
    expect(await images.download(UNKNOWN)).toBe('unusable')
    expect(inside.requestCount).toBe(0)
  })

  it('is given up with the request', async () => {
    const { provider, images } = await start()
    provider.fail({ mode: 'silent' })
    const given = new AbortController()
    const failing = images.download(KNOWN, given.signal)
    await expect.poll(() => provider.requests.length).toBe(1)
    given.abort()
    await expect(failing).rejects.toThrow('given up')
  })
})

describe('whether there is a picture', () => {
  it('is asked without reading it', async () => {
    const { provider, images } = await start()
    expect([await images.exists(KNOWN), await images.exists(UNKNOWN)]).toEqual([true, false])
    expect(provider.requests).toEqual([`HEAD ${KNOWN}`, `HEAD ${UNKNOWN}`])
  })

  it('does not depend on how large it says it is', async () => {
    const there = await foreignServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': 50_000_000 }).end()
    })
    expect(await imagesOf(`${there.url}{minsan}`).exists(KNOWN)).toBe(true)
  })

  it.each([
    ['a page', { mode: 'page' }],
    ['an error', { mode: 'status' }],
    ['another address', { mode: 'redirect' }],
    ['nothing', { mode: 'hang-up' }],
    ['silence', { mode: 'silent' }],
  ] as const)('is denied by %s', async (_what, failure) => {
    const { provider, images } = await start({ lookTimeLimitMs: 300 })
    provider.fail({ ...failure, everything: true })
    expect(await images.exists(KNOWN)).toBe(false)
  })
})
