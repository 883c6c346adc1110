import type { OrderPickup } from '@bancone/contract/orders'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { untilBlocked } from '../../../../test/lock-waits.ts'
import { somebody } from '../../../../test/order-changes.ts'
import { newLocation } from '../../../../test/order-process.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { type ScriptedSource, scriptedSource } from '../../../../test/scripted-source.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { noHooks } from '../records/order-hooks.ts'
import { pushJob } from '../records/order-jobs.store.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'
import { createOrderPickupStore } from './order-pickup.store.ts'
import { createPickupColumnsStore, type PickupColumnsStore } from './pickup-columns.store.ts'
import { createPickupPush, type PickupPush } from './pickup-push.ts'

let database: TestDatabase
let pharmacyId: string
let recordId: string
let source: ScriptedSource
let store: PickupColumnsStore
let pickup: PickupPush

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(async () => {
  const order = sourceOrder()
  recordId = order.recordId
  source = scriptedSource([order])
  pharmacyId = await addPharmacyRow(database, newLocation())
  const copies = createOrderCopyStore(database.db, noHooks)
  await copies.saveOrders(pharmacyId, [order], new Date().toISOString())
  store = createPickupColumnsStore(database.db)
  await store.change(pharmacyId, { ready: 'Pronto', collected: 'Ritirato', putBack: null }, [])
  pickup = createPickupPush({ store, source, log: silentLog })
})

/** @returns the id of the order */
async function press(to: OrderPickup): Promise<string> {
  await createOrderPickupStore(database.db, async () => {}).change(
    pharmacyId,
    [{ recordId, to }],
    somebody,
  )
  return (await store.pendingOrderIds(pharmacyId))[0] ?? ''
}

/** Which columns were filled by each write. */
const written = () =>
  source.times.map(({ cells }) =>
    Object.keys(cells)
      .filter((name) => cells[name] !== null)
      .join(),
  )

it('moments that change during their push are written again', async () => {
  const open = source.hold('writing')
  const orderId = await press('ready')
  const pushed = pickup.push(pharmacyId, orderId)
  await expect.poll(() => source.looks).toHaveLength(1)
  await press('collected')
  // Meanwhile no other process takes them.
  expect(await pickup.push(pharmacyId, orderId)).toBe('elsewhere')
  open()
  expect(await pushed).toBe('done')
  expect(written()).toEqual(['Pronto', 'Pronto,Ritirato'])
  expect(await pickup.push(pharmacyId, orderId)).toBe('nothing')
})

it('moments that change while they are claimed are not written as they were before', async () => {
  const orderId = await press('ready')
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query('update pharmacy_orders set collected_at = now() where id = $1', [orderId])
  const pushed = pickup.push(pharmacyId, orderId)
  await untilBlocked(database.pool)
  await client.query('commit')
  client.release()
  expect(await pushed).toBe('done')
  expect(written()).toEqual(['Pronto,Ritirato'])
})

it('moments of a process that died are written by another, and again while its request may arrive', async () => {
  const orderId = await press('ready')
  await store.claim(pharmacyId, orderId)
  expect(await pickup.push(pharmacyId, orderId)).toBe('elsewhere')
  await database.pool.query("update order_pickup_changes set claimed_until = now() - interval '1s'")
  expect(await pickup.push(pharmacyId, orderId)).toBe('unsure')
  await expect(pushJob(pickup.push)({ pharmacyId, orderId })).rejects.toThrow('unsure')
  await database.pool.query("update order_pickup_changes set unsure_at = now() - interval '31s'")
  expect(await pickup.push(pharmacyId, orderId)).toBe('done')
  expect(written()).toEqual(['Pronto', 'Pronto', 'Pronto'])
})

it('moments whose request was not answered are written again', async () => {
  source.failing.set('writing', 'unreachable')
  const orderId = await press('ready')
  expect(await pickup.push(pharmacyId, orderId)).toBe('waiting')
  source.failing.clear()
  expect(await pickup.push(pharmacyId, orderId)).toBe('unsure')
  expect(await store.pendingOrderIds(pharmacyId)).toEqual([orderId])
})

it('moments are kept when the token is wrong: the token may be corrected', async () => {
  source.failure = 'denied'
  const orderId = await press('ready')
  expect(await pickup.push(pharmacyId, orderId)).toBe('denied')
  source.failure = null
  await pickup.pushPending(pharmacyId)
  expect(written()).toEqual(['Pronto'])
})
