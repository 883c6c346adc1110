import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type AuthHeaders,
  storageServer,
} from '../../../test/conformance/storage/storage-server.ts'

const Entry = z.object({ name: z.string(), id: z.string().nullable() })
const V2 = z.object({
  hasNext: z.boolean(),
  nextCursor: z.string().optional(),
  folders: z.array(z.object({ key: z.string(), name: z.string() })),
  objects: z.array(z.object({ key: z.string(), name: z.string() })),
})

/** The objects in the pharmacy's folder. In byte order, capitals come first, and a dot precedes a slash. */
const names = [
  'B.txt',
  'a.txt',
  'a/1.txt',
  'a/2.txt',
  'a/b/3.txt',
  'a0.txt',
  'c/d/4.txt',
  'z_1.txt',
]

const server = await storageServer()
for (const name of names) await put(`${server.own}/${name}`, server.as.own)
await put(`${server.other}/a/1.txt`, server.as.other)
await put('in-the-bucket.txt', server.as.admin)
await put('common/a.txt', server.as.admin)

async function put(name: string, who: AuthHeaders) {
  const headers = { ...who, 'content-type': 'text/plain' }
  const url = `${server.url}/object/pharmacies/${encodeURI(name)}`
  const reply = await fetch(url, { method: 'POST', headers, body: name })
  expect(reply.status).toBe(200)
}

async function post(path: string, body: object, who: AuthHeaders): Promise<unknown> {
  const headers = { ...who, 'content-type': 'application/json' }
  const url = `${server.url}/object/${path}`
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return reply.json()
}

/** The listed names; folders have a trailing slash. */
async function list(prefix: string, wish: object = {}, who: AuthHeaders = server.as.own) {
  const found = await post('list/pharmacies', { prefix, ...wish }, who)
  return z
    .array(Entry)
    .parse(found)
    .map(({ name, id }) => (id === null ? `${name}/` : name))
}

/** All pages of a list. */
async function listV2(wish: object, who: AuthHeaders = server.as.own): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = V2.parse(await post('list-v2/pharmacies', { ...wish, cursor }, who))
    seen.push(...page.folders.map(({ name }) => name), ...page.objects.map(({ key }) => key))
    expect(page.hasNext).toBe(page.nextCursor !== undefined)
    cursor = page.nextCursor
  } while (cursor)
  return seen.map((name) => name.replace(`${server.own}/`, ''))
}

const all = ['a/', 'c/', 'B.txt', 'a.txt', 'a0.txt', 'z_1.txt']

describe('a list', () => {
  it('has the folders of a folder, and then its files', async () => {
    expect(await list(server.own)).toEqual(all)
    expect(await list(`/${server.own}//a/`)).toEqual(['b/', '1.txt', '2.txt'])
    expect(await list(`${server.own}/c`)).toEqual(['d/'])
    expect(await list(`${server.own}/c/d`)).toEqual(['4.txt'])
  })

  it.each(['nothing', 'a.txt', '..', '../..', 'a/..', '%', 'a\\b', 'è', "a'b"])(
    'of %j, where nothing is, is empty',
    async (name) => {
      expect(await list(`${server.own}/${name}`)).toEqual([])
    },
  )

  it('is of one part after the other', async () => {
    for (const limit of [1, 2, 4]) {
      const seen: string[] = []
      for (let offset = 0; offset < 8; offset += limit) {
        seen.push(...(await list(server.own, { limit, offset })))
      }
      expect(seen).toEqual(all)
    }
  })

  it('is sorted as it is wished', async () => {
    const sorted = (column: string, order: string) =>
      list(server.own, { sortBy: { column, order } })
    expect(await sorted('name', 'desc')).toEqual(['c/', 'a/', ...all.slice(2).toReversed()])
    // Created in the order of their names.
    for (const column of ['created_at', 'updated_at', 'last_accessed_at']) {
      expect(await sorted(column, 'asc')).toEqual(all)
      expect(await sorted(column, 'desc')).toEqual(['c/', 'a/', ...all.slice(2).toReversed()])
    }
  })

  it('is searched by beginnings, with capitals or without', async () => {
    expect(await list(server.own, { search: 'A' })).toEqual(['a/', 'a.txt', 'a0.txt'])
    expect(await list(server.own, { search: 'b.' })).toEqual(['B.txt'])
    expect(await list(server.own, { search: 'z%' })).toEqual([])
    expect(await list(server.own, { search: 'a_' })).toEqual([])
    expect(await list(server.own, { search: 'a', limit: 1, offset: 1 })).toEqual(['a.txt'])
    expect(await list('', { search: server.own.slice(0, 4).toUpperCase() })).toEqual([
      `${server.own}/`,
    ])
    expect(await list('', { search: 'x' })).toEqual([])
  })

  it('of the bucket has one folder, for who has one', async () => {
    expect(await list('')).toEqual([`${server.own}/`])
    expect(await list('', { offset: 1 })).toEqual([])
    expect(await list('', {}, server.as.other)).toEqual([`${server.other}/`])
    expect(await list('', {}, server.as.admin)).toEqual(
      [server.own, server.other, 'common']
        .toSorted()
        .map((name) => `${name}/`)
        .concat('in-the-bucket.txt'),
    )
  })

  it.each([
    { limit: 0 },
    { limit: 1001 },
    { offset: -1 },
    { prefix: 1 },
    { sortBy: { column: 'file_key' } },
    { sortBy: { column: 'name; drop table storage_objects' } },
    { sortBy: { order: 'sideways' } },
  ])('cannot be wished like %j', async (wish) => {
    const reply = await post('list/pharmacies', wish, server.as.own)
    expect(reply).toMatchObject({ statusCode: '400', code: 'InvalidRequest' })
  })

  it('of a bucket that is not there says so', async () => {
    const reply = await post('list/nowhere', { prefix: '' }, server.as.own)
    expect(reply).toMatchObject({ statusCode: '404', code: 'NoSuchBucket' })
  })
})

describe('a list of the second kind', () => {
  it.each([1, 3, 1000])('has everything below, %d at a time', async (limit) => {
    expect(await listV2({ prefix: `${server.own}/`, limit })).toEqual(names)
    const desc = { sortBy: { column: 'name', order: 'desc' } }
    expect(await listV2({ prefix: `${server.own}/`, limit, ...desc })).toEqual(names.toReversed())
    for (const column of ['created_at', 'updated_at']) {
      for (const order of ['asc', 'desc']) {
        const sorted = order === 'asc' ? names : names.toReversed()
        const wish = { prefix: `${server.own}/`, limit, sortBy: { column, order } }
        expect(await listV2(wish)).toEqual(sorted)
      }
    }
  })

  it.each([1, 2, 1000])('has folders where they divide, %d at a time', async (limit) => {
    const wish = { with_delimiter: true, limit }
    expect(await listV2({ prefix: `${server.own}/`, ...wish })).toEqual(all)
    expect(await listV2({ prefix: `${server.own}/a`, ...wish })).toEqual(['a/', 'a.txt', 'a0.txt'])
    const newest = { sortBy: { column: 'created_at', order: 'desc' } }
    expect(await listV2({ prefix: `${server.own}/`, ...wish, ...newest })).toEqual([
      'c/',
      'a/',
      ...all.slice(2).toReversed(),
    ])
  })

  it('goes on after equal times', async () => {
    await server.database.pool.query(
      `update storage_objects set created_at = '2026-01-01' where folder = $1`,
      [server.own],
    )
    const sortBy = { column: 'created_at', order: 'asc' }
    expect(await listV2({ prefix: `${server.own}/`, limit: 2, sortBy })).toEqual(names)
  })

  it('keeps to the folder of who lists, wherever they begin', async () => {
    for (const prefix of ['', server.own.slice(0, 5), `${server.own}/`]) {
      expect(await listV2({ prefix })).toEqual(names)
    }
    expect(await listV2({ prefix: 'common' })).toEqual([])
    expect(await listV2({ prefix: server.other })).toEqual([])
    expect(await listV2({ prefix: '', with_delimiter: true })).toEqual([''])
    // No pharmacy's id begins like that.
    expect(await listV2({ prefix: 'co', with_delimiter: true })).toEqual([])
  })

  it.each([
    'nonsense',
    'e30',
    btoa('{"folder":1}'),
    btoa('{"at":"2026-01-01T00:00:00Z","name":"a"}'),
    btoa('{"at":null,"name":"a","more":1}'),
  ])('does not go on after %j', async (cursor) => {
    const reply = await post('list-v2/pharmacies', { prefix: '', cursor }, server.as.own)
    expect(reply).toMatchObject({ code: 'InvalidRequest', message: 'The cursor is not valid' })
  })

  it('does not go on after a time that no database has', async () => {
    const sortBy = { column: 'created_at', order: 'asc' }
    const cursor = btoa('{"at":"0000-01-01T00:00:00Z","name":"a"}')
    const reply = await post('list-v2/pharmacies', { cursor, sortBy }, server.as.own)
    expect(reply).toMatchObject({ code: 'InvalidRequest', message: 'The cursor is not valid' })
  })

  it('shows no more to who makes a cursor up', async () => {
    const cursor = btoa(JSON.stringify({ at: null, name: ' ' }))
    const folder = btoa(JSON.stringify({ folder: ' ' }))
    for (const wish of [{ cursor }, { cursor: folder, with_delimiter: true }]) {
      const found = await post('list-v2/pharmacies', { prefix: '', ...wish }, server.as.own)
      expect(JSON.stringify(found)).not.toContain('common')
      expect(JSON.stringify(found)).not.toContain(server.other)
    }
  })
})
