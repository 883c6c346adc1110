import type { OrderStatus } from '@bancone/contract/orders'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { recordChange } from '../../../../test/order-changes.ts'
import { newLocation } from '../../../../test/order-process.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { type ScriptedSource, scriptedSource } from '../../../../test/scripted-source.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { createOrderCopyStore } from '../copy/order-copy.store.ts'
import { createOrdersStore } from '../orders.store.ts'
import { createOrderChangesStore, type OrderChangesStore } from './order-changes.store.ts'
import { createOrderNoticesStore, type OrderNoticesStore } from './order-notices.store.ts'
import { createOrderPush, type OrderPush, orderPushJob } from './order-push.ts'

let database: TestDatabase
let pharmacyId: string
let recordId: string
let source: ScriptedSource
let changes: OrderChangesStore
let notices: OrderNoticesStore
let push: OrderPush

beforeAll(async () => {
  database = await testDatabase()
  notices = createOrderNoticesStore(database.db)
})

beforeEach(async () => {
  const order = sourceOrder({ status: 'In attesa' })
  recordId = order.recordId
  source = scriptedSource([order])
  pharmacyId = await addPharmacyRow(database, newLocation())
  await save(order)
  changes = createOrderChangesStore(database.db)
  push = createOrderPush({ changes, source, log: silentLog })
})

function save(order: SourceOrder) {
  const store = createOrderCopyStore(database.db)
  return store.saveOrders(pharmacyId, [order], new Date().toISOString())
}

async function record(status: OrderStatus): Promise<string> {
  const change = await recordChange(database, pharmacyId, recordId, status)
  return change?.orderId ?? ''
}

/** Somebody changes the order in the store itself. */
function changeThere(order: Partial<SourceOrder>): SourceOrder {
  const before = source.records.get(recordId) ?? sourceOrder()
  const changed = { ...before, updatedAt: new Date().toISOString(), ...order }
  source.records.set(recordId, changed)
  return changed
}

async function here() {
  const page = await createOrdersStore(database.db).page(pharmacyId, { page: 1, pageSize: 1 })
  return page[0]?.fields
}

describe('an order that somebody has changed in the store meanwhile', () => {
  it('is not overwritten: it is taken as it is there, and the pharmacy is told', async () => {
    const orderId = await record('Confermato')
    const stored = changeThere({ status: 'Annullato', address: 'Via Nuova 2, Mestre' })
    expect(await push.push(orderId)).toBe('conflict')
    expect(source.writes).toEqual([])
    expect(await here()).toMatchObject({
      Stato: 'Annullato',
      Indirizzo: 'Via Nuova 2, Mestre',
      Last: stored.updatedAt,
    })
    expect(await changes.waiting(pharmacyId)).toEqual([])
    expect(await notices.list(pharmacyId, 20)).toMatchObject([
      {
        recordId,
        orderNumber: stored.orderNumber,
        kind: 'conflict',
        wanted: 'Confermato',
        kept: 'Annullato',
      },
    ])
  })

  it('is taken as it is there although a reading has seen that, and left the status alone', async () => {
    const orderId = await record('Confermato')
    const stored = changeThere({ status: 'Annullato' })
    await save(stored)
    expect((await here())?.Stato).toBe('Confermato')
    expect(await push.push(orderId)).toBe('conflict')
    expect((await here())?.Stato).toBe('Annullato')
  })

  it('to what is wanted here is done without a write', async () => {
    const orderId = await record('Confermato')
    changeThere({ status: 'Confermato' })
    expect(await push.push(orderId)).toBe('done')
    expect(source.writes).toEqual([])
    expect(await changes.waiting(pharmacyId)).toEqual([])
    expect(await notices.list(pharmacyId, 20)).toEqual([])
  })

  it('but not its status takes the change, and the rest comes here with it', async () => {
    const orderId = await record('Confermato')
    changeThere({ address: 'Via Nuova 2, Mestre' })
    expect(await push.push(orderId)).toBe('done')
    expect(source.records.get(recordId)?.status).toBe('Confermato')
    expect(await here()).toMatchObject({ Stato: 'Confermato', Indirizzo: 'Via Nuova 2, Mestre' })
  })

  it('is told of with the newest change, when one was made during the look at the store', async () => {
    const orderId = await record('Confermato')
    changeThere({ status: 'Annullato' })
    const open = source.hold('looking')
    const pushed = push.push(orderId)
    await expect.poll(() => source.looks).toHaveLength(1)
    await record('Prenotato Domani')
    open()
    expect(await pushed).toBe('conflict')
    expect(source.writes).toEqual([])
    expect(await notices.list(pharmacyId, 20)).toMatchObject([
      { wanted: 'Prenotato Domani', kept: 'Annullato' },
    ])
  })
})

describe('an order that we have changed without hearing that it came to pass', () => {
  /** The first push writes, and its process dies before it can note that. */
  async function pushAndDie(status: OrderStatus): Promise<string> {
    const dying = createOrderPush({
      changes,
      source: {
        ...source,
        async setStatus(...call) {
          await source.setStatus(...call)
          throw new Error('the process died here')
        },
      },
      log: silentLog,
    })
    const orderId = await record(status)
    await expect(dying.push(orderId)).rejects.toThrow('died')
    expect(source.records.get(recordId)?.status).toBe(status)
    await claimIsOver()
    return orderId
  }

  const claimIsOver = () =>
    database.pool.query(
      "update order_changes set claimed_until = now() - interval '1 second' where claimed_until > now()",
    )
  const halfAMinutePasses = () =>
    database.pool.query("update order_changes set unsure_at = unsure_at - interval '31 seconds'")

  it('is changed again, and that is no conflict', async () => {
    const orderId = await pushAndDie('Confermato')
    await record('Annullato')
    expect(await push.push(orderId)).toBe('unsure')
    expect(source.records.get(recordId)?.status).toBe('Annullato')
    await halfAMinutePasses()
    expect(await push.push(orderId)).toBe('done')
    expect(source.writes).toHaveLength(2)
    expect(await notices.list(pharmacyId, 20)).toEqual([])
  })

  it('is changed again though the first change comes to pass after the second', async () => {
    source.failures.set(recordId, 'unreachable')
    const orderId = await record('Confermato')
    expect(await push.push(orderId)).toBe('waiting')
    source.failures.clear()
    await record('Annullato')
    expect(await push.push(orderId)).toBe('unsure')
    await expect(orderPushJob(push)({ orderId })).rejects.toThrow('may yet be undone')
    expect(source.writes).toHaveLength(1)

    changeThere({ status: 'Confermato' })
    expect(await push.push(orderId)).toBe('unsure')
    expect(source.records.get(recordId)?.status).toBe('Annullato')
    await halfAMinutePasses()
    expect(await push.push(orderId)).toBe('done')
    expect(await changes.waiting(pharmacyId)).toEqual([])
    expect((await here())?.Stato).toBe('Annullato')
  })

  it('that did not so much as ask is sure at once', async () => {
    source.failure = 'unreachable'
    const orderId = await record('Confermato')
    expect(await push.push(orderId)).toBe('waiting')
    source.failure = null
    expect(await push.push(orderId)).toBe('done')
  })

  it('long ago, and has heard of since, is a conflict when it is that again', async () => {
    const orderId = await pushAndDie('Confermato')
    await record('Annullato')
    // While the second change arrives a third is made here, and somebody goes back to the first there.
    const busy = createOrderPush({
      changes,
      source: {
        ...source,
        async setStatus(...call) {
          const written = await source.setStatus(...call)
          await record('Prenotato Domani')
          changeThere({ status: 'Confermato' })
          return written
        },
      },
      log: silentLog,
    })
    await database.pool.query('update order_changes set claimed_until = null')
    expect(await busy.push(orderId)).toBe('conflict')
    expect((await here())?.Stato).toBe('Confermato')
  })

  it('is taken from whoever changed it there once we had heard', async () => {
    const orderId = await record('Confermato')
    await push.push(orderId)
    await record('Annullato')
    await push.push(orderId)
    await record('Prenotato Domani')
    changeThere({ status: 'Confermato' })
    expect(await push.push(orderId)).toBe('conflict')
    expect((await here())?.Stato).toBe('Confermato')
  })
})

describe('a push that ends late', () => {
  it('does not take for its own the change of an order that was removed and has come back', async () => {
    const first = await recordChange(database, pharmacyId, recordId, 'Confermato')
    await changes.removeGone(first?.orderId ?? '')
    await save(source.records.get(recordId) ?? sourceOrder())
    const second = await recordChange(database, pharmacyId, recordId, 'Annullato')
    expect(Number(second?.version)).toBeGreaterThan(Number(first?.version))
  })
})

describe('the notices', () => {
  const notice = { orderNumber: '7', kind: 'refused', wanted: 'Annullato', kept: 'x' } as const

  it('hold the newest of an order, newest first, and so many at most', async () => {
    await notices.add(pharmacyId, { ...notice, recordId: 'recA' })
    await notices.add(pharmacyId, { ...notice, recordId: 'recB' })
    await notices.add(pharmacyId, { ...notice, recordId: 'recA', kind: 'gone', kept: null })
    const ids = (most: number) =>
      notices.list(pharmacyId, most).then((all) => all.map((one) => [one.recordId, one.kind]))
    expect(await ids(20)).toEqual([
      ['recA', 'gone'],
      ['recB', 'refused'],
    ])
    expect(await ids(1)).toEqual([['recA', 'gone']])
  })

  it('are dismissed one by one, and by their own pharmacy alone', async () => {
    const otherId = await addPharmacyRow(database, null)
    await notices.add(pharmacyId, { ...notice, recordId: 'recA' })
    await notices.add(pharmacyId, { ...notice, recordId: 'recB' })
    await notices.dismiss(otherId, 'recA')
    expect(await notices.list(pharmacyId, 20)).toHaveLength(2)
    await notices.dismiss(pharmacyId, 'recA')
    expect(await notices.list(pharmacyId, 20)).toMatchObject([{ recordId: 'recB' }])
  })
})
