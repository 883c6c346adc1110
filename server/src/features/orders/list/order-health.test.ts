import type { getOrdersHealth, listOrdersHealth } from '@bancone/contract/order-diagnostics'
import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { recordChange } from '../../../../test/order-changes.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'
import { createOrderQuarantineStore } from '../sync/order-quarantine.store.ts'

type Own = z.infer<typeof getOrdersHealth.response>
type All = z.infer<typeof listOrdersHealth.response>

let server: TestServer
let administrator: { authorization: string }
const ids = new Map<string, string>()
const location = (name: string) => ({ baseId: `app${name}`, tableId: `tbl${name}` })

/** A pharmacy whose orders are in Airtable, read a moment ago. */
async function add(name: string): Promise<string> {
  const id = await server.addPharmacy({
    email: `${name}@example.it`,
    code: name.toUpperCase(),
    airtable: location(name),
  })
  ids.set(name, id)
  const copy = createOrderCopyStore(server.database.db, noHooks)
  await copy.upsertCopy(id, location(name))
  const read = { startedFrom: null, changedUntil: null, readAt: new Date().toISOString() }
  await copy.markRead(id, location(name), read)
  return id
}

beforeAll(async () => {
  server = await testServer()
  const { db, pool } = server.database
  const copy = createOrderCopyStore(db, noHooks)
  await add('well')
  const aside = await add('aside')
  await createOrderQuarantineStore(db).add(aside, [{ recordId: 'recX', reason: 'left out' }])
  const columns = await add('columns')
  await copy.markColumns(columns, location('columns'), ['Last'])
  const failing = await add('failing')
  await copy.markFailed(failing, location('failing'), 'rate_limited')
  const waiting = await add('waiting')
  for (const minutes of [1, 5]) {
    const order = sourceOrder()
    await copy.saveOrders(waiting, [order], new Date().toISOString())
    const change = await recordChange(server.database, waiting, order.recordId, 'Annullato')
    await pool.query(
      'update order_changes set changed_at = now() - make_interval(mins => $2) where order_id = $1',
      [change?.orderId, minutes],
    )
  }
  const alone = await server.addPharmacy({ email: 'alone@example.it', code: 'ALONE' })
  // From when it had a store.
  await createOrderQuarantineStore(db).add(alone, [{ recordId: 'recX', reason: 'left out' }])
  await server.addAdministrator({ email: 'admin@example.it' })
  administrator = await server.signIn('admin@example.it')
})

async function own(name: string): Promise<Own> {
  const headers = await server.signIn(`${name}@example.it`)
  const reply = await server.app.inject({ url: '/api/orders/health', headers })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

async function all(query = ''): Promise<All> {
  const url = `/api/admin/orders/health${query}`
  const reply = await server.app.inject({ url, headers: administrator })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

describe('how the copy of a pharmacy fares', () => {
  it('is well when the store answers and nothing waits', async () => {
    const { lastPull, ...rest } = await own('well')
    expect(lastPull).toMatch(/Z$/)
    expect(rest).toEqual({
      source: 'airtable',
      lastError: null,
      queue: 0,
      queueSince: null,
      setAside: 0,
      missingColumns: [],
      lastSweep: null,
      records: [],
    })
  })

  it('names the records that were set aside', async () => {
    const { setAside, records } = await own('aside')
    expect(setAside).toBe(1)
    expect(records).toMatchObject([{ recordId: 'recX', reason: 'left out' }])
    expect(records[0]?.since).toMatch(/Z$/)
  })

  it('says why the store was not read, and which columns are missing', async () => {
    const { lastError } = await own('failing')
    expect(lastError?.kind).toBe('rate_limited')
    expect(lastError?.at).toMatch(/Z$/)
    expect((await own('columns')).missingColumns).toEqual(['Last'])
  })

  it('counts the changes on their way, and says since when the oldest waits', async () => {
    const { queue, queueSince } = await own('waiting')
    expect(queue).toBe(2)
    const minutes = (Date.now() - Date.parse(queueSince ?? '')) / 60_000
    expect(Math.round(minutes)).toBe(5)
  })

  it('is nothing to speak of where the orders are in our database alone', async () => {
    const { records, ...alone } = await own('alone')
    expect(records).toEqual([])
    expect(alone).toMatchObject({
      source: 'database',
      lastPull: null,
      lastError: null,
      setAside: 0,
    })
  })

  it('is not what it was with another store', async () => {
    const { pool } = server.database
    const failing = ids.get('failing')
    const move = 'update pharmacies set airtable_table_id = $2 where id = $1'
    await pool.query(move, [failing, 'tblElsewhere'])
    expect(await own('failing')).toMatchObject({ lastPull: null, lastError: null })
    await pool.query(move, [failing, location('failing').tableId])
  })
})

describe('the list for administrators', () => {
  it('has all pharmacies, those in trouble first', async () => {
    const { pharmacies, pagination } = await all()
    expect(pharmacies.map((one) => one.pharmacyId)).toEqual([
      'FAILING',
      'WAITING',
      'COLUMNS',
      'ASIDE',
      'ALONE',
      'WELL',
    ])
    expect(pharmacies[0]).toMatchObject({ id: ids.get('failing'), name: 'Farmacia FAILING' })
    expect(pagination).toMatchObject({ totalRecords: 6, totalPages: 1 })
  })

  it('comes in pages', async () => {
    const { pharmacies, pagination } = await all('?page=2&pageSize=4')
    expect(pharmacies.map((one) => one.pharmacyId)).toEqual(['ALONE', 'WELL'])
    expect(pagination).toMatchObject({ currentPage: 2, totalPages: 2, hasNextPage: false })
  })
})
