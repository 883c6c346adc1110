import type { OrderStatus } from '@bancone/contract/orders'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { recordChange } from '../../../../test/order-changes.ts'
import { newLocation } from '../../../../test/order-process.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { type ScriptedSource, scriptedSource } from '../../../../test/scripted-source.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { runJobs } from '../../../platform/jobs.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { createOrdersStore } from '../list/orders.store.ts'
import { noHooks } from '../records/order-hooks.ts'
import { pushJob } from '../records/order-jobs.store.ts'
import { createOrderNoticesStore, type OrderNoticesStore } from '../records/order-notices.store.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'
import {
  createOrderChangesStore,
  type OrderChangesStore,
  PUSH_TASK,
} from './order-changes.store.ts'
import { createOrderPush, type OrderPush } from './order-push.ts'

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
  changes = createOrderChangesStore(database.db, noHooks)
  push = createOrderPush({ changes, source, log: silentLog })
})

function save(...orders: SourceOrder[]) {
  const store = createOrderCopyStore(database.db, noHooks)
  return store.saveOrders(pharmacyId, orders, new Date().toISOString())
}

async function record(status: OrderStatus): Promise<string> {
  const change = await recordChange(database, pharmacyId, recordId, status)
  return change?.orderId ?? ''
}

/** Changes the order in the store, past our copy. */
function changeThere(order: Partial<SourceOrder>): SourceOrder {
  const before = source.records.get(recordId) ?? sourceOrder()
  const changed = { ...before, updatedAt: new Date().toISOString(), ...order }
  source.records.set(recordId, changed)
  return changed
}

async function here() {
  const { records: page } = await createOrdersStore(database.db).listAfter(pharmacyId, null, 1)
  return page[0]?.fields
}

const statusHere = async () => (await here())?.Stato

const waiting = () => changes.pendingOrderIds(pharmacyId)

const told = () => notices.list(pharmacyId, 20)

/** Runs the jobs at once, which would wait ten seconds. */
async function runPushJobs() {
  await database.pool.query('update graphile_worker._private_jobs set run_at = now()')
  const task = { lane: 'delivery', run: pushJob(push.push) } as const
  return runJobs(database.url, { tasks: { [PUSH_TASK]: task } }, silentLog)
}

it('a change that cannot be noted for the store is not made here either', async () => {
  await database.pool.query(`
    create function refuse_note() returns trigger language plpgsql
      as $$ begin raise exception 'not noted'; end $$;
    create trigger refuse_note before insert on order_changes
      for each row execute function refuse_note()`)
  onTestFinished(async () => {
    await database.pool.query(
      'drop trigger refuse_note on order_changes; drop function refuse_note',
    )
  })
  await expect(record('Confermato')).rejects.toThrow('not noted')
  expect(await statusHere()).toBe('In attesa')
})

describe('a status change', () => {
  it('reaches the store and is done', async () => {
    const orderId = await record('Confermato')
    expect(await push.push(pharmacyId, orderId)).toBe('done')
    expect(source.writes).toEqual([{ recordId, status: 'Confermato' }])
    expect(await waiting()).toEqual([])
    expect(await push.push(pharmacyId, orderId)).toBe('nothing')
  })

  it('waits while the store is away, the newest one alone', async () => {
    source.failure = 'unreachable'
    const orderId = await record('Confermato')
    expect(await push.push(pharmacyId, orderId)).toBe('waiting')
    await record('Prenotato Domani')
    await record('Annullato')
    expect(await waiting()).toEqual([orderId])
    await expect(pushJob(push.push)({ pharmacyId, orderId })).rejects.toThrow('waiting')
    source.failure = null
    await push.pushPending(pharmacyId)
    expect(source.writes).toEqual([{ recordId, status: 'Annullato' }])
    expect(await waiting()).toEqual([])
    await expect(pushJob(push.push)({ pharmacyId, orderId })).resolves.toBeUndefined()
  })

  it('that is refused goes back to what the store holds, and the pharmacy is told', async () => {
    source.failing.set('writing', 'refused')
    const orderId = await record('Confermato')
    await record('Annullato')
    expect(await push.push(pharmacyId, orderId)).toBe('refused')
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
    expect(await push.push(pharmacyId, orderId)).toBe('gone')
    expect(await statusHere()).toBeUndefined()
    expect(await waiting()).toEqual([])
    expect(await told()).toMatchObject([
      { recordId, orderNumber, kind: 'gone', wanted: 'Confermato', kept: null },
    ])
  })

  it('is kept when the token is wrong: the token may be corrected', async () => {
    source.failure = 'denied'
    const orderId = await record('Confermato')
    expect(await push.push(pharmacyId, orderId)).toBe('denied')
    await expect(pushJob(push.push)({ pharmacyId, orderId })).rejects.toThrow('denied')
    expect(await statusHere()).toBe('Confermato')
  })

  it('made during the push of another is pushed after it, in order', async () => {
    const open = source.hold()
    const orderId = await record('Confermato')
    const first = push.push(pharmacyId, orderId)
    await expect.poll(() => source.looks).toHaveLength(1)
    await record('Annullato')
    // Meanwhile no other process takes it.
    expect(await push.push(pharmacyId, orderId)).toBe('elsewhere')
    open()
    expect(await first).toBe('done')
    expect(source.writes.map((write) => write.status)).toEqual(['Confermato', 'Annullato'])
  })

  it('refused after a newer one was made goes back to what was pushed before', async () => {
    const orderId = await record('Confermato')
    await push.push(pharmacyId, orderId)
    source.failing.set('writing', 'refused')
    await record('Annullato')
    expect(await push.push(pharmacyId, orderId)).toBe('refused')
    expect(await statusHere()).toBe('Confermato')
  })

  it('of a process that died is pushed by another, when its time is over', async () => {
    const orderId = await record('Confermato')
    await changes.claim(pharmacyId, orderId)
    expect(await push.push(pharmacyId, orderId)).toBe('elsewhere')
    await database.pool.query(
      "update order_changes set claimed_until = now() - interval '31 seconds'",
    )
    expect(await push.push(pharmacyId, orderId)).toBe('done')
  })

  it('is pushed by its job when no request does', async () => {
    await record('Confermato')
    const jobs = await runPushJobs()
    await expect.poll(() => source.writes, { timeout: 10_000 }).toHaveLength(1)
    await jobs.stop()
    expect(await waiting()).toEqual([])
  })

  it('keeps its job while it is claimed: its process may have died', async () => {
    const orderId = await record('Confermato')
    await changes.claim(pharmacyId, orderId)
    const jobs = await runPushJobs()
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
    const job = pushJob(push.push, 50)
    await expect(job({ pharmacyId, orderId })).rejects.toThrow('elsewhere')
    open()
    await expect
      .poll(() =>
        job({ pharmacyId, orderId }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    expect(source.writes).toHaveLength(1)
  })

  it('does not go to the store that the pharmacy has left for our database', async () => {
    source.failing.set('writing', 'unreachable')
    const orderId = await record('Confermato')
    expect(await push.push(pharmacyId, orderId)).toBe('waiting')
    source.failing.clear()
    await database.pool.query("update pharmacies set orders_phase = 'retired' where id = $1", [
      pharmacyId,
    ])
    expect(await push.push(pharmacyId, orderId)).toBe('done')
    expect(source.writes).toEqual([])
    expect(await waiting()).toEqual([])
    expect(await statusHere()).toBe('Confermato')
  })

  it('that is denied does not hold up the others, a store that is away does', async () => {
    const others = [sourceOrder(), sourceOrder()]
    for (const order of others) source.records.set(order.recordId, order)
    await save(...others)
    await record('Confermato')
    for (const order of others)
      await recordChange(database, pharmacyId, order.recordId, 'Annullato')

    source.failure = 'rate_limited'
    await push.pushPending(pharmacyId)
    expect(source.looks).toEqual([recordId])

    source.failure = null
    source.failures.set(recordId, 'denied')
    await push.pushPending(pharmacyId)
    expect(source.writes.map((write) => write.recordId)).toEqual(
      others.map((order) => order.recordId),
    )
    expect(await waiting()).toHaveLength(1)
  })

  it('is not tried again and again with all the others while every one is denied', async () => {
    const orders = Array.from({ length: 20 }, () => sourceOrder())
    await save(...orders)
    for (const order of orders) {
      source.records.set(order.recordId, order)
      await recordChange(database, pharmacyId, order.recordId, 'Annullato')
    }
    source.failing.set('writing', 'denied')
    await push.pushPending(pharmacyId)
    expect(source.looks).toHaveLength(10)
    source.failing.clear()
    await push.pushPending(pharmacyId)
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

describe('an order that was changed in the store meanwhile', () => {
  it('is not overwritten: it is taken as it is there, and the pharmacy is told', async () => {
    const orderId = await record('Confermato')
    const stored = changeThere({ status: 'Annullato', address: 'Via Nuova 2, Mestre' })
    expect(await push.push(pharmacyId, orderId)).toBe('conflict')
    expect(source.writes).toEqual([])
    expect(await here()).toMatchObject({
      Stato: 'Annullato',
      Indirizzo: 'Via Nuova 2, Mestre',
      Last: stored.updatedAt,
    })
    expect(await waiting()).toEqual([])
    expect(await told()).toMatchObject([
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
    expect(await statusHere()).toBe('Confermato')
    expect(await push.push(pharmacyId, orderId)).toBe('conflict')
    expect(await statusHere()).toBe('Annullato')
  })

  it('to what is wanted here is done without a write', async () => {
    const orderId = await record('Confermato')
    changeThere({ status: 'Confermato' })
    expect(await push.push(pharmacyId, orderId)).toBe('done')
    expect(source.writes).toEqual([])
    expect(await waiting()).toEqual([])
    expect(await told()).toEqual([])
  })

  it('but not its status takes the change, and the rest comes here with it', async () => {
    const orderId = await record('Confermato')
    changeThere({ address: 'Via Nuova 2, Mestre' })
    expect(await push.push(pharmacyId, orderId)).toBe('done')
    expect(source.records.get(recordId)?.status).toBe('Confermato')
    expect(await here()).toMatchObject({ Stato: 'Confermato', Indirizzo: 'Via Nuova 2, Mestre' })
  })

  it('is told of with the newest change, when one was made during the look at the store', async () => {
    const orderId = await record('Confermato')
    changeThere({ status: 'Annullato' })
    const open = source.hold('looking')
    const pushed = push.push(pharmacyId, orderId)
    await expect.poll(() => source.looks).toHaveLength(1)
    await record('Prenotato Domani')
    open()
    expect(await pushed).toBe('conflict')
    expect(source.writes).toEqual([])
    expect(await told()).toMatchObject([{ wanted: 'Prenotato Domani', kept: 'Annullato' }])
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
    await expect(dying.push(pharmacyId, orderId)).rejects.toThrow('died')
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
    expect(await push.push(pharmacyId, orderId)).toBe('unsure')
    expect(source.records.get(recordId)?.status).toBe('Annullato')
    await halfAMinutePasses()
    expect(await push.push(pharmacyId, orderId)).toBe('done')
    expect(source.writes).toHaveLength(2)
    expect(await told()).toEqual([])
  })

  it('is changed again though the first change comes to pass after the second', async () => {
    source.failures.set(recordId, 'unreachable')
    const orderId = await record('Confermato')
    expect(await push.push(pharmacyId, orderId)).toBe('waiting')
    source.failures.clear()
    await record('Annullato')
    expect(await push.push(pharmacyId, orderId)).toBe('unsure')
    await expect(pushJob(push.push)({ pharmacyId, orderId })).rejects.toThrow('unsure')
    expect(source.writes).toHaveLength(1)

    changeThere({ status: 'Confermato' })
    expect(await push.push(pharmacyId, orderId)).toBe('unsure')
    expect(source.records.get(recordId)?.status).toBe('Annullato')
    await halfAMinutePasses()
    expect(await push.push(pharmacyId, orderId)).toBe('done')
    expect(await waiting()).toEqual([])
    expect(await statusHere()).toBe('Annullato')
  })

  it('that did not so much as ask is sure at once', async () => {
    source.failure = 'unreachable'
    const orderId = await record('Confermato')
    expect(await push.push(pharmacyId, orderId)).toBe('waiting')
    source.failure = null
    expect(await push.push(pharmacyId, orderId)).toBe('done')
  })

  it('long ago, and has heard of since, is a conflict when it is that again', async () => {
    const orderId = await pushAndDie('Confermato')
    await record('Annullato')
    // While the second change is pushed, a third is made here, and the store is set back to the first.
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
    expect(await busy.push(pharmacyId, orderId)).toBe('conflict')
    expect(await statusHere()).toBe('Confermato')
  })

  it('does not overwrite a status that was set in the store after ours was stored', async () => {
    const orderId = await record('Confermato')
    await push.push(pharmacyId, orderId)
    await record('Annullato')
    await push.push(pharmacyId, orderId)
    await record('Prenotato Domani')
    changeThere({ status: 'Confermato' })
    expect(await push.push(pharmacyId, orderId)).toBe('conflict')
    expect(await statusHere()).toBe('Confermato')
  })
})

describe('a push that ends late', () => {
  it('does not take for its own the change of an order that was removed and has come back', async () => {
    const first = await recordChange(database, pharmacyId, recordId, 'Confermato')
    await changes.removeGone(pharmacyId, first?.orderId ?? '')
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
    expect(await told()).toHaveLength(2)
    await notices.dismiss(pharmacyId, 'recA')
    expect(await told()).toMatchObject([{ recordId: 'recB' }])
  })
})
