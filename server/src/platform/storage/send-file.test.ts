import { describe, expect, it } from 'vitest'
import { storageServer } from '../../../test/conformance/storage/storage-server.ts'

const TEXT = '0123456789'

const server = await storageServer()
const made = await fetch(`${server.url}/bucket`, {
  method: 'POST',
  headers: { ...server.as.admin, 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'aperto', public: true }),
})
expect(made.status).toBe(200)

let count = 0

type Sent = { body?: string; type?: string; bucket?: string; headers?: Record<string, string> }

/** Uploads a file. @returns the path of its object */
async function upload({ body = TEXT, type = 'text/plain', bucket = 'pharmacies', ...rest }: Sent) {
  count += 1
  const path = `${bucket}/${server.own}/un file ${count}.dat`
  const reply = await fetch(`${server.url}/object/${path}`, {
    method: 'POST',
    headers: { ...server.as.own, 'content-type': type, ...rest.headers },
    body,
  })
  expect(reply.status).toBe(200)
  return path
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.url}/object/${path}`, { method, headers: { ...server.as.own, ...headers } })

const InAnswer = ['content-length', 'content-range', 'accept-ranges'] as const
const told = (reply: Response) => InAnswer.map((name) => reply.headers.get(name))

describe('an object', () => {
  it('is sent whole, with what there is to know of it', async () => {
    const path = await upload({ headers: { 'cache-control': 'max-age=60' } })
    const reply = await get(path)
    expect([reply.status, await reply.text()]).toEqual([200, TEXT])
    expect(told(reply)).toEqual(['10', null, 'bytes'])
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/plain',
      'cache-control': 'private, max-age=60',
      'x-robots-tag': 'none',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Authorization',
    })
    expect(reply.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/)
    expect(Date.parse(reply.headers.get('last-modified') ?? '')).toBeLessThanOrEqual(Date.now())
  })

  it('is sent in parts', async () => {
    const path = await upload({})
    const part = await get(path, { range: 'bytes=2-4' })
    expect([part.status, await part.text()]).toEqual([206, '234'])
    expect(told(part)).toEqual(['3', 'bytes 2-4/10', 'bytes'])
    const end = await get(path, { range: 'bytes=-2' })
    expect([end.status, await end.text()]).toEqual([206, '89'])
    const many = await get(path, { range: 'bytes=0-1,3-4' })
    expect([many.status, await many.text()]).toEqual([200, TEXT])
  })

  it('has no part after its end', async () => {
    const reply = await get(await upload({}), { range: 'bytes=10-' })
    expect(reply.status).toBe(416)
    expect(reply.headers.get('content-range')).toBe('bytes */10')
    expect(reply.headers.get('etag')).toBeNull()
    expect(await reply.json()).toMatchObject({ statusCode: '416', code: 'InvalidRange' })
  })

  it('is sent in parts only of what the caller has the beginning of', async () => {
    const path = await upload({})
    const etag = (await get(path)).headers.get('etag') ?? ''
    const same = await get(path, { range: 'bytes=5-', 'if-range': etag })
    expect([same.status, await same.text()]).toEqual([206, '56789'])
    const other = await get(path, { range: 'bytes=5-', 'if-range': '"another"' })
    expect([other.status, await other.text()]).toEqual([200, TEXT])
  })

  it('is not sent again to who has it', async () => {
    const path = await upload({})
    const first = await get(path)
    const etag = first.headers.get('etag') ?? ''
    const since = first.headers.get('last-modified') ?? ''
    const known = await get(path, { 'if-none-match': `"b", W/${etag}` })
    expect([known.status, await known.text()]).toEqual([304, ''])
    expect(known.headers.get('etag')).toBe(etag)
    expect((await get(path, { 'if-modified-since': since })).status).toBe(304)
    // `If-None-Match` takes precedence.
    const both = await get(path, { 'if-none-match': '"b"', 'if-modified-since': since })
    expect(both.status).toBe(200)
  })

  it('is told of without being sent', async () => {
    const path = await upload({})
    const reply = await get(path, { range: 'bytes=0-1' }, 'HEAD')
    expect([reply.status, await reply.text()]).toEqual([200, ''])
    expect(told(reply)).toEqual(['10', null, 'bytes'])
  })

  it('of a public bucket may be kept and shown by everybody', async () => {
    const path = await upload({ bucket: 'aperto', headers: { 'cache-control': 'max-age=60' } })
    const reply = await fetch(`${server.url}/object/public/${path}`)
    expect([reply.status, await reply.text()]).toEqual([200, TEXT])
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'cache-control': 'public, max-age=60',
      'cross-origin-resource-policy': 'cross-origin',
    })
  })

  it('of a bucket that is no longer public is not served to strangers, also for a conditional request', async () => {
    const call = (method: string, path: string, isPublic: boolean) =>
      fetch(`${server.url}/bucket${path}`, {
        method,
        headers: { ...server.as.admin, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'richiuso', public: isPublic }),
      })
    await call('POST', '', true)
    const path = await upload({ bucket: 'richiuso' })
    const url = `${server.url}/object/public/${path}`
    const { status, headers } = await fetch(url)
    expect(status).toBe(200)
    await call('PUT', '/richiuso', false)
    for (const known of [
      {},
      { 'if-none-match': headers.get('etag') ?? '' },
      { 'if-none-match': '*' },
      { 'if-modified-since': headers.get('last-modified') ?? '' },
      { range: 'bytes=0-1' },
    ]) {
      const reply = await fetch(url, { headers: known })
      expect([reply.status, reply.headers.get('etag')]).toEqual([404, null])
    }
    expect((await get(path)).headers.get('cache-control')).toBe('private, no-cache')
  })

  it.each([
    ['no-store', 'no-store'],
    ['max-age=31536000, immutable', 'private, max-age=31536000, immutable'],
    ['public, s-maxage=60', 'private, no-cache'],
    ['max-age=undefined', 'private, no-cache'],
  ])('wished to be kept as %j is kept as %j', async (wished, kept) => {
    const path = await upload({ headers: { 'cache-control': wished } })
    expect((await get(path)).headers.get('cache-control')).toBe(kept)
  })

  it('that was packed is sent so, with its word for it', async () => {
    const { gzipSync } = await import('node:zlib')
    const packed = gzipSync(TEXT)
    const path = `pharmacies/${server.own}/packed.txt`
    await fetch(`${server.url}/object/${path}`, {
      method: 'POST',
      headers: { ...server.as.own, 'content-type': 'text/plain', 'content-encoding': 'gzip' },
      body: packed,
    })
    const reply = await get(path)
    expect(reply.headers.get('content-encoding')).toBe('gzip')
    expect(await reply.text()).toBe(TEXT)
  })
})

describe('in a browser', () => {
  // Further types are in test/pitfalls/storage.test.ts.
  it.each(['application/x-ecmascript', 'text/jscript'])('what is %s is no script', async (type) => {
    const reply = await get(await upload({ type, body: 'alert(1)' }))
    expect(reply.headers.get('content-type')).toBe('text/plain;charset=utf-8')
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; /)
  })

  it.each([
    ['', 'filename="un file %d.dat"; filename*=UTF-8\'\'un%20file%20%d.dat'],
    ['conti è.pdf', 'filename="conti _.pdf"; filename*=UTF-8\'\'conti%20%C3%A8.pdf'],
    ['a"\r\nx: y/../b', 'filename="a___x: y_.._b"; filename*=UTF-8\'\'a%22__x%3A%20y_.._b'],
    // Cut, but not within a character.
    [
      `${'a'.repeat(199)}\u{1f600}`,
      `filename="${'a'.repeat(199)}_"; filename*=UTF-8''${'a'.repeat(199)}_`,
    ],
  ])('one is saved as %j', async (download, expected) => {
    const path = await upload({})
    const query = new URLSearchParams({ download })
    const reply = await get(`${path}?${query.toString()}`)
    const named = expected.replaceAll('%d', String(count))
    expect(reply.headers.get('content-disposition')).toBe(`attachment; ${named}`)
  })
})
