import { readdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { type ForeignServer, foreignServer } from '../../../../test/foreign-server.ts'
import { type MemoryFiles, memoryFiles } from '../../../../test/memory-files.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { anImage, drawn } from '../../../../test/pictures.ts'
import { type ScriptedPictures, scriptedPictures } from '../../../../test/scripted-pictures.ts'
import { location, type ScriptedSource, scriptedSource } from '../../../../test/scripted-source.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { testFileFolder } from '../../../../test/temporary-folder.ts'
import { createOutbound } from '../../../platform/outbound.ts'
import { createTemporaryFiles } from '../../../platform/temporary-files.ts'
import type { SourceImage, SourceOrder } from '../../../ports/order-source.ts'
import type { PictureRejection } from '../../../ports/picture-renderer.ts'
import { createOrdersStore } from '../list/orders.store.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderImageFilesStore } from '../records/order-image-files.store.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'
import { MAX_BYTES, MAX_TRIES } from './order-images.rules.ts'
import { createOrderImages, type OrderImages } from './order-images.service.ts'
import { createOrderImagesStore, IMAGE_TASK } from './order-images.store.ts'

let database: TestDatabase
let pharmacyId: string
let source: ScriptedSource
let host: MemoryFiles
let pictures: ScriptedPictures
let folder: string
let images: OrderImages
/** Where the pictures are, and what is there. */
let there: ForeignServer
let answer: RequestListener

beforeAll(async () => {
  database = await testDatabase()
  folder = await testFileFolder()
})

beforeEach(async () => {
  pharmacyId = await addPharmacyRow(database, location)
  source = scriptedSource()
  host = memoryFiles()
  pictures = scriptedPictures()
  const picture = await anImage()
  answer = (_request, response) => response.end(picture)
  there = await foreignServer((request, response) => answer(request, response))
  const outbound = createOutbound({ allow: [there.origin] })
  onTestFinished(() => outbound.close())
  images = createOrderImages({
    store: createOrderImagesStore(database.db),
    source,
    host,
    outbound,
    pictures,
    temporaryFiles: createTemporaryFiles(folder),
    log: silentLog,
  })
})

/** Writes what was read of the store, as a reading does. */
async function read(order: SourceOrder): Promise<string> {
  source.records.set(order.recordId, order)
  await createOrderCopyStore(database.db, {
    ...noHooks,
    onImages: (tx, id, seen) => createOrderImagesStore(tx).enqueueNew(id, seen),
  }).saveOrders(pharmacyId, [order], new Date().toISOString())
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from pharmacy_orders where airtable_order_id = $1',
    [order.recordId],
  )
  return rows[0]?.id ?? ''
}

const at = (path: string, ref = there.url + path): SourceImage => ({ url: there.url + path, ref })

const withImage = (image: SourceImage | null) => sourceOrder({ image })

async function stateOf(orderId: string) {
  const { rows } = await database.pool.query<{ state: string; reason: string | null }>(
    'select state, reason from order_images where order_id = $1',
    [orderId],
  )
  return rows[0]
}

async function jobsOf(orderId: string): Promise<number> {
  const { rowCount } = await database.pool.query(
    'select from graphile_worker.jobs where key = $1',
    [`${IMAGE_TASK}:${orderId}`],
  )
  return rowCount ?? 0
}

/** The kept file of an attachment. */
async function fileOf(orderId: string, place = 1) {
  const found = await images.find(orderId, place)
  return found && 'file' in found ? found.file : undefined
}

/** What a screen is given. */
async function shown(order: SourceOrder) {
  const { records: page } = await createOrdersStore(database.db).listAfter(pharmacyId, null, 20)
  const record = page.find(({ id }) => id === order.recordId)
  return { image: record?.fields.Image, picture: record?.picture }
}

describe('the picture of an order', () => {
  it('is wanted once, by a job that is there if the order is', async () => {
    const order = withImage(at('one'))
    const orderId = await read(order)
    await read({ ...order, customerName: 'Anna Neri' })
    await read({ ...order, image: at('one-anew', 'one'), customerName: 'Anna Rossi' })
    expect(await jobsOf(orderId)).toBe(1)
    expect(await jobsOf(await read(withImage(null)))).toBe(0)
    expect(await stateOf(orderId)).toEqual({ state: 'waiting', reason: null })
  })

  it('is copied, and what the screens are given changes', async () => {
    const order = withImage(at('one'))
    const orderId = await read(order)
    expect(await shown(order)).toEqual({ image: `${there.url}one`, picture: null })
    const state = () => createOrdersStore(database.db).state(pharmacyId)
    const { version } = await state()
    await images.copy(pharmacyId, orderId)
    expect(await shown(order)).toMatchObject({ picture: orderId })
    expect(Number((await state()).version)).toBeGreaterThan(Number(version))
    const kept = await fileOf(orderId)
    expect(kept?.key).toMatch(new RegExp(`^${pharmacyId}/[0-9a-f]{64}$`))
    expect(kept?.isPicture).toBe(true)
    expect(host.files.get(kept?.key ?? '')?.byteLength).toBe(kept?.bytes)
    expect(await readdir(folder)).toEqual([])
  })

  it('is copied once, also when it is asked for again', async () => {
    const orderId = await read(withImage(at('one')))
    await images.copy(pharmacyId, orderId)
    await images.copy(pharmacyId, orderId)
    await images.copy(pharmacyId, '0')
    expect(there.requestCount).toBe(1)
  })

  it('that is replaced is copied anew, and not shown meanwhile', async () => {
    const order = withImage(at('one'))
    const orderId = await read(order)
    await images.copy(pharmacyId, orderId)
    const first = await fileOf(orderId)
    const other = await drawn(80, 80).png().toBuffer()
    answer = (_request, response) => response.end(other)
    await read({ ...order, image: at('two') })
    expect(await shown(order)).toEqual({ image: `${there.url}two`, picture: null })
    expect(await fileOf(orderId)).toBeUndefined()
    await images.copy(pharmacyId, orderId)
    expect((await fileOf(orderId))?.key).not.toBe(first?.key)
  })

  it('that is replaced while it is copied is not taken for the new one', async () => {
    const order = withImage(at('one'))
    const orderId = await read(order)
    const picture = await anImage()
    answer = (_request, response) => {
      read({ ...order, image: at('two') }).then(
        () => response.end(picture),
        () => response.destroy(),
      )
    }
    await images.copy(pharmacyId, orderId)
    expect(await stateOf(orderId)).toEqual({ state: 'waiting', reason: null })
    expect(await shown(order)).toEqual({ image: `${there.url}two`, picture: null })
  })

  it('that is taken away is shown no more', async () => {
    const order = withImage(at('one'))
    const orderId = await read(order)
    await images.copy(pharmacyId, orderId)
    await read({ ...order, image: null })
    expect(await shown(order)).toEqual({ image: undefined, picture: null })
    expect(await images.find(orderId)).toBeUndefined()
  })
})

describe('an address that has ended', () => {
  const ends = (path: string, status = 410): RequestListener => {
    const fine = answer
    return (request, response) =>
      request.url === `/${path}` ? response.writeHead(status).end() : fine(request, response)
  }

  it.each([403, 404, 410])('with %i is asked of the store again', async (status) => {
    const order = withImage(at('old', 'att1'))
    const orderId = await read(order)
    answer = ends('old', status)
    source.records.set(order.recordId, { ...order, image: at('new', 'att1') })
    await images.copy(pharmacyId, orderId)
    expect(source.looks).toEqual([order.recordId])
    expect(await stateOf(orderId)).toEqual({ state: 'stored', reason: null })
  })

  it.each<[string, (order: SourceOrder) => SourceOrder | undefined]>([
    ['the store has the same one', (order) => order],
    ['the fresh one ends as well', (order) => ({ ...order, image: at('old?fresh', 'att1') })],
    ['the order has no picture now', (order) => ({ ...order, image: null })],
    ['the order is gone', () => undefined],
  ])('is gone for good when %s', async (_why, now) => {
    const order = withImage(at('old', 'att1'))
    const orderId = await read(order)
    answer = (_request, response) => response.writeHead(410).end()
    const record = now(order)
    if (record) source.records.set(order.recordId, record)
    else source.records.delete(order.recordId)
    await images.copy(pharmacyId, orderId)
    expect(source.looks).toHaveLength(1)
    expect(await stateOf(orderId)).toEqual({ state: 'refused', reason: 'gone' })
    // Its path leads to what the store has by then.
    expect(await shown(order)).toEqual({ image: `${there.url}old`, picture: orderId })
  })

  it('is tried again later when the store cannot be asked', async () => {
    const order = withImage(at('old', 'att1'))
    const orderId = await read(order)
    answer = ends('old')
    source.failure = 'unreachable'
    await expect(images.copy(pharmacyId, orderId)).rejects.toThrow('as the test wants')
    expect(await stateOf(orderId)).toEqual({ state: 'waiting', reason: null })
  })
})

describe('several attachments of an order', () => {
  const several = (...names: string[]): SourceImage => ({
    url: there.url + names[0],
    ref: names.join(' '),
    attachments: names.map((name) => ({
      url: there.url + name,
      ref: name,
      name: `${name}.png`,
      type: 'image/png',
      bytes: 7,
    })),
  })

  it('are kept all, and go with their order', async () => {
    const order = withImage(several('one', 'two'))
    const orderId = await read(order)
    const two = await drawn(80, 80).png().toBuffer()
    const fine = answer
    answer = (request, response) =>
      request.url === '/two' ? response.end(two) : fine(request, response)
    await images.copy(pharmacyId, orderId)
    expect(await stateOf(orderId)).toEqual({ state: 'stored', reason: null })
    const files = [await fileOf(orderId), await fileOf(orderId, 2)]
    expect(new Set(files.map((file) => file?.key)).size).toBe(2)
    expect(await images.find(orderId, 3)).toBeUndefined()
    const unused = () =>
      createOrderImageFilesStore(database.db).listUnused(undefined, 9, pharmacyId)
    expect(await unused()).toEqual([])
    await read({ ...order, image: several('two') })
    expect(await fileOf(orderId, 2)).toBeUndefined()
    expect((await unused()).length).toBe(2)
  })

  it('do not wait for one that cannot be had, and are not fetched again for it', async () => {
    const orderId = await read(withImage(several('broken', 'two')))
    const fine = answer
    answer = (request, response) =>
      request.url === '/broken' ? response.writeHead(503).end() : fine(request, response)
    await expect(images.copy(pharmacyId, orderId)).rejects.toThrow('503')
    expect(await fileOf(orderId)).toBeUndefined()
    expect(await fileOf(orderId, 2)).toBeDefined()
    expect(await stateOf(orderId)).toEqual({ state: 'waiting', reason: null })
    answer = fine
    await images.copy(pharmacyId, orderId)
    expect(there.requestCount).toBe(3)
    expect(await fileOf(orderId)).toBeDefined()
    expect(await stateOf(orderId)).toEqual({ state: 'stored', reason: null })
  })
})

describe('a picture that cannot be kept', () => {
  const sends = (body: Buffer): RequestListener => {
    return (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).end(body)
    }
  }

  const pdf = Buffer.from('%PDF-1.4\n%%EOF')
  const page = Buffer.from('<!doctype html><script>alert(1)</script>')
  const attachment = (type: string): SourceImage => {
    const [url, ref] = [`${there.url}file`, 'att1']
    return { url, ref, attachments: [{ url, ref, name: 'a', type, bytes: null }] }
  }

  it.each<[string, () => SourceImage, Buffer, PictureRejection, string]>([
    ['a PDF', () => attachment('image/png'), pdf, 'not_a_picture', 'application/pdf'],
    ['a HEIC', () => attachment('image/heic'), Buffer.from('h'), 'unreadable', 'image/heic'],
    ['a page', () => attachment('text/html'), page, 'not_a_picture', 'application/octet-stream'],
    ['a wide one', () => at('old', 'att1'), Buffer.from('w'), 'too_wide', 'image/png'],
    ['a truncated one by a plain link', () => at('a'), Buffer.from('t'), 'unreadable', 'image/png'],
    ['a PDF by a plain link', () => at('a'), pdf, 'not_a_picture', 'application/pdf'],
  ])(
    'is kept as it is, also after its address has ended: %s',
    async (_what, image, bytes, reason, contentType) => {
      const orderId = await read(withImage(image()))
      pictures.reason = reason
      answer = sends(bytes)
      await images.copy(pharmacyId, orderId)
      expect(await stateOf(orderId)).toEqual({ state: 'stored', reason: null })
      const file = await fileOf(orderId)
      expect(file).toMatchObject({ contentType, bytes: bytes.byteLength, isPicture: false })
      expect(host.files.get(file?.key ?? '')).toEqual(bytes)
    },
  )

  it('because a plain link leads to a page, stays a link', async () => {
    const order = withImage(at('page'))
    const orderId = await read(order)
    pictures.reason = 'not_a_picture'
    answer = sends(page)
    await images.copy(pharmacyId, orderId)
    expect(await stateOf(orderId)).toEqual({ state: 'refused', reason: 'not_a_picture' })
    expect(await shown(order)).toEqual({ image: `${there.url}page`, picture: null })
    expect(host.files.size).toBe(0)
  })

  it('because it is too large, is found under a fresh link when it is opened', async () => {
    const order = withImage(at('old', 'att1'))
    const orderId = await read(order)
    answer = sends(Buffer.alloc(MAX_BYTES + 1))
    await images.copy(pharmacyId, orderId)
    expect(await stateOf(orderId)).toEqual({ state: 'refused', reason: 'too_large' })
    source.records.set(order.recordId, { ...order, image: at('new', 'att1') })
    expect(await images.find(orderId)).toEqual({ url: `${there.url}new` })
    source.failure = 'unreachable'
    expect(await images.find(orderId)).toEqual({ url: `${there.url}old` })
    source.failure = null
    source.records.set(order.recordId, {
      ...order,
      image: { url: 'javascript:alert(1)', ref: 'att1' },
    })
    expect(await images.find(orderId)).toBeUndefined()
    source.records.delete(order.recordId)
    expect(await images.find(orderId)).toBeUndefined()
  })

  it.each<[string, string, () => RequestListener]>([
    ['a huge one', 'too_large', () => sends(Buffer.alloc(MAX_BYTES + 1))],
    ['an empty one', 'not_a_picture', () => sends(Buffer.alloc(0))],
    ['a refusal', 'no_answer', () => (_request, response) => response.writeHead(402).end()],
    [
      'a way to this machine',
      'forbidden',
      () => (_request, response) =>
        response.writeHead(302, { location: 'https://127.0.0.1/' }).end(),
    ],
  ])('is refused with its reason, and its address stays: %s', async (_what, reason, made) => {
    const order = withImage(at('photo.png'))
    const orderId = await read(order)
    answer = made()
    await images.copy(pharmacyId, orderId)
    expect(await stateOf(orderId)).toEqual({ state: 'refused', reason })
    expect(await shown(order)).toEqual({ image: `${there.url}photo.png`, picture: null })
    expect(host.files.size).toBe(0)
  })

  it('is not asked for where we do not go', async () => {
    const orderId = await read(withImage({ url: 'http://169.254.169.254/latest/', ref: 'x' }))
    await images.copy(pharmacyId, orderId)
    expect(await stateOf(orderId)).toEqual({ state: 'refused', reason: 'forbidden' })
  })
})

describe('a failure that may pass', () => {
  const failures: Record<string, () => void> = {
    'of where the picture is': () => {
      answer = (_request, response) => response.writeHead(503).end()
    },
    'of the line': () => {
      answer = (request) => request.socket.destroy()
    },
    'of what draws it': () => {
      pictures.failure = new Error('there is no room for it')
    },
    'of where copies are kept': () => {
      host.failure = new Error('the disk is full')
    },
  }
  it.each(Object.entries(failures))(
    '%s is told to the job queue, until it has been tried often enough',
    async (_what, fail) => {
      const orderId = await read(withImage(at('one')))
      fail()
      for (let time = 1; time < MAX_TRIES; time += 1) {
        await expect(images.copy(pharmacyId, orderId)).rejects.toThrow()
      }
      expect(await stateOf(orderId)).toEqual({ state: 'waiting', reason: null })
      await images.copy(pharmacyId, orderId)
      const isDrawing = pictures.failure !== null
      expect(await stateOf(orderId)).toEqual(
        // What cannot be drawn is kept as it is.
        isDrawing ? { state: 'stored', reason: null } : { state: 'refused', reason: 'unavailable' },
      )
    },
  )

  it('is no failure when we stop, however often it was tried', async () => {
    const orderId = await read(withImage(at('one')))
    await database.pool.query('update order_images set tries = $1', [MAX_TRIES - 1])
    const stopping = new AbortController()
    answer = () => stopping.abort()
    await expect(images.copy(pharmacyId, orderId, stopping.signal)).rejects.toThrow('given up')
    expect(await stateOf(orderId)).toEqual({ state: 'waiting', reason: null })
  })

  it('such as the end of the process is not met for ever', async () => {
    const orderId = await read(withImage(at('one')))
    await database.pool.query('update order_images set tries = $1', [MAX_TRIES])
    await images.copy(pharmacyId, orderId)
    expect(there.requestCount).toBe(0)
    expect(await stateOf(orderId)).toEqual({ state: 'refused', reason: 'unavailable' })
  })
})
