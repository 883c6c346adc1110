import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ImagesWorld, imagesWorld } from '../../../test/images-world.ts'
import { type MemoryImages, memoryImages } from '../../../test/memory-images.ts'
import { addPharmacyRow } from '../../../test/pharmacy-row.ts'
import { type ImageHost, ImageHostError } from '../../ports/image-host.ts'
import { createImagesStore, type ImagesStore } from './images.store.ts'

let world: ImagesWorld
let store: ImagesStore
let pharmacyId: string
let host: MemoryImages

beforeAll(async () => {
  world = await imagesWorld()
  store = world.store
})

beforeEach(async () => {
  for (const table of ['product_image_archive', 'image_uses', 'images']) {
    await world.database.pool.query(`delete from ${table}`)
  }
  pharmacyId = await addPharmacyRow(world.database, null)
  host = memoryImages()
})

const upload = () =>
  world.service(host).upload(pharmacyId, { receive: async () => ({ path: world.picture }) })

const ofArchive = () => world.service(host).keep(null, world.picture, 'product')

async function rows() {
  const { rows: found } = await world.database.pool.query<{
    public_id: string
    url: string | null
  }>('select public_id, url from images order by 1')
  return found.map((row) => row.public_id)
}

async function archive(publicId: string, minsan = '012345678') {
  await world.database.pool.query(
    'insert into product_image_archive (minsan, public_id) values ($1, $2)',
    [minsan, publicId],
  )
}

describe('a picture that nobody shows', () => {
  it('is removed after a day, and not before', async () => {
    const { publicId } = await upload()
    await world.age(23)
    await world.clean(host)
    expect([await rows(), [...host.kept]]).toEqual([[publicId], [publicId]])
    await world.age(2)
    await world.clean(host)
    expect([await rows(), [...host.kept]]).toEqual([[], []])
  })

  it('is removed a day after it was shown last', async () => {
    const { publicId } = await upload()
    expect(await store.hold(pharmacyId, publicId, 'offer:1')).toBe(true)
    await world.age(48)
    await world.clean(host)
    expect(await rows()).toEqual([publicId])
    await store.release('offer:1')
    await world.clean(host)
    expect(await rows()).toEqual([publicId])
    await world.age(25)
    await world.clean(host)
    expect(await rows()).toEqual([])
  })

  it('of the archive stays', async () => {
    const { publicId } = await ofArchive()
    expect(publicId).toMatch(/^archive_\d+$/)
    await archive(publicId)
    await world.age(48)
    await world.clean(host)
    expect(await rows()).toEqual([publicId])
    await world.database.pool.query('delete from product_image_archive')
    await world.clean(host)
    expect([await rows(), host.kept.size]).toEqual([[], 0])
  })

  it('of a pharmacy that is gone goes too', async () => {
    await upload()
    await world.database.pool.query('delete from pharmacies where id = $1', [pharmacyId])
    await world.age(25)
    await world.clean(host)
    expect([await rows(), host.kept.size]).toEqual([[], 0])
  })

  it('is tried again later when the host fails, and holds up no other', async () => {
    const first = await upload()
    const second = await upload()
    await world.age(25)
    const broken: ImageHost = {
      ...host,
      async remove(publicId) {
        if (publicId !== first.publicId) return host.remove(publicId)
        throw new ImageHostError('unavailable', 'as the test wants')
      },
    }
    await world.clean(broken)
    expect([await rows(), [...host.kept]]).toEqual([[first.publicId], [first.publicId]])
    expect([...host.kept]).not.toContain(second.publicId)
    expect(await store.url(first.publicId)).toBeUndefined()
    await world.clean(host)
    expect([await rows(), host.kept.size]).toEqual([[], 0])
  })

  it('waits with all others when the host is down', async () => {
    for (let number = 0; number < 7; number += 1) await upload()
    await world.age(25)
    host.failure = new ImageHostError('unavailable', 'as the test wants')
    await expect(world.clean(host)).rejects.toThrow('as the test wants')
    expect(await rows()).toHaveLength(7)
    host.failure = null
    await world.clean(host)
    expect(await rows()).toEqual([])
  })

  it('is not begun with when the process ends', async () => {
    await upload()
    await world.age(25)
    await expect(world.clean(host, AbortSignal.abort(new Error('the end')))).rejects.toThrow(
      'the end',
    )
    expect(await rows()).toHaveLength(1)
  })
})

describe('a picture that somebody shows', () => {
  const outcome = (publicId: string): Promise<string> =>
    world
      .service(host)
      .remove(pharmacyId, publicId)
      .then(() => 'removed', String)

  it('is not removed by its pharmacy', async () => {
    const { publicId } = await upload()
    await store.hold(pharmacyId, publicId, 'offer:1')
    await store.hold(pharmacyId, publicId, 'offer:1')
    await store.hold(pharmacyId, publicId, 'offer:2')
    await store.release('offer:1')
    expect(await outcome(publicId)).toContain('images.in_use')
    expect(await store.url(publicId)).toBeDefined()
    await store.release('offer:2')
    expect(await outcome(publicId)).toBe('removed')
  })

  it('is let go for another one', async () => {
    const [first, second] = [await upload(), await upload()]
    await store.hold(pharmacyId, first.publicId, 'offer:1')
    await store.hold(pharmacyId, second.publicId, 'offer:1')
    await store.release('offer:1', second.publicId)
    expect(await outcome(first.publicId)).toBe('removed')
    expect(await outcome(second.publicId)).toContain('images.in_use')
  })

  it('is one of its own pharmacy, or of the archive', async () => {
    const other = await addPharmacyRow(world.database, null)
    const { publicId } = await upload()
    expect(await store.hold(other, publicId, 'offer:9')).toBe(false)
    const product = await ofArchive()
    expect(await store.hold(other, product.publicId, 'offer:9')).toBe(false)
    await archive(product.publicId)
    expect(await store.hold(other, product.publicId, 'offer:9')).toBe(true)
    expect(await store.hold(other, 'archive_1', 'offer:9')).toBe(false)
  })

  it('from the moment that it is removed is shown by nobody', async () => {
    const { publicId } = await upload()
    host.failure = new ImageHostError('unavailable', 'as the test wants')
    expect(await outcome(publicId)).toContain('images.host_failed')
    expect(await store.url(publicId)).toBeUndefined()
    expect(await store.hold(pharmacyId, publicId, 'offer:1')).toBe(false)
    host.failure = null
    expect(await outcome(publicId)).toBe('removed')
    expect([await rows(), host.kept.size]).toEqual([[], 0])
  })

  it('is not shown by who comes late, without a transaction', async () => {
    const { publicId } = await upload()
    let holding = Promise.resolve(true)
    await world.database.db.transaction().execute(async (tx) => {
      await sql`lock table image_uses in share row exclusive mode`.execute(tx)
      holding = store.hold(pharmacyId, publicId, 'offer:1')
      await isWaitedFor()
      expect(await outcome(publicId)).toBe('removed')
    })
    expect(await holding).toBe(false)
  })

  it('in a transaction that is not over is waited for by who removes it', async () => {
    const { publicId } = await upload()
    let removing = Promise.resolve('')
    await world.database.db.transaction().execute(async (tx) => {
      expect(await createImagesStore(tx).hold(pharmacyId, publicId, 'offer:1')).toBe(true)
      removing = outcome(publicId)
      await isWaitedFor()
    })
    expect(await removing).toContain('images.in_use')
  })

  it('that is being removed is waited for by who would show it', async () => {
    const { publicId } = await upload()
    let holding = Promise.resolve(true)
    await world.database.db.transaction().execute(async (tx) => {
      await tx.updateTable('images').set({ url: null }).where('public_id', '=', publicId).execute()
      holding = store.hold(pharmacyId, publicId, 'offer:1')
      await isWaitedFor()
    })
    expect(await holding).toBe(false)
  })
})

/** Somebody waits for a lock. */
async function isWaitedFor() {
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  await vi.waitUntil(async () => (await world.database.pool.query(waiting)).rowCount === 1)
}
