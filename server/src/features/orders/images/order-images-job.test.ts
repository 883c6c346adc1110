import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { type MemoryFiles, memoryFiles } from '../../../../test/memory-files.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderImageFilesStore } from '../records/order-image-files.store.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'
import { IMAGE_CLEANUP_TASK, imageTasks } from './order-images.service.ts'
import { createOrderImagesStore, type OrderImagesStore } from './order-images.store.ts'

let database: TestDatabase
let pharmacyId: string
let store: OrderImagesStore
let host: MemoryFiles

beforeAll(async () => {
  database = await testDatabase()
  store = createOrderImagesStore(database.db)
})

beforeEach(async () => {
  await database.pool.query('delete from pharmacy_orders')
  await database.pool.query('delete from order_image_files')
  pharmacyId = await addPharmacyRow(database, null)
  host = memoryFiles()
})

/** An order whose picture is the file of that name. */
async function keep(name: string): Promise<string> {
  const order = sourceOrder({ image: { url: `https://example.org/${name}`, ref: name } })
  const copy = createOrderCopyStore(database.db, noHooks)
  await copy.saveOrders(pharmacyId, [order], new Date().toISOString())
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from pharmacy_orders where airtable_order_id = $1',
    [order.recordId],
  )
  const orderId = rows[0]?.id ?? ''
  await store.enqueueNew(pharmacyId, [{ orderId, ref: name }])
  const key = `pharmacy/${name}`
  const contentType = 'image/webp'
  await store.registerFile(pharmacyId, key)
  await host.put(key, Buffer.from(name), contentType)
  await store.markKept(pharmacyId, orderId, name, 1, {
    key,
    contentType,
    bytes: name.length,
    width: 1,
    height: 1,
  })
  return orderId
}

const daysPass = () =>
  database.pool.query("update order_image_files set put_at = put_at - interval '2 days'")

async function cleanUp(signal?: AbortSignal): Promise<void> {
  const files = createOrderImageFilesStore(database.db)
  const images = {
    copy: () => Promise.reject(new Error('nothing is copied')),
    copyLeft: () => store.enqueueLeft(),
  }
  await imageTasks({ images, files, host, log: silentLog })[IMAGE_CLEANUP_TASK]?.run({}, signal)
}

async function remembered(): Promise<string[]> {
  const { rows } = await database.pool.query<{ key: string }>(
    'select key from order_image_files order by key',
  )
  return rows.map((row) => row.key)
}

const remove = (orderId: string) =>
  database.pool.query('delete from pharmacy_orders where id = $1', [orderId])

describe('the nightly cleaning of pictures', () => {
  it('removes the files of orders that are gone, and no others', async () => {
    const gone = await keep('gone')
    await keep('there')
    await remove(gone)
    await daysPass()
    await cleanUp()
    expect([...host.files.keys()]).toEqual(['pharmacy/there'])
    expect(await remembered()).toEqual(['pharmacy/there'])
  })

  it('leaves a file that another order shows', async () => {
    const gone = await keep('same')
    await keep('same')
    await remove(gone)
    await daysPass()
    await cleanUp()
    expect(host.files.size).toBe(1)
  })

  it('leaves a file that may be about to be referred to', async () => {
    await store.registerFile(pharmacyId, 'pharmacy/coming')
    await host.put('pharmacy/coming', Buffer.from('a'), 'image/webp')
    await cleanUp()
    expect(host.files.size).toBe(1)
    await daysPass()
    await store.registerFile(pharmacyId, 'pharmacy/coming')
    await cleanUp()
    expect(host.files.size).toBe(1)
    await daysPass()
    await cleanUp()
    expect(host.files.size).toBe(0)
  })

  it('forgets the picture of an order that has none any more', async () => {
    const orderId = await keep('removed')
    await database.pool.query('update pharmacy_orders set image_url = null where id = $1', [
      orderId,
    ])
    await daysPass()
    await cleanUp()
    expect(host.files.size).toBe(0)
    expect(await store.startAttempt(pharmacyId, orderId)).toBeUndefined()
  })

  it('copies again what has waited for a day without a job', async () => {
    const orderId = await keep('left')
    await database.pool.query("update order_images set state = 'waiting'")
    await database.pool.query('delete from graphile_worker._private_jobs')
    const jobs = async () => {
      const { rows } = await database.pool.query<{ key: string }>(
        'select key from graphile_worker.jobs',
      )
      return rows.map(({ key }) => key)
    }
    await cleanUp()
    expect(await jobs()).toEqual([])
    await database.pool.query("update order_images set updated_at = now() - interval '2 days'")
    await cleanUp()
    expect(await jobs()).toEqual([`orders.image:${orderId}`])
  })

  it('goes through more than it looks at in one go', async () => {
    await database.pool.query(
      `insert into order_image_files (pharmacy_id, key)
       select $1, 'pharmacy/' || n from generate_series(1, 510) n`,
      [pharmacyId],
    )
    await daysPass()
    await cleanUp()
    expect(await remembered()).toEqual([])
  })

  it('knows of a file that could not be removed, and removes it the next night', async () => {
    await remove(await keep('gone'))
    await daysPass()
    host.failure = new Error('the disk is away')
    await expect(cleanUp()).rejects.toThrow('the disk is away')
    expect(await remembered()).toEqual(['pharmacy/gone'])
    host.failure = null
    await cleanUp()
    expect([host.files.size, await remembered()]).toEqual([0, []])
  })

  it('stops when the process does', async () => {
    await remove(await keep('gone'))
    await daysPass()
    await expect(cleanUp(AbortSignal.abort())).rejects.toThrow('aborted')
    expect(host.files.size).toBe(1)
  })

  it('does not wait for an upload of the same file: that one runs after the removal', async () => {
    await remove(await keep('again'))
    await daysPass()
    const files = createOrderImageFilesStore(database.db)
    const order: string[] = []
    let putting = Promise.resolve()
    await files.remove({ pharmacyId, key: 'pharmacy/again' }, async () => {
      putting = store.registerFile(pharmacyId, 'pharmacy/again').then(() => {
        order.push('put')
      })
      // Long enough for the other to come to its lock, as far as it gets.
      await database.pool.query('select pg_sleep(0.1)')
      order.push('removed')
    })
    await putting
    expect(order).toEqual(['removed', 'put'])
    expect(await remembered()).toEqual(['pharmacy/again'])
  })
})
