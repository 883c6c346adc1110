import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { dropDatabase } from '../../../test/database.ts'
import {
  addOffer,
  type PublicPagesServer,
  pageOf,
  publicPagesServer,
} from '../../../test/public-pages-server.ts'
import { testServer } from '../../../test/server.ts'

let server: PublicPagesServer
let pharmacyId: string
let offerId: string

beforeAll(async () => {
  server = await publicPagesServer()
  pharmacyId = await server.pharmacy('FARM-1')
  offerId = await addOffer(server, pharmacyId)
})

async function open(url: string, more: InjectOptions = {}) {
  const reply = await server.app.inject({ url, ...more })
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  return { status: reply.statusCode, headers: reply.headers, page: pageOf(reply.body) }
}

async function change(column: string, value: unknown) {
  await server.database.pool.query(`update pharmacies set ${column} = $2 where id = $1`, [
    pharmacyId,
    value,
  ])
}

describe('the page of a pharmacy', () => {
  it('is drawn from its offers, with all that browsers are told of other pages', async () => {
    const { status, headers, page } = await open('/offers/FARM-1')
    expect(status).toBe(200)
    expect(page).toMatchObject({
      content: { pharmacy: { name: 'Farmacia FARM-1' }, offers: [{ id: offerId }] },
      search: { tipo: 'all' },
      offerId: null,
      publicUrl: 'http://localhost:3000',
    })
    expect(page.shareImage).toMatch(/^\/share\/offers\/FARM-1\//)
    expect(headers).toMatchObject({
      vary: 'Accept-Encoding',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers['cache-control']).toMatch(/^public, max-age=0, s-maxage=\d+$/)
  })

  it('is that of one offer, and of what is sought', async () => {
    const { page } = await open(`/offers/FARM-1/${offerId}?tipo=offers&categoria=Cosmetici&x=1`)
    expect(page).toMatchObject({
      offerId,
      search: { tipo: 'offers', categoria: 'Cosmetici' },
    })
    expect(page.shareImage).toContain(offerId)
    const unknown = await open('/offers/FARM-1?categoria=Libri')
    expect(unknown.page.search).toEqual({ tipo: 'all' })
  })

  it.each([
    ['/offers/farm-1', '/offers/FARM-1'],
    ['/offers/Farm-1?tipo=offers&fbclid=x', '/offers/FARM-1?tipo=offers&fbclid=x'],
    ['/offers/FARM-1/', '/offers/FARM-1'],
    ['/offers/%20farm-1%20', '/offers/FARM-1'],
    ['/offers/farm-1/%0d%0aSet-Cookie:x', '/offers/FARM-1/%0D%0Aset-cookie%3Ax'],
    ['/offers/farm-1?u=//evil.example', '/offers/FARM-1?u=//evil.example'],
  ])('%s is at %s', async (url, place) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const reply = await server.app.inject({ method, url })
      expect([reply.statusCode, reply.headers.location]).toEqual([301, place])
    }
  })

  it('is sent in the encoding that the browser takes', async () => {
    const plain = await server.app.inject('/offers/FARM-1')
    for (const [encoding, read] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const reply = await server.app.inject({
        url: '/offers/FARM-1',
        headers: { 'accept-encoding': encoding },
      })
      expect(reply.headers['content-encoding']).toBe(encoding)
      expect(reply.headers['content-length']).toBe(String(reply.rawPayload.length))
      expect(read(reply.rawPayload).toString()).toBe(plain.body)
      expect(reply.headers.etag).toBe(plain.headers.etag)
    }
    expect(plain.headers).not.toHaveProperty('content-encoding')
  })

  it('is not sent again to who has it', async () => {
    const { headers } = await open('/offers/FARM-1')
    const again = await server.app.inject({
      url: '/offers/FARM-1',
      headers: { 'if-none-match': headers.etag, 'accept-encoding': 'br' },
    })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag])
    expect(again.headers['cache-control']).toBe(headers['cache-control'])
    await addOffer(server, pharmacyId)
    await expect
      .poll(async () => (await open('/offers/FARM-1')).headers.etag)
      .not.toBe(headers.etag)
    const changed = await server.app.inject({
      url: '/offers/FARM-1',
      headers: { 'if-none-match': headers.etag },
    })
    expect(changed.statusCode).toBe(200)
  })

  it('has a head of its own', async () => {
    const whole = await server.app.inject('/offers/FARM-1')
    const head = await server.app.inject({ method: 'HEAD', url: '/offers/FARM-1' })
    expect([head.statusCode, head.body]).toEqual([200, ''])
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
      expect([name, head.headers[name]]).toEqual([name, whole.headers[name]])
  })
})

describe('an offer that is not shown', () => {
  it.each(['00000000-0000-4000-8000-000000000000', 'x', '%2F', '__proto__', 'x'.repeat(2_000)])(
    '%.40s is not found, and the others are shown',
    async (id) => {
      const drawn = server.renderer.drawn.length
      const { status, headers, page } = await open(`/offers/FARM-1/${id}`)
      expect([status, headers['cache-control'], page.offerId]).toEqual([404, 'no-store', ''])
      expect(page.content?.offers.length).toBeGreaterThan(0)
      expect(page.shareImage).toMatch(/^\/share\/offers\/FARM-1\/[\w-]{12}\.jpg$/)
      expect(headers).not.toHaveProperty('etag')
      // They are one page, which is in memory after the first.
      expect(server.renderer.drawn.length - drawn).toBeLessThanOrEqual(1)
      await open(`/offers/FARM-1/${id}-again`)
      expect(server.renderer.drawn.length - drawn).toBeLessThanOrEqual(1)
    },
  )
})

describe('a page without offers', () => {
  it.each([
    ['/offers/NOBODY', 404, 'Farmacia non trovata'],
    // No pattern.
    ['/offers/%25', 404, 'Farmacia non trovata'],
    ['/offers/', 404, 'ID farmacia non valido'],
  ])('%.40s is a %s: %s', async (url, status, error) => {
    const opened = await open(url)
    expect([opened.status, opened.page.content]).toMatchObject([status, { error, pharmacy: null }])
    expect(opened.headers['cache-control']).toBe('no-store')
    const head = await server.app.inject({ method: 'HEAD', url })
    expect(head.statusCode).toBe(status)
  })

  it.each([
    ['is_active', false, 'Farmacia non attiva'],
    ['features_enabled', '[]', 'Funzionalità offerte non disponibile'],
  ])('is forbidden because of %s, and says whose it is', async (column, value, error) => {
    await change(column, value)
    await expect.poll(async () => (await open('/offers/FARM-1')).status).toBe(403)
    const { headers, page } = await open(`/offers/FARM-1/${offerId}`)
    expect(page.content).toMatchObject({ error, pharmacy: { name: 'Farmacia FARM-1' }, offers: [] })
    expect([page.offerId, page.shareImage]).toEqual([null, null])
    expect(headers['cache-control']).toBe('no-store')
    await change('is_active', true)
    await change('features_enabled', '["offers"]')
    await expect.poll(async () => (await open('/offers/FARM-1')).status).toBe(200)
  })
})

describe('what is the application’s own', () => {
  it.each(['/offers', '/offers?x=1', '/offers/A/B/C'])('%s is none of them', async (url) => {
    const drawn = server.renderer.drawn.length
    expect((await server.app.inject(url)).json()).toMatchObject({ code: 'route.not_found' })
    expect(server.renderer.drawn).toHaveLength(drawn)
  })

  it('is all of it where no pages are built', async () => {
    const bare = await testServer()
    expect((await bare.app.inject('/offers/FARM-1')).json()).toMatchObject({
      code: 'route.not_found',
    })
  })
})

describe('a page that is in memory', () => {
  const path = '/offers/FARM-1'

  it.each(['fbclid=abc&utm_source=whatsapp', 'x'.repeat(2_000)])(
    'is the same with what others have put into its address: %s',
    async (query) => {
      const { page } = await open(path)
      const drawn = server.renderer.drawn.length
      expect((await open(`${path}?${query}`)).page).toEqual(page)
      expect(server.renderer.drawn).toHaveLength(drawn)
    },
  )

  it('is not sent for a request of another method', async () => {
    await open(path)
    const reply = await server.app.inject({ method: 'POST', url: path })
    expect([reply.statusCode, reply.json()]).toMatchObject([404, { code: 'route.not_found' }])
  })
})

describe('without the database', () => {
  it('a page says that it could not be loaded, and a program that it may try again', async () => {
    const broken = await publicPagesServer()
    await dropDatabase(broken.database.url)
    const reply = await broken.app.inject('/offers/FARM-1')
    expect([reply.statusCode, pageOf(reply.body).content]).toEqual([503, null])
    expect(reply.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' })
    expect((await broken.app.inject('/sitemap.xml')).statusCode).toBe(503)
    expect((await broken.app.inject('/api/public/offers/FARM-1')).statusCode).toBe(503)
  })
})
