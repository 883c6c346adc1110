import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'
import { createOrderSearchStore } from './order-search.store.ts'

let database: TestDatabase
let pharmacyId: string

type Row = {
  created: string
  text: string
  customer_key: string | null
  phone_key: string | null
  /** Which version of the row it is. */
  version: string
}

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(async () => {
  pharmacyId = await addPharmacyRow(database, null)
})

const save = (orders: SourceOrder[]) =>
  createOrderCopyStore(database.db, noHooks).saveOrders(
    pharmacyId,
    orders,
    '2026-01-01T00:00:00.000Z',
  )

async function kept(recordId: string): Promise<Row | undefined> {
  const { rows } = await database.pool.query<Row>(
    `select s.created, s.text, s.customer_key, s.phone_key, s.ctid || ' ' || s.xmin as version
    from order_search s join pharmacy_orders o on o.id = s.order_id
    where o.pharmacy_id = $1 and o.airtable_order_id = $2`,
    [pharmacyId, recordId],
  )
  return rows[0]
}

describe('what an order is searched by', () => {
  it('is kept when it comes in', async () => {
    const order = sourceOrder({
      orderNumber: 'N. 7',
      customerName: "  Niccolò D'Angelo ",
      customerPhone: '+39 333 1234567',
      address: 'Via Roma, 1',
      details: 'Tachipirina\n1000',
      createdAt: '2026-02-03T04:05:06.000Z',
    })
    await save([order, sourceOrder()])
    expect(await kept(order.recordId)).toMatchObject({
      created: order.createdAt,
      text: ' n 7 niccolo d angelo niccolo dangelo 3331234567 via roma 1 tachipirina 1000 ',
      customer_key: 'niccolo d angelo',
      phone_key: '3331234567',
    })
  })

  it('is nothing of what is empty', async () => {
    const order = sourceOrder({ customerName: ' ?', customerPhone: null, details: null })
    await save([order])
    expect(await kept(order.recordId)).toMatchObject({ customer_key: null, phone_key: null })
  })

  it.each<[string, Partial<SourceOrder>]>([
    ['the number', { orderNumber: 'nuovo' }],
    ['the customer', { customerName: 'Nuovo Nome' }],
    ['the telephone', { customerPhone: '041 7654321' }],
    ['the address', { address: 'Calle Nuova' }],
    ['the text', { details: 'qualcosa di nuovo' }],
    ['the time', { createdAt: '2026-03-03T03:03:03.000Z' }],
  ])('follows %s', async (_what, change) => {
    const order = sourceOrder()
    await save([order])
    const before = await kept(order.recordId)
    await save([{ ...order, ...change }])
    const after = await kept(order.recordId)
    expect(after).not.toMatchObject({ created: before?.created, text: before?.text })
    const other = sourceOrder({ ...order, ...change, recordId: 'recOTHER' })
    await save([other])
    expect({ ...after, version: '' }).toEqual({ ...(await kept('recOTHER')), version: '' })
  })

  it('is not touched by a change of status, or of anything else', async () => {
    const order = sourceOrder()
    await save([order])
    const before = await kept(order.recordId)
    await save([{ ...order, status: 'Confermato', updatedAt: '2026-05-05T05:05:05.000Z' }])
    await database.pool.query(
      `update pharmacy_orders set status = 'Annullato', seen_at = now(), image_url = 'https://e.it'
      where pharmacy_id = $1`,
      [pharmacyId],
    )
    const { rows } = await database.pool.query(
      'select status from pharmacy_orders where pharmacy_id = $1',
      [pharmacyId],
    )
    expect(rows).toEqual([{ status: 'Annullato' }])
    expect(await kept(order.recordId)).toEqual(before)
  })

  it('goes with the order, and with the pharmacy', async () => {
    const [gone, left] = [sourceOrder(), sourceOrder()]
    await save([gone, left])
    await createOrderCopyStore(database.db, noHooks).removeOrders(
      pharmacyId,
      [gone.recordId],
      new Date(Date.now() + 60_000).toISOString(),
    )
    const rows = () =>
      database.pool
        .query('select from order_search where pharmacy_id = $1', [pharmacyId])
        .then(({ rowCount }) => rowCount)
    expect(await rows()).toBe(1)
    await database.pool.query('delete from pharmacies where id = $1', [pharmacyId])
    expect(await rows()).toBe(0)
  })
})

describe('the key of a telephone number', () => {
  it.each([
    ['3331234567', '3331234567'],
    ['333 123 45 67', '3331234567'],
    ['+39 333-1234567', '3331234567'],
    ['0039 333 1234567', '3331234567'],
    ['393331234567', '3331234567'],
    // Ten digits that begin with 39 are a number of Italy by themselves.
    ['391 1234567', '3911234567'],
    ['+39 041 5223344', '0415223344'],
    ['041.5223344', '0415223344'],
    ['0041 79 123 45 67', '41791234567'],
    ['12345', null],
    ['1234567890123456', null],
    ['nessuno', null],
    ['', null],
    [null, null],
  ])('of %s is %s', async (phone, key) => {
    const { rows } = await database.pool.query('select order_phone_key($1) as key', [phone])
    expect(rows).toEqual([{ key }])
  })
})

describe('the other orders of a telephone number', () => {
  const same = (recordId: string, most = 10) =>
    createOrderSearchStore(database.db).ofSameNumber(pharmacyId, recordId, most)

  it('are those of the same number however it was typed, the newest first', async () => {
    const typed = ['333 1112223', '+393331112223', '0039 333 1112223', '3331112223']
    const orders = typed.map((customerPhone) => sourceOrder({ customerPhone }))
    const [oldest, , third, newest] = orders.map(({ recordId }) => recordId)
    await save([...orders, sourceOrder({ customerPhone: '3331112224' })])
    const elsewhere = await addPharmacyRow(database, null)
    await createOrderCopyStore(database.db, noHooks).saveOrders(
      elsewhere,
      [sourceOrder({ customerPhone: '3331112223' })],
      '2026-01-01T00:00:00.000Z',
    )
    const { count, records } = await same(oldest ?? '', 2)
    expect(count).toBe(3)
    expect(records.map(({ id }) => id)).toEqual([newest, third])
  })

  it('are none without a number, or without the order', async () => {
    const [one, two] = [null, null].map((customerPhone) => sourceOrder({ customerPhone }))
    if (!one || !two) throw new Error('there are two')
    await save([one, two])
    expect(await same(one.recordId)).toEqual({ count: 0, records: [] })
    expect(await same('recNONE')).toEqual({ count: 0, records: [] })
  })
})
