import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { newLocation } from '../../../../test/order-process.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { createOrdersStore } from '../orders.store.ts'
import { createOrderCopyStore } from './order-copy.store.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})

/** Holds one order as somebody does who changes it. */
async function hold(recordId: string): Promise<() => Promise<void>> {
  const client = await database.pool.connect()
  let held = true
  const release = async () => {
    if (held) await client.query('rollback')
    if (held) client.release()
    held = false
  }
  onTestFinished(release)
  await client.query('begin')
  await client.query('select from pharmacy_orders where airtable_order_id = $1 for update', [
    recordId,
  ])
  return release
}

async function waiting(): Promise<number> {
  const { rowCount } = await database.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rowCount ?? 0
}

it('writing, seeing and removing the same orders at once never stand in each other’s way', async () => {
  const pharmacyId = await addPharmacyRow(database, newLocation())
  const copies = createOrderCopyStore(database.db)
  const at = new Date().toISOString()
  const [a, middle, b] = [sourceOrder(), sourceOrder(), sourceOrder()]
  // Came in another order than that of their ids.
  for (const order of [b, middle, a]) await copies.saveOrders(pharmacyId, [order], at)
  const all = [a, middle, b].map(({ recordId }) => recordId)
  const changed = (address: string) => [b, middle, a].map((order) => ({ ...order, address }))

  const works = [
    () => copies.saveOrders(pharmacyId, changed('Via Nuova 1'), at),
    () => copies.saveOrders(pharmacyId, changed('Via Nuova 2').reverse(), at),
    () => createOrdersStore(database.db).markSeen(pharmacyId, all),
    () => copies.removeOrders(pharmacyId, all, '2020-01-01T00:00:00.000Z'),
  ]
  for (const [index, first] of works.entries()) {
    for (const second of works.slice(index + 1)) {
      await database.pool.query('update pharmacy_orders set seen_at = null')
      const release = await hold(middle.recordId)
      const done = Promise.all([first(), second()])
      done.catch(() => {})
      await expect.poll(waiting).toBe(2)
      await release()
      await done
    }
  }
})
