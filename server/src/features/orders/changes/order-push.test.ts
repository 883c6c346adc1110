import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { recordChange } from '../../../../test/order-changes.ts'
import { newLocation } from '../../../../test/order-process.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { type ScriptedSource, scriptedSource } from '../../../../test/scripted-source.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { runJobs } from '../../../platform/jobs.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { createOrderCopyStore } from '../copy/order-copy.store.ts'
import { createOrdersStore } from '../orders.store.ts'
import {
  createOrderChangesStore,
  type OrderChangesStore,
  PUSH_TASK,
} from './order-changes.store.ts'
import { createOrderNoticesStore } from './order-notices.store.ts'
import { createOrderPush, type OrderPush, orderPushJob } from './order-push.ts'

let database: TestDatabase
let pharmacyId: string
let location: SourceLocation
let recordId: string
let source: ScriptedSource
let changes: OrderChangesStore
let push: OrderPush

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(async () => {
  const order = sourceOrder({ status: 'In attesa' })
  recordId = order.recordId
  source = scriptedSource([order])
  location = newLocation()
  pharmacyId = await addPharmacyRow(database, location)
  await createOrderCopyStore(database.db).saveOrders(pharmacyId, [order], new Date().toISOString())
  changes = createOrderChangesStore(database.db)
  push = createOrderPush({ changes, source, log: silentLog })
})

async function record(status: 'Confermato' | 'Annullato' | 'Prenotato Domani'): Promise<string> {
  const change = await recordChange(database, pharmacyId, recordId, status)
  return change?.orderId ?? ''
}

async function statusHere(): Promise<string | undefined> {
  const page = await createOrdersStore(database.db).page(pharmacyId, { page: 1, pageSize: 1 })
  return page[0]?.fields.Stato
}

const waiting = () => changes.waiting(pharmacyId)

const told = () => createOrderNoticesStore(database.db).list(pharmacyId, 20)

describe('a status change', () => {
  it('reaches the store and is done', async () => {
    const orderId = await record('Confermato')
    expect(await push.push(orderId)).toBe('done')
    expect(source.writes).toEqual([{ recordId, status: 'Confermato' }])
    expect(await waiting()).toEqual([])
    expect(await push.push(orderId)).toBe('nothing')
  })

  it('waits while the store is away, the newest one alone', async () => {
    source.failure = 'unreachable'
    const orderId = await record('Confermato')
    expect(await push.push(orderId)).toBe('waiting')
    await record('Prenotato Domani')
    await record('Annullato')
    expect(await waiting()).toEqual([orderId])
    source.failure = null
    await push.pushWaiting(pharmacyId)
    expect(source.writes).toEqual([{ recordId, status: 'Annullato' }])
    expect(await waiting()).toEqual([])
  })

  it('that is refused goes back to what the store holds, and the pharmacy is told', async () => {
    source.failing.set('writing', 'refused')
    const orderId = await record('Confermato')
    await record('Annullato')
    expect(await push.push(orderId)).toBe('refused')
    expect(await statusHere()).toBe('In attesa')
    expect(await waiting()).toEqual([])
    expect(await told()).toMatchObject([
      { recordId, kind: 'refused', wanted: 'Annullato', kept: 'In attesa' },
    ])
  })

  it('of an order that is gone takes it from the copy, and the pharmacy is told', async () => {
    const orderId = await record('Confermato')
    const { orderNumber } = source.records.get(recordId) ?? {}
    source.records.delete(recordId)
    expect(await push.push(orderId)).toBe('gone')
    expect(await statusHere()).toBeUndefined()
    expect(await waiting()).toEqual([])
    expect(await told()).toMatchObject([
      { recordId, orderNumber, kind: 'gone', wanted: 'Confermato', kept: null },
    ])
  })

  it('is kept when the token is wrong: somebody may mend that', async () => {
    source.failure = 'denied'
    const orderId = await record('Confermato')
    expect(await push.push(orderId)).toBe('denied')
    await expect(orderPushJob(push)({ orderId })).rejects.toThrow('does not accept')
    expect(await statusHere()).toBe('Confermato')
  })

  it('made during the push of another is pushed after it, in order', async () => {
    const open = source.hold()
    const orderId = await record('Confermato')
    const first = push.push(orderId)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await record('Annullato')
    // Meanwhile nobody else takes it.
    expect(await push.push(orderId)).toBe('elsewhere')
    open()
    expect(await first).toBe('done')
    expect(source.writes.map((write) => write.status)).toEqual(['Confermato', 'Annullato'])
  })

  it('refused after a newer one was made goes back to what was pushed before', async () => {
    const orderId = await record('Confermato')
    await push.push(orderId)
    source.failing.set('writing', 'refused')
    await record('Annullato')
    expect(await push.push(orderId)).toBe('refused')
    expect(await statusHere()).toBe('Confermato')
  })

  it('of a process that died is pushed by another, when its time is over', async () => {
    const orderId = await record('Confermato')
    await changes.claim(orderId)
    expect(await push.push(orderId)).toBe('elsewhere')
    await database.pool.query(
      "update order_changes set claimed_until = now() - interval '31 seconds'",
    )
    expect(await push.push(orderId)).toBe('done')
  })

  it('is pushed by its job when nobody else does', async () => {
    await record('Confermato')
    // The job would wait ten seconds.
    await database.pool.query('update graphile_worker._private_jobs set run_at = now()')
    const jobs = await runJobs(
      database.url,
      { tasks: { [PUSH_TASK]: orderPushJob(push) } },
      silentLog,
    )
    await expect.poll(() => source.writes, { timeout: 10_000 }).toHaveLength(1)
    await jobs.stop()
    expect(await waiting()).toEqual([])
  })

  it('keeps its job while it is claimed: whoever has it may have died', async () => {
    const orderId = await record('Confermato')
    await changes.claim(orderId)
    await database.pool.query('update graphile_worker._private_jobs set run_at = now()')
    const jobs = await runJobs(
      database.url,
      { tasks: { [PUSH_TASK]: orderPushJob(push) } },
      silentLog,
    )
    const attempts = async () => {
      const { rows } = await database.pool.query<{ attempts: number }>(
        'select attempts from graphile_worker._private_jobs where locked_at is null and key = $1',
        [`${PUSH_TASK}:${orderId}`],
      )
      return rows[0]?.attempts
    }
    await expect.poll(attempts, { timeout: 10_000 }).toBe(1)
    await jobs.stop()
    expect(source.writes).toEqual([])
  })

  it('whose push hangs does not hold its job', async () => {
    const open = source.hold()
    const orderId = await record('Confermato')
    const job = orderPushJob(push, 50)
    await expect(job({ orderId })).rejects.toThrow('still being pushed')
    open()
    await expect
      .poll(() =>
        job({ orderId }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    expect(source.writes).toHaveLength(1)
  })

  it('whose job fails is tried again later', async () => {
    source.failure = 'unreachable'
    const orderId = await record('Confermato')
    await expect(orderPushJob(push)({ orderId })).rejects.toThrow('not available')
    source.failure = null
    await expect(orderPushJob(push)({ orderId })).resolves.toBeUndefined()
  })

  it('does not go to the store that the pharmacy has left for our database', async () => {
    source.failing.set('writing', 'unreachable')
    const orderId = await record('Confermato')
    expect(await push.push(orderId)).toBe('waiting')
    source.failing.clear()
    await database.pool.query('update pharmacies set use_supabase_orders = true where id = $1', [
      pharmacyId,
    ])
    expect(await push.push(orderId)).toBe('done')
    expect(source.writes).toEqual([])
    expect(await waiting()).toEqual([])
    expect(await statusHere()).toBe('Confermato')
  })

  it('that is denied does not hold up the others, a store that is away does', async () => {
    const others = [sourceOrder(), sourceOrder()]
    for (const order of others) source.records.set(order.recordId, order)
    const at = new Date().toISOString()
    await createOrderCopyStore(database.db).saveOrders(pharmacyId, others, at)
    await record('Confermato')
    for (const order of others)
      await recordChange(database, pharmacyId, order.recordId, 'Annullato')

    source.failure = 'rate_limited'
    await push.pushWaiting(pharmacyId)
    expect(source.looks).toEqual([recordId])

    source.failure = null
    source.failures.set(recordId, 'denied')
    await push.pushWaiting(pharmacyId)
    expect(source.writes.map((write) => write.recordId)).toEqual(
      others.map((order) => order.recordId),
    )
    expect(await waiting()).toHaveLength(1)
  })

  it('is not tried again and again with all the others while every one is denied', async () => {
    const orders = Array.from({ length: 20 }, () => sourceOrder())
    await createOrderCopyStore(database.db).saveOrders(pharmacyId, orders, new Date().toISOString())
    for (const order of orders) {
      source.records.set(order.recordId, order)
      await recordChange(database, pharmacyId, order.recordId, 'Annullato')
    }
    source.failing.set('writing', 'denied')
    await push.pushWaiting(pharmacyId)
    expect(source.looks).toHaveLength(10)
    source.failing.clear()
    await push.pushWaiting(pharmacyId)
    expect(source.writes).toHaveLength(20)
  })

  it('of an order that is not there leaves nothing behind', async () => {
    await expect(
      recordChange(database, pharmacyId, 'recNOWHERE0000000', 'Annullato'),
    ).resolves.toBeUndefined()
    const { rows } = await database.pool.query<{ kept: number }>(
      'select count(*)::int as kept from order_changes where pharmacy_id = $1',
      [pharmacyId],
    )
    expect(rows[0]?.kept).toBe(0)
  })
})
