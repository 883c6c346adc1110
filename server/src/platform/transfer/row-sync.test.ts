import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyDatabase } from '../../../test/database.ts'
import { type SyncedTable, syncTable } from './row-sync.ts'
import { TEXT_SETTINGS } from './table-copy.ts'

const clients: pg.Client[] = []

beforeAll(async () => {
  for (let n = 0; n < 2; n += 1) {
    const client = new pg.Client((await emptyDatabase()).url)
    await client.connect()
    clients.push(client)
    await client.query(`
      create table keyed (id int primary key, pharmacy int, code text unique, at timestamptz, doubled int
        generated always as (id * 2) stored);
      create table views (pharmacy int, path text)`)
  }
})

afterAll(() => Promise.all(clients.map((client) => client.end())))

const keyed: SyncedTable = {
  name: 'keyed',
  columns: ['id', 'pharmacy', 'code', 'at'],
  key: ['id'],
  identity: 'id',
  where: 'pharmacy = 1',
  valueOf: (column) => (column === 'id' ? 'id + 100' : column),
}

const views: SyncedTable = {
  name: 'views',
  columns: ['pharmacy', 'path'],
  key: ['pharmacy', 'path'],
  identity: null,
  where: 'pharmacy = 1',
  valueOf: (column) => column,
}

async function sync(table: SyncedTable): Promise<number> {
  const [source, target] = clients
  if (!source || !target) throw new Error('there are two databases')
  for (const client of clients) await client.query(`begin; ${TEXT_SETTINGS}`)
  const differing = await syncTable(source, target, table)
  for (const client of clients) await client.query('commit')
  return differing
}

const there = async (query: string) =>
  (await clients[1]?.query<Record<string, unknown>>(query))?.rows
const here = (query: string) => clients[0]?.query(query)

it('copies what was added, changed and removed, and nothing of others', async () => {
  await here(`insert into keyed (id, pharmacy, code, at) values
    (1, 1, 'a', '2026-03-29 02:30+01'), (2, 1, 'b', null), (3, 2, 'c', null)`)
  await clients[1]?.query("insert into keyed (id, pharmacy, code) values (7, 2, 'own')")
  expect(await sync(keyed)).toBe(2)
  expect(await sync(keyed)).toBe(0)
  // Two of them exchange what is unique, one is added and one removed.
  await here(`update keyed set code = null where id = 1; update keyed set code = 'a' where id = 2;
    update keyed set code = 'b', at = null where id = 1; insert into keyed (id, pharmacy, code) values (4, 1, 'd')`)
  expect(await sync(keyed)).toBe(3)
  await here('delete from keyed where id = 2')
  expect(await sync(keyed)).toBe(1)
  expect(await there('select id, pharmacy, code, at, doubled from keyed order by id')).toEqual([
    { id: 7, pharmacy: 2, code: 'own', at: null, doubled: 14 },
    { id: 101, pharmacy: 1, code: 'b', at: null, doubled: 202 },
    { id: 104, pharmacy: 1, code: 'd', at: null, doubled: 208 },
  ])
})

it('takes back what was changed there', async () => {
  await clients[1]?.query(
    "update keyed set code = 'x' where id = 101; delete from keyed where id = 104",
  )
  expect(await sync(keyed)).toBe(2)
  expect(await there('select code from keyed where pharmacy = 1 order by id')).toEqual([
    { code: 'b' },
    { code: 'd' },
  ])
})

it('has rows that are equal as often as they are', async () => {
  await here("insert into views values (1, '/a'), (1, '/a'), (1, '/b'), (2, '/a')")
  expect(await sync(views)).toBe(2)
  await here("insert into views values (1, '/a'); delete from views where path = '/b'")
  expect(await sync(views)).toBe(2)
  expect(await there('select path, count(*)::int as n from views group by 1')).toEqual([
    { path: '/a', n: 3 },
  ])
})
