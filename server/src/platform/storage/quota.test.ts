import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { storageServer } from '../../../test/conformance/storage/storage-server.ts'
import { testFileFolder } from '../../../test/temporary-folder.ts'

const QUOTA = 10_000
const MAX_OBJECTS = 15

const folder = await testFileFolder()
const storage = { quotaBytes: QUOTA, quotaObjects: MAX_OBJECTS, maxBytes: 8_000 }
const server = await storageServer({ files: { folder, s3: undefined }, storage })

beforeEach(async () => {
  await call('POST', 'bucket/pharmacies/empty', {})
  await call('POST', 'bucket/second/empty', {})
})

const call = (method: string, path: string, body: object, headers = server.as.admin) =>
  fetch(`${server.url}/${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

await call('POST', 'bucket', { name: 'second', file_size_limit: 5_000 })

type Wish = { method?: string; headers?: Record<string, string>; chunked?: boolean }

async function upload(name: string, bytes: number, { method = 'POST', ...wish }: Wish = {}) {
  const content = new Uint8Array(bytes)
  // Without a stated length, an upload can only be refused after it was received.
  const body = wish.chunked ? new Blob([content]).stream() : content
  const reply = await fetch(`${server.url}/object/${name.replace('~', server.own)}`, {
    method,
    headers: { ...server.as.own, 'content-type': 'application/zip', ...wish.headers },
    body,
    duplex: 'half',
  })
  const { message } = (await reply.json()) as { message?: string }
  return [reply.status, message]
}

const FULL = [413, 'The storage quota has been exceeded']
const DONE = [200, undefined]
const TAKEN = [409, 'The resource already exists']

async function used(): Promise<number> {
  const { rows } = await server.database.pool.query(
    'select coalesce(sum(size), 0)::int as used from storage_objects where folder = $1',
    [server.own],
  )
  return (rows as { used: number }[])[0]?.used ?? 0
}

async function filesOnDisk(): Promise<number> {
  return (await readdir(join(folder, 'files', 'objects')).catch(() => [])).length
}

describe('the space of a folder', () => {
  it.each([false, true])('is not exceeded by one upload, chunked: %s', async (chunked) => {
    expect(await upload('pharmacies/~/a', 6_000, { chunked })).toEqual(DONE)
    expect(await upload('pharmacies/~/b', 4_001, { chunked })).toEqual(FULL)
    expect(await upload('pharmacies/~/b', 4_000, { chunked })).toEqual(DONE)
    expect(await filesOnDisk()).toBe(2)
  })

  it('is one space in all buckets', async () => {
    expect(await upload('pharmacies/~/a', 6_000)).toEqual(DONE)
    expect(await upload('second/~/b', 4_001)).toEqual(FULL)
    expect(await upload('second/~/b', 4_000)).toEqual(DONE)
  })

  it('is not exceeded by many uploads at once', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `pharmacies/~/${index}`)
    const replies = await Promise.all(names.map((name) => upload(name, 3_000, { chunked: true })))
    expect(replies.filter(([status]) => status === 200)).toHaveLength(3)
    expect(replies.filter(([status]) => status === 413)).toHaveLength(9)
    expect(await used()).toBe(9_000)
    // Refused uploads leave no file on the disk.
    expect(await filesOnDisk()).toBe(3)
  })

  it('counts what replaces something in its place', async () => {
    await upload('pharmacies/~/a', 6_000)
    expect(await upload('pharmacies/~/a', 8_000, { method: 'PUT' })).toEqual(DONE)
    expect(await used()).toBe(8_000)
    expect(await filesOnDisk()).toBe(1)
  })

  it('is there again when something is removed', async () => {
    await upload('pharmacies/~/a', 8_000)
    expect(await upload('pharmacies/~/b', 8_000)).toEqual(FULL)
    await call('DELETE', 'object/pharmacies', { prefixes: [`${server.own}/a`] }, server.as.own)
    expect(await filesOnDisk()).toBe(0)
    expect(await upload('pharmacies/~/b', 8_000)).toEqual(DONE)
  })

  it('holds copies, and what administrators move there', async () => {
    await upload('pharmacies/~/a', 6_000)
    const [source, copy] = [`${server.own}/a`, `${server.own}/b`]
    const wanted = { bucketId: 'pharmacies', sourceKey: source, destinationKey: copy }
    const copied = await call('POST', 'object/copy', wanted, server.as.own)
    expect([copied.status, await filesOnDisk()]).toEqual([413, 1])
    const elsewhere = `${server.other}/a`
    const bring = { ...wanted, sourceKey: elsewhere, destinationKey: copy }
    const take = { ...wanted, destinationKey: elsewhere }
    expect((await call('POST', 'object/move', take)).status).toBe(200)
    await upload('pharmacies/~/c', 6_000)
    expect((await call('POST', 'object/move', bring)).status).toBe(413)
    expect((await call('POST', 'object/move', { ...bring, destinationKey: 'x' })).status).toBe(200)
  })
})

describe('the number of objects in a folder', () => {
  it('is bounded, although there is nothing in them', async () => {
    const bring = (sourceKey: string, destinationKey: string) => ({
      bucketId: 'pharmacies',
      sourceKey,
      destinationKey,
    })
    const names = Array.from({ length: MAX_OBJECTS + 3 }, (_, index) => `pharmacies/~/${index}`)
    const replies = await Promise.all(names.map((name) => upload(name, 0, { chunked: true })))
    expect(replies.filter(([status]) => status === 200)).toHaveLength(MAX_OBJECTS)
    expect(replies.filter(([status]) => status === 413)).toHaveLength(3)
    expect(await upload('second/~/a', 0)).toEqual(FULL)
    // Existing objects may be replaced, and moved within the folder.
    const [kept = ''] = names.filter((_name, index) => replies[index]?.[0] === 200)
    expect(await upload(kept, 5, { method: 'PUT' })).toEqual(DONE)
    const key = kept.replace('pharmacies/~', server.own)
    const [moved, copy] = [`${server.own}/moved`, `${server.own}/copy`]
    const move = await call('POST', 'object/move', bring(key, moved), server.as.own)
    expect(move.status).toBe(200)
    expect((await call('POST', 'object/copy', bring(moved, copy), server.as.own)).status).toBe(413)
    // Administrators can move objects out, but not exceed the quota either.
    expect((await call('POST', 'object/copy', bring(moved, 'x/a'))).status).toBe(200)
    expect((await call('POST', 'object/move', bring('x/a', copy))).status).toBe(413)
    await call('DELETE', 'object/pharmacies', { prefixes: [moved] }, server.as.own)
    expect((await call('POST', 'object/move', bring('x/a', copy))).status).toBe(200)
  })

  it('is not gone around by what is said of them', async () => {
    await upload('pharmacies/~/a', 1)
    const metadata = { text: 'x'.repeat(8 * 1024) }
    const wanted = { sourceKey: `${server.own}/a`, destinationKey: `${server.own}/b`, metadata }
    const body = { bucketId: 'pharmacies', copyMetadata: false, ...wanted }
    expect((await call('POST', 'object/copy', body, server.as.own)).status).toBe(400)
    const short = { ...body, metadata: { text: 'x' } }
    expect((await call('POST', 'object/copy', short, server.as.own)).status).toBe(200)
  })
})

describe('one object', () => {
  it.each([false, true])('is no larger than any may be, chunked: %s', async (chunked) => {
    const reply = [413, 'The object exceeded the maximum allowed size']
    for (const bytes of [8_001, 3_000_000]) {
      expect(await upload('pharmacies/~/a', bytes, { chunked })).toEqual(reply)
    }
    expect(await readdir(join(folder, 'scratch'))).toEqual([])
    expect(await upload('second/~/a', 5_001, { chunked })).toEqual(reply)
    expect(await upload('second/~/a', 5_000, { chunked })).toEqual(DONE)
    expect(await filesOnDisk()).toBe(1)
  })

  it('is put once by who does it several times at once', async () => {
    const replies = await Promise.all(
      [1, 2, 3, 4].map((bytes) => upload('pharmacies/~/a', bytes, { chunked: true })),
    )
    expect(replies.filter(([status]) => status === 200)).toHaveLength(1)
    expect(replies.filter(([status]) => status !== 200)).toEqual([TAKEN, TAKEN, TAKEN])
    expect(await filesOnDisk()).toBe(1)
  })

  it('is whole after concurrent replacements', async () => {
    const sizes = [1_000, 2_000, 3_000, 4_000]
    const replies = await Promise.all(
      sizes.map((bytes) => upload('pharmacies/~/a', bytes, { method: 'PUT' })),
    )
    expect(replies).toEqual(sizes.map(() => DONE))
    const name = `${server.own}/a`
    const read = await fetch(`${server.url}/object/pharmacies/${name}`, { headers: server.as.own })
    expect((await read.arrayBuffer()).byteLength).toBe(await used())
    expect(await filesOnDisk()).toBe(1)
  })
})
