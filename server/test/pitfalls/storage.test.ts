import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { clientOf, ok } from '../conformance/storage/clients.ts'
import { type StorageServer, storageServer } from '../conformance/storage/storage-server.ts'
import { testAuth } from '../server.ts'

/** Known pitfalls of names, headers and byte ranges. */

const SECRET = 'Segretissimo'
const foreign = 'https://app.example.org'

let server: StorageServer
let secretName: string

beforeAll(async () => {
  server = await storageServer({
    auth: { ...testAuth, origins: [foreign] },
  })
  secretName = `${server.other}/secret.txt`
  const theirs = clientOf(server, server.as.other).from('pharmacies')
  await ok(theirs.upload(secretName, SECRET))
  const admin = clientOf(server, server.as.admin)
  await ok(admin.createBucket('shown', { public: true }))
})

type Reply = { status: number; headers: IncomingHttpHeaders; text: string }
type Sent = { headers?: Record<string, string>; body?: string | Buffer }

/** A request with an unmodified path: other clients normalize it. */
function raw(method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.origin)
    const sent = httpRequest(
      {
        method,
        hostname,
        port,
        path: `/storage/v1${path}`,
        headers: {
          ...server.as.own,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (reply) => {
        const parts: Buffer[] = []
        reply.on('data', (part: Buffer) => parts.push(part))
        reply.on('end', () => {
          const text = Buffer.concat(parts).toString('latin1')
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const json = (method: string, path: string, body: object) =>
  raw(method, path, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function allObjects() {
  const { rows } = await server.database.pool.query<{ name: string; version: string }>(
    'select bucket_id, name, version from storage_objects order by 1, 2',
  )
  return rows
}

/** From the own folder to another one. */
const climbs = [
  '../{other}/secret.txt',
  '%2e%2e/{other}/secret.txt',
  '%2E%2e%2F{other}%2Fsecret.txt',
  '..%2f{other}%2fsecret.txt',
  '..%5c{other}%5csecret.txt',
  '..\\{other}\\secret.txt',
  '%252e%252e%252f{other}%252fsecret.txt',
  '%c0%ae%c0%ae%c0%af{other}/secret.txt',
  '%ef%bc%8e%ef%bc%8e%ef%bc%8f{other}/secret.txt',
  '%e2%80%a5/{other}/secret.txt',
  './../{other}/secret.txt',
  'a/../../{other}/secret.txt',
  '../../{other}/secret.txt',
  '/../{other}/secret.txt',
  '%00/../{other}/secret.txt',
  '..%00/{other}/secret.txt',
  '%0a../{other}/secret.txt',
  '%3F/../{other}/secret.txt',
  '%',
  '%zz',
  '%00',
  '',
]

describe('a name that climbs', () => {
  it.each(climbs)('reaches nothing: %s', async (climb) => {
    const path = `${server.own}/${climb.replace('{other}', server.other)}`
    const before = await allObjects()
    const text = { headers: { 'content-type': 'text/plain', 'x-upsert': 'true' }, body: 'broken' }
    const replies = [
      await raw('GET', `/object/pharmacies/${path}`),
      await raw('GET', `/object/authenticated/pharmacies/${path}`),
      await raw('GET', `/object/info/pharmacies/${path}`),
      await raw('GET', `/object/public/pharmacies/${path}`),
      await raw('GET', `/object/public/shown/${path}`),
      await raw('GET', `/render/image/authenticated/pharmacies/${path}`),
      await raw('POST', `/object/sign/pharmacies/${path}`, {
        headers: { 'content-type': 'application/json' },
        body: '{"expiresIn":60}',
      }),
      await raw('POST', `/object/upload/sign/pharmacies/${path}`, {
        headers: { 'x-upsert': 'true' },
      }),
      await raw('DELETE', `/cdn/pharmacies/${path}`),
      await raw('POST', `/object/pharmacies/${path}`, text),
      await raw('PUT', `/object/pharmacies/${path}`, text),
    ]
    for (const reply of replies) {
      expect([400, 403, 404]).toContain(reply.status)
      expect(reply.text).not.toContain(SECRET)
    }
    expect(await allObjects()).toEqual(before)
  })

  it.each([
    ...new Set(climbs.filter((climb) => climb !== '').map((climb) => decodeLoosely(climb))),
    '..\u0000/{other}/secret.txt',
    '\ud800',
    '．．／{other}/secret.txt',
  ])('in a body reaches nothing: %j', async (climb) => {
    const own = `${server.own}/${climb.replace('{other}', server.other)}`
    const mine = `${server.own}/mine.txt`
    const files = clientOf(server, server.as.own).from('pharmacies')
    await ok(files.upload(mine, 'mine', { upsert: true }))
    const before = await allObjects()
    const bucketId = 'pharmacies'
    const replies = [
      await json('POST', '/object/move', { bucketId, sourceKey: own, destinationKey: `${mine}.2` }),
      await json('POST', '/object/move', { bucketId, sourceKey: mine, destinationKey: own }),
      await json('POST', '/object/copy', { bucketId, sourceKey: own, destinationKey: `${mine}.2` }),
      await json('POST', '/object/copy', { bucketId, sourceKey: mine, destinationKey: own }),
    ]
    for (const reply of replies) {
      expect([400, 403, 404]).toContain(reply.status)
    }
    const lists = [
      await json('POST', '/object/list/pharmacies', { prefix: own }),
      await json('POST', '/object/list/pharmacies', { prefix: server.own, search: climb }),
      await json('POST', '/object/list-v2/pharmacies', { prefix: own }),
      await json('POST', '/object/list-v2/pharmacies', { prefix: own, with_delimiter: true }),
      await json('DELETE', '/object/pharmacies', { prefixes: [own] }),
      await json('POST', '/object/sign/pharmacies', { expiresIn: 60, paths: [own] }),
    ]
    for (const reply of [...replies, ...lists]) {
      expect(reply.status).toBeLessThan(500)
      expect(reply.text).not.toContain(SECRET)
      expect(reply.text).not.toContain('token=')
      expect(reply.text).not.toContain('"name":"secret.txt"')
    }
    expect(await allObjects()).toEqual(before)
  })

  it('is bounded', async () => {
    const long = `${server.own}/${'x'.repeat(5_000)}`
    expect((await raw('GET', `/object/pharmacies/${long}`)).status).toBe(400)
    expect((await raw('POST', `/object/pharmacies/${long}`, { body: 'x' })).status).toBe(400)
    const list = await json('POST', '/object/list/pharmacies', { prefix: 'x'.repeat(500_000) })
    expect(list.status).toBeLessThan(500)
    const many = Array.from({ length: 1_001 }, (_, n) => `${server.own}/${n}`)
    const removal = await json('DELETE', '/object/pharmacies', { prefixes: many })
    expect(removal.status).toBe(400)
  })
})

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

describe('a name to save under', () => {
  it.each([
    'a%0d%0aSet-Cookie:%20x=1',
    'a%0aX-Injected:%201',
    '%22%3B%20filename=%22evil.html',
    '%E2%80%AEgnp.exe',
    '../../etc/passwd',
    '%00',
    'x'.repeat(6_000),
    '%ED%A0%80',
    '%',
    'conti%20%C3%A8.txt&download=other.html',
  ])('says nothing else: %s', async (name) => {
    const path = `${server.own}/save.txt`
    const files = clientOf(server, server.as.own).from('shown')
    await ok(files.upload(path, 'text', { upsert: true }))
    const signed = (await ok(files.createSignedUrl(path, 60))).signedUrl.slice(server.url.length)
    for (const url of [`/object/public/shown/${path}?`, `/object/shown/${path}?`, `${signed}&`]) {
      const { status, headers } = await raw('GET', `${url}download=${name}`)
      expect([200, 400]).toContain(status)
      expect(headers).not.toHaveProperty('set-cookie')
      expect(headers).not.toHaveProperty('x-injected')
      const { 'content-disposition': disposition = '' } = headers
      // Two names are invalid.
      if (status === 200 && !name.includes('&')) {
        expect(disposition).toMatch(
          /^(inline|attachment); filename="[^"\\/\p{Cc}]{0,250}"; filename\*=UTF-8''[\w.!~%-]{0,1500}$/u,
        )
      }
      expect(decodeURIComponent(/''(.*)$/.exec(disposition)?.[1] ?? '')).not.toMatch(
        /[\p{Cc}\p{Cf}/\\]/u,
      )
    }
  })

  it('and how long to keep it are no way into a header either', async () => {
    const boundary = 'x'
    const body = [
      `--${boundary}`,
      'content-disposition: form-data; name="cacheControl"',
      '',
      '60\r\nSet-Cookie: a=b',
      `--${boundary}`,
      'content-disposition: form-data; name=""; filename="a.txt"',
      'content-type: text/plain\x0b; charset="utf-8\x01"',
      '',
      'text',
      `--${boundary}--`,
      '',
    ].join('\r\n')
    const path = `${server.own}/headers.txt`
    const reply = await raw('POST', `/object/shown/${path}`, {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body,
    })
    expect(reply.status).toBeLessThan(500)
    const { status, headers } = await raw('GET', `/object/public/shown/${path}`)
    expect([200, 404]).toContain(status)
    expect(headers).not.toHaveProperty('set-cookie')
    expect(headers['cache-control'] ?? '').not.toContain('Cookie')
    expect(headers['content-type'] ?? '').toMatch(/^[\x20-\x7e]*$/)
  })
})

/** Content that would run in a page of our origin if a browser sniffed its type. */
const page = '<!doctype html><html><script>alert(document.domain)</script></html>'
const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
const hostile: [name: string, type: string, body: string | Buffer, headers?: object][] = [
  ['page.html', 'text/html', page],
  ['page.htm', 'text/html;charset=utf-7', page],
  ['page.html', 'TEXT/HTML', page],
  ['page.html', ' text/html', page],
  ['page.png', 'image/png', page],
  ['page.jpg', 'image/jpeg', page],
  ['page.svg', 'image/svg+xml', svg],
  ['logo.png', 'image/png', svg],
  ['page.xhtml', 'application/xhtml+xml', page],
  ['page.xml', 'text/xml', `<?xml version="1.0"?>${svg}`],
  ['page.xml', 'application/rss+xml', svg],
  ['page.mht', 'multipart/related', page],
  ['page.pdf', 'application/pdf', page],
  ['sw.js', 'text/javascript', 'onfetch = () => {}'],
  ['sw.js', 'application/javascript', 'onfetch = () => {}'],
  ['page.txt', 'text/plain', page],
  ['page.json', 'application/json', page],
  ['page', 'application/octet-stream', page],
  ['page', 'unknown/unknown', page],
  ['page', '*/*', page],
  ['page', 'text/html, text/plain', page],
  ['both.jpg', 'image/jpeg', Buffer.concat([jpeg, Buffer.from(page)])],
  ['both.gif', 'image/gif', `GIF89a/*${'\0'.repeat(20)}*/=1;${page}`],
  ['packed.png', 'image/png', gzipSync(page), { 'content-encoding': 'gzip' }],
  ['packed.html', 'text/html', gzipSync(page), { 'content-encoding': 'gzip' }],
  ['wide.png', 'image/png', Buffer.from(`\ufeff${page}`, 'utf16le')],
]

const RUNS = /html|xml|script|svg|multipart|octet|unknown/i

describe('what a page could be in', () => {
  it.each(hostile)('can do nothing, whichever way it is sent: %s as %s', async (...file) => {
    const [end, type, body, more = {}] = file
    const path = `${server.own}/hostile/${end}`
    const headers = { 'content-type': type, 'x-upsert': 'true', ...more }
    const sent = await raw('POST', `/object/shown/${path}`, { headers, body })
    expect([200, 400, 415]).toContain(sent.status)
    if (sent.status !== 200) return
    const client = clientOf(server, server.as.own)
    const files = client.from('shown')
    const { signedUrl } = await ok(files.createSignedUrl(path, 60))
    const drawing = await ok(files.createSignedUrl(path, 60, { transform: { width: 10 } }))
    const inline = { accept: 'text/html,*/*', 'sec-fetch-dest': 'document' }
    for (const url of [
      `/object/public/shown/${path}`,
      `/object/shown/${path}`,
      `/object/authenticated/shown/${path}`,
      signedUrl.slice(server.url.length),
      `/render/image/public/shown/${path}?width=10`,
      `/render/image/authenticated/shown/${path}?width=10`,
      drawing.signedUrl.slice(server.url.length),
    ]) {
      for (const range of [{}, { range: 'bytes=0-' }]) {
        const reply = await raw('GET', url, { headers: { ...inline, ...range } })
        expect(reply.status).toBeLessThan(500)
        expectInert(reply)
      }
    }
  })
})

function expectInert({ status, headers, text }: Reply) {
  expect(headers['x-content-type-options']).toBe('nosniff')
  const type = headers['content-type'] ?? ''
  if (status >= 400) {
    expect(type).toMatch(/^application\/json/)
    expect(text).not.toContain('<script')
    return
  }
  const policy = headers['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'")
  if (!type.startsWith('application/pdf')) expect(policy).toContain('sandbox')
  const isSaved = headers['content-disposition']?.startsWith('attachment') ?? false
  if (!isSaved) expect(type).not.toMatch(RUNS)
  // A service worker script is loaded despite `Content-Disposition`.
  expect(type).not.toMatch(/script/i)
}

describe('other sites', () => {
  const preflight = (origin: string, path = '/object/pharmacies/a.txt', method = 'PUT') =>
    raw('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,x-upsert,x-client-info,apikey',
      },
    })

  it('may call if they were configured, in every way', async () => {
    for (const [path, method] of [
      ['/object/pharmacies/a.txt', 'POST'],
      ['/object/pharmacies/a.txt', 'PUT'],
      ['/object/pharmacies', 'DELETE'],
      ['/object/upload/sign/pharmacies/a.txt', 'PUT'],
      ['/object/sign/pharmacies/a.txt', 'POST'],
      ['/render/image/authenticated/pharmacies/a.txt', 'GET'],
      ['/cdn/pharmacies/a.txt', 'DELETE'],
      ['/bucket', 'POST'],
    ] as const) {
      const reply = await preflight(foreign, path, method)
      expect(reply.status).toBe(204)
      expect(reply.headers['access-control-allow-origin']).toBe(foreign)
      expect(reply.headers['access-control-allow-methods']).toContain(method)
      expect(reply.headers['access-control-allow-headers']?.toLowerCase()).toContain('x-upsert')
      expect(reply.headers).not.toHaveProperty('access-control-allow-credentials')
    }
    const read = await raw('GET', '/bucket', { headers: { origin: foreign } })
    expect(read.headers['access-control-allow-origin']).toBe(foreign)
  })

  it.each([
    'https://evil.example.org',
    'null',
    `${foreign}.evil.example`,
    'http://app.example.org',
  ])('may not if they were not: %s', async (origin) => {
    const reply = await preflight(origin)
    expect(reply.headers['access-control-allow-origin'] ?? 'none').not.toMatch(
      new RegExp(`^(\\*|${origin})$`),
    )
    const read = await raw('GET', `/object/pharmacies/${server.own}/a.txt`, {
      headers: { origin },
    })
    expect(read.headers).not.toHaveProperty('access-control-allow-credentials')
    expect(read.headers['access-control-allow-origin'] ?? 'none').not.toMatch(
      new RegExp(`^(\\*|${origin})$`),
    )
  })
})
