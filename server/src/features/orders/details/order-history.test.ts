import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sourceOrder } from '../../../../test/orders.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import { createOrderCopyStore } from '../copy/order-copy.store.ts'
import { dailyHistoryCleanup } from './order-history-job.ts'

let server: TestServer
let pharmacyId: string
let recordId: string

beforeAll(async () => {
  server = await testServer()
  pharmacyId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
})

beforeEach(async () => {
  recordId = sourceOrder().recordId
  await come()
  await query(
    "update pharmacy_orders set status = 'Confermato' where airtable_order_id = $1",
    recordId,
  )
  const note = "insert into order_notes (pharmacy_id, record_id, text) values ($1, $2, 'uno')"
  await query(note, pharmacyId, recordId)
})

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

function come() {
  const orders = [sourceOrder({ recordId })]
  const copies = createOrderCopyStore(server.database.db)
  return copies.saveOrders(pharmacyId, orders, '2026-01-01T00:00:00Z')
}

async function go(daysAgo: number): Promise<void> {
  await query('delete from pharmacy_orders where airtable_order_id = $1', recordId)
  await query(
    `update order_events set at = at - make_interval(days => $2)
     where id = (select max(id) from order_events where record_id = $1 and kind = 'gone')`,
    recordId,
    daysAgo,
  )
}

/** Of the history and the notes. */
async function kept(): Promise<number[]> {
  const { rows } = await server.database.pool.query<{ events: number; notes: number }>(
    `select (select count(*)::int from order_events where record_id = $1) as events,
       (select count(*)::int from order_notes where record_id = $1) as notes`,
    [recordId],
  )
  return rows.flatMap(({ events, notes }) => [events, notes])
}

async function cleanUp(): Promise<void> {
  const task = server.jobs.tasks[dailyHistoryCleanup.task]
  if (!task) throw new Error('there is no such task')
  await task({})
}

describe('what is kept of an order that is gone', () => {
  it('is deleted after thirty days', async () => {
    await go(31)
    await cleanUp()
    expect(await kept()).toEqual([0, 0])
  })

  it('is kept until then', async () => {
    await go(29)
    await cleanUp()
    expect(await kept()).toEqual([2, 1])
  })

  it('is kept when the order has come back', async () => {
    await go(31)
    await come()
    await cleanUp()
    expect(await kept()).toEqual([2, 1])
  })

  it('is kept for thirty days more when it has gone a second time', async () => {
    await go(31)
    await come()
    await go(1)
    await cleanUp()
    expect(await kept()).toEqual([3, 1])
  })

  it('is looked at every day', () => {
    expect(server.jobs.daily).toContainEqual(dailyHistoryCleanup)
  })
})

describe('the history', () => {
  it('goes with its pharmacy, and leaves nothing behind', async () => {
    const email = 'leaving@example.it'
    const leaving = await server.addPharmacy({ email, code: 'PHARM-0009' })
    const copies = createOrderCopyStore(server.database.db)
    await copies.saveOrders(leaving, [sourceOrder()], '2026-01-01T00:00:00Z')
    await query("update pharmacy_orders set status = 'Annullato' where pharmacy_id = $1", leaving)
    await query('delete from auth_users where id = $1', leaving)
    const { rowCount } = await query('select from order_events where pharmacy_id = $1', leaving)
    expect(rowCount).toBe(0)
  })
})
