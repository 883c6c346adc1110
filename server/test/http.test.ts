import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createOrder } from '@bancone/contract/new-orders'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { buildApp } from '../src/http/app.ts'
import { dropDatabase } from './database.ts'
import { type TestServer, testApp, testServer } from './server.ts'
import { silentLog } from './silent-log.ts'
import { testFileFolder } from './temporary-folder.ts'

let server: TestServer
let headers: { authorization: string }
beforeAll(async () => {
  server = await testServer()
  await server.addPharmacy({ email: 'pharmacy@example.it', code: 'PHARM-0001' })
  headers = await server.signIn('pharmacy@example.it')
})

describe('every answer', () => {
  it.each(['/healthz', '/api/airtable-orders', '/auth/v1/user', '/nowhere'])(
    'of %s lets only our own scripts run and can be found in the log',
    async (url) => {
      const reply = await server.app.inject(url)
      expect(reply.headers['content-security-policy']).toContain("script-src 'self';")
      expect(reply.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      })
      expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    },
  )
})

it('a connection has limits of time: for its answer, its headers and its whole request', () => {
  const { timeout, headersTimeout, requestTimeout } = server.app.server
  expect({ timeout, headersTimeout, requestTimeout }).toEqual({
    timeout: 60_000,
    headersTimeout: 30_000,
    requestTimeout: 15 * 60_000,
  })
})

it.each([
  [false, '127.0.0.1'],
  [1, '203.0.113.3'],
  [2, '203.0.113.2'],
])('with %j trusted proxies the caller is the address %s', async (trustProxy, address) => {
  const publicUrl = 'http://localhost:3000'
  const options = { log: silentLog, trustProxy, publicUrl, webFolder: '/nowhere', previewHosts: [] }
  const app = await buildApp(server, options)
  onTestFinished(() => app.close())
  app.get('/address', (request) => request.ip)
  const forwarded = { 'x-forwarded-for': '203.0.113.1, 203.0.113.2, 203.0.113.3' }
  expect((await app.inject({ url: '/address', headers: forwarded })).body).toBe(address)
})

describe('what cannot be answered', () => {
  it('is a 404 in our own shape', async () => {
    const reply = await server.app.inject('/api/nowhere')
    expect([reply.statusCode, reply.json()]).toMatchObject([
      404,
      { code: 'route.not_found', requestId: reply.headers['x-request-id'] },
    ])
  })

  it.each([
    ['broken JSON', '{', 'application/json', 400],
    ['another media type', 'x', 'text/plain', 400],
    [
      'a body that is too large',
      JSON.stringify({ x: 'x'.repeat(16 * 1024) }),
      'application/json',
      413,
    ],
  ])('%s is refused', async (_what, payload, type, status) => {
    const reply = await server.app.inject({
      method: 'PATCH',
      url: '/api/airtable-orders/recAAAAAAAAAAAAAA',
      headers: { ...headers, 'content-type': type },
      payload,
    })
    expect(reply.statusCode).toBe(status)
  })

  it.each(['rec', 'recAAA%2F..%2FBBB', 'tblAAAAAAAAAAAAAA', `rec${'A'.repeat(41)}`])(
    'the record id %s is refused',
    async (id) => {
      const reply = await server.app.inject({
        method: 'PATCH',
        url: `/api/airtable-orders/${id}`,
        headers,
        payload: { fields: { Stato: 'Annullato' } },
      })
      expect(reply.statusCode).toBe(400)
    },
  )

  it.each(['/offers/%E0%A4%A', '/api/orders/%'])(
    'an address that cannot be read: %s',
    async (url) => {
      const reply = await server.app.inject(url)
      expect(reply.statusCode).toBe(400)
      expect(reply.json()).toMatchObject({
        code: 'request.invalid',
        error: 'La richiesta non è valida. Ricarica la pagina e riprova.',
      })
    },
  )
})

const Operation = z.looseObject({
  security: z.unknown(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
  parameters: z.array(z.looseObject({ name: z.string() })).optional(),
})
const OpenApi = z.object({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
})

// Its statements about access are tested in src/http/openapi.test.ts.
describe('the document of the API', () => {
  it('names the query of a call, and apart one that differs from another by its query alone', async () => {
    const { paths } = OpenApi.parse((await server.app.inject('/api/openapi.json')).json())
    const list = paths['/api/airtable-orders']?.['get']
    expect(list?.parameters?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['page', 'pageSize', 'stato', 'ordina']),
    )
    const all = paths['/api/airtable-orders?getAllRecords=true']?.['get']
    expect(all?.parameters).toMatchObject([
      { name: 'getAllRecords', in: 'query', required: true },
      { name: 'pharmacyFilter', in: 'query', required: false },
    ])
    expect(all?.responses['400']?.description).toContain('pharmacy.not_named')
  })
})

describe('the call that programs make', () => {
  it('is documented with its header, its key, a body that would be taken and its answer', async () => {
    const document: unknown = (await server.app.inject('/api/openapi.json')).json()
    const { paths } = OpenApi.parse(document)
    const create = paths['/api/orders']?.['post']
    expect(create).toMatchObject({
      tags: ['For programs'],
      security: [{ key: [] }, { bearer: [] }],
      parameters: [{ name: 'Idempotency-Key', in: 'header', required: true }],
    })
    expect(create?.['description']).toContain('Idempotency-Key')
    expect(Object.keys(create?.responses ?? {})).toEqual(
      expect.arrayContaining(['201', '400', '401', '403', '409', '422', '429']),
    )
    expect(create?.responses).not.toHaveProperty('200')
    const Body = z.object({
      content: z.object({ 'application/json': z.object({ example: createOrder.body }) }),
    })
    expect(Body.safeParse(create?.['requestBody']).error).toBeUndefined()
    expect(document).toMatchObject({
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    })
  })
})

describe('the page of the API', () => {
  it('is made of what this server has, and of no script within', async () => {
    const page = await server.app.inject('/api/docs')
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
    expect(page.body).not.toMatch(/<script(?![^>]* src=)|style=|https?:/)
    const parts = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
    expect(parts).toHaveLength(4)
    for (const path of parts) {
      const part = await server.app.inject(path)
      expect([path, part.statusCode]).toEqual([path, 200])
      expect(part.body.length).toBeGreaterThan(100)
    }
  })
})

describe('without its database', () => {
  it('the server lives, is not ready, and asks to try again rather than to sign in', async () => {
    const broken = await testServer()
    await broken.addPharmacy({ email: 'pharmacy@example.it', code: 'PHARM-0001' })
    const session = await broken.signIn('pharmacy@example.it')
    await dropDatabase(broken.database.url)
    expect((await broken.app.inject('/healthz')).statusCode).toBe(200)
    expect((await broken.app.inject('/readyz')).statusCode).toBe(503)
    const orders = await broken.app.inject({ url: '/api/airtable-orders', headers: session })
    expect(orders.statusCode).toBe(503)
    expect(orders.json()).toMatchObject({ code: 'service.unavailable' })
    const refresh = await broken.app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: 'x'.repeat(43) },
    })
    expect(refresh.statusCode).toBe(503)
  })
})

describe('where nothing can be written', () => {
  it('the server is not ready: in a database that is read-only', async () => {
    const { app, database } = await testServer()
    const { pathname } = new URL(database.url)
    await database.pool.query(
      `alter database ${pathname.slice(1)} set default_transaction_read_only = on`,
    )
    // New connections have the setting.
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await vi.waitUntil(async () => (await app.inject('/readyz')).statusCode === 503)
    expect((await app.inject('/api/airtable-orders')).statusCode).toBe(401)
    expect((await app.inject('/healthz')).statusCode).toBe(200)
  })

  it('the database is checked every few seconds, however many requests come', async () => {
    const { app, database } = await testServer()
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready' })
    await dropDatabase(database.url)
    expect((await app.inject('/readyz')).statusCode).toBe(200)
  })

  it('the server is not ready: in a data folder that takes no files', async () => {
    const { database } = await testServer()
    const folder = await testFileFolder()
    // A folder that takes no files, from root either.
    await symlink('/proc', join(folder, 'scratch'))
    const { app, wired } = await testApp(database, { files: { folder } }, silentLog)
    onTestFinished(() => wired.close())
    expect((await app.inject('/readyz')).statusCode).toBe(503)
  })
})

describe('a call that is refused', () => {
  const search = (app = server.app, remoteAddress = '198.51.100.7') =>
    app.inject({
      method: 'POST',
      url: '/api/orders/search',
      headers: { 'content-type': 'application/json' },
      payload: '['.repeat(1_000_000),
      remoteAddress,
    })

  it('is refused before its body is read', async () => {
    const reply = await search()
    expect([reply.statusCode, reply.json()]).toMatchObject([401, { code: 'session.missing' }])
  })

  it('is limited per network, and those that are not refused are unaffected', async () => {
    const publicUrl = 'http://localhost:3000'
    const app = await buildApp(server, {
      log: silentLog,
      trustProxy: false,
      publicUrl,
      webFolder: '/nowhere',
      previewHosts: [],
      maxRefusedCalls: 2,
    })
    onTestFinished(() => app.close())
    const replies = await Promise.all([search(app), search(app), search(app)])
    const limited = replies.filter(({ statusCode }) => statusCode === 429)
    expect([limited.length, replies.length]).toEqual([1, 3])
    expect(limited[0]?.json()).toMatchObject({ code: 'request.too_many' })
    expect(limited[0]?.headers['connection']).toBe('close')
    expect(limited[0]?.headers['retry-after']).toMatch(/^[1-6]\d?$/)
    expect((await search(app, '198.51.100.8')).statusCode).toBe(401)
    const orders = { url: '/api/airtable-orders', headers, remoteAddress: '198.51.100.7' }
    expect((await app.inject(orders)).statusCode).toBe(200)
  })
})
