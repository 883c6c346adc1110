import { IMAGE_QUOTA_BYTES } from '@bancone/contract/images'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ImagesWorld, imagesWorld } from '../../../test/images-world.ts'
import { untilBlocked } from '../../../test/lock-waits.ts'
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

const upload = (images = world.service(host), signal?: AbortSignal) =>
  images.upload(pharmacyId, { receive: async () => ({ path: world.picture }) }, signal)

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

describe('a picture that no offer shows', () => {
  it('is removed after a day, and not before', async () => {
    const { publicId } = await upload()
    await world.age(23)
    await world.clean(host)
    expect([await rows(), [...host.stored]]).toEqual([[publicId], [publicId]])
    await world.age(2)
    await world.clean(host)
    expect([await rows(), [...host.stored]]).toEqual([[], []])
  })

  it('is removed a day after it was shown last', async () => {
    const { publicId } = await upload()
    expect(await store.hold(pharmacyId, publicId, 'offer:1')).toBe(await store.url(publicId))
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
    expect([await rows(), host.stored.size]).toEqual([[], 0])
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
    expect([await rows(), [...host.stored]]).toEqual([[first.publicId], [first.publicId]])
    expect([...host.stored]).not.toContain(second.publicId)
    expect(await store.url(first.publicId)).toBeUndefined()
    await world.clean(host)
    expect([await rows(), host.stored.size]).toEqual([[], 0])
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

describe('a picture that an offer shows', () => {
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

  it('is one of its own pharmacy, or of the archive', async () => {
    const other = await addPharmacyRow(world.database, null)
    const { publicId } = await upload()
    expect(await store.hold(other, publicId, 'offer:9')).toBeUndefined()
    const product = await ofArchive()
    expect(await store.hold(other, product.publicId, 'offer:9')).toBeUndefined()
    await archive(product.publicId)
    expect(await store.hold(other, product.publicId, 'offer:9')).toBeDefined()
    expect(await store.hold(other, 'archive_1', 'offer:9')).toBeUndefined()
  })

  it('is not served from the moment that it is removed', async () => {
    const { publicId } = await upload()
    host.failure = new ImageHostError('unavailable', 'as the test wants')
    expect(await outcome(publicId)).toContain('images.host_failed')
    expect(await store.url(publicId)).toBeUndefined()
    expect(await store.hold(pharmacyId, publicId, 'offer:1')).toBeUndefined()
    host.failure = null
    expect(await outcome(publicId)).toBe('removed')
    expect([await rows(), host.stored.size]).toEqual([[], 0])
  })

  it('is not shown by who comes late, without a transaction', async () => {
    const { publicId } = await upload()
    let holding: Promise<string | undefined> = Promise.resolve('')
    await world.database.db.transaction().execute(async (tx) => {
      await sql`lock table image_uses in share row exclusive mode`.execute(tx)
      holding = store.hold(pharmacyId, publicId, 'offer:1')
      await untilBlocked(world.database.pool)
      expect(await outcome(publicId)).toBe('removed')
    })
    expect(await holding).toBeUndefined()
  })

  it('in a transaction that is not over is waited for by who removes it', async () => {
    const { publicId } = await upload()
    let removing = Promise.resolve('')
    await world.database.db.transaction().execute(async (tx) => {
      expect(await createImagesStore(tx).hold(pharmacyId, publicId, 'offer:1')).toBeDefined()
      removing = outcome(publicId)
      await untilBlocked(world.database.pool)
    })
    expect(await removing).toContain('images.in_use')
  })

  it('that is being removed is waited for by who would show it', async () => {
    const { publicId } = await upload()
    let holding: Promise<string | undefined> = Promise.resolve('')
    await world.database.db.transaction().execute(async (tx) => {
      await tx.updateTable('images').set({ url: null }).where('public_id', '=', publicId).execute()
      holding = store.hold(pharmacyId, publicId, 'offer:1')
      await untilBlocked(world.database.pool)
    })
    expect(await holding).toBeUndefined()
  })
})

/** Another process cleans a day later. */
async function nothingIsLeftTomorrow() {
  await world.age(25)
  await world.clean(host)
  expect([await rowCount(), host.stored.size]).toEqual([{ there: 0, all: 0 }, 0])
}

async function rowCount() {
  const { rows: all } = await world.database.pool.query<{ url: string | null }>(
    'select url from images',
  )
  return { there: all.filter(({ url }) => url !== null).length, all: all.length }
}

/** A process that ends at one of its steps: before it was done, or just after. From then on it does nothing. */
function dyingProcess(at: number, when: 'before' | 'after') {
  let steps = 0
  const dead = () => Promise.reject(new Error('the process has ended'))
  function step<Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) {
    return async (...given: Given): Promise<Result> => {
      steps += 1
      if (steps > at || (steps === at && when === 'before')) return dead()
      const result = await work(...given)
      return steps === at ? dead() : result
    }
  }
  const images = world.service(
    { ...host, put: step(host.put), remove: step(host.remove) },
    {
      ...store,
      expect: step(store.expect),
      complete: step(store.complete),
      abandon: step(store.abandon),
      withdraw: step(store.withdraw),
      forget: step(store.forget),
    },
  )
  return { images, hasEnded: () => steps >= at }
}

describe.each(['before', 'after'] as const)('a process that ends %s a step', (when) => {
  it.each([
    ['keeping', 1],
    ['keeping', 2],
    ['keeping', 3],
    ['removing', 1],
    ['removing', 2],
    ['removing', 3],
  ])('of %s a picture (%i) leaves nothing for good', async (what, at) => {
    const publicId = what === 'removing' ? (await upload()).publicId : ''
    const { images, hasEnded } = dyingProcess(at, when)
    const work = publicId ? images.remove(pharmacyId, publicId) : upload(images)
    await expect(work).rejects.toThrow('the process has ended')
    expect(hasEnded()).toBe(true)
    // What is there is whole, and whatever the host has, a row leads to it.
    expect((await rowCount()).there).toBeLessThanOrEqual(host.stored.size)
    expect((await rowCount()).all).toBeGreaterThanOrEqual(host.stored.size)
    await nothingIsLeftTomorrow()
  })
})

describe('a host that fails', () => {
  it.each(['unavailable', 'refused'] as const)(
    'is said so, and what it may have is removed tomorrow: %s',
    async (kind) => {
      host.put = async (publicId) => {
        // Its answer did not come, but the picture did.
        host.stored.add(publicId)
        throw new ImageHostError(kind, 'as the test wants')
      }
      await expect(upload()).rejects.toMatchObject({ code: 'images.host_failed' })
      expect(await rowCount()).toEqual({ there: 0, all: 1 })
      const stored = await world.database.pool.query('select bytes from images')
      expect(stored.rows).toEqual([{ bytes: 0 }])
      await nothingIsLeftTomorrow()
    },
  )

  it('of ours is no error of the host', async () => {
    host.put = () => Promise.reject(new TypeError('x is not a function'))
    await expect(upload()).rejects.toThrow(TypeError)
  })
})

it('an upload whose request was aborted is given up, and leaves nothing for good', async () => {
  const left = new AbortController()
  host.put = async (publicId) => {
    host.stored.add(publicId)
    left.abort()
    throw new ImageHostError('unavailable', 'given up')
  }
  await expect(upload(undefined, left.signal)).rejects.toMatchObject({ code: 'request.invalid' })
  await nothingIsLeftTomorrow()
})

it('a picture that is on its way to the host is not removed under its feet', async () => {
  const { put } = host
  host.put = async (publicId, file, signal) => {
    await expect(world.service(host).remove(pharmacyId, publicId)).rejects.toMatchObject({
      code: 'images.not_found',
    })
    return put(publicId, file, signal)
  }
  const { publicId } = await upload()
  expect([await rowCount(), [...host.stored]]).toEqual([{ there: 1, all: 1 }, [publicId]])
})

const expected = (bytes: number, owner: string | null = pharmacyId, now = 1) =>
  store.expect(owner, { width: 1, height: 1, bytes }, 'upload', now)

describe('the room of a pharmacy', () => {
  it('is not exceeded however many come at once', async () => {
    // Connections that are there already, so that they do come at once.
    await Promise.all([1, 2, 3, 4, 5].map(() => world.database.pool.query('select pg_sleep(0.1)')))
    const third = Math.floor(IMAGE_QUOTA_BYTES / 3)
    const names = await Promise.all(Array.from({ length: 9 }, () => expected(third)))
    expect(names.filter((name) => name !== undefined)).toHaveLength(3)
  })

  it('is used to the last byte, and free again when a picture goes', async () => {
    const first = await expected(IMAGE_QUOTA_BYTES - 1)
    expect(await expected(2)).toBeUndefined()
    expect(await expected(1)).toBeDefined()
    expect(await expected(1)).toBeUndefined()
    await store.abandon(first ?? '')
    expect(await expected(IMAGE_QUOTA_BYTES - 1)).toBeDefined()
  })

  it('is not that of the archive', async () => {
    await expected(IMAGE_QUOTA_BYTES)
    expect(await expected(IMAGE_QUOTA_BYTES, null)).toBeDefined()
    expect(await expected(IMAGE_QUOTA_BYTES, null)).toBeDefined()
    expect(await expected(1, await addPharmacyRow(world.database, null))).toBeDefined()
  })
})

describe('the name of a picture', () => {
  it.each<[string, () => string | null, () => string]>([
    ['of a pharmacy', () => pharmacyId, () => pharmacyId],
    ['of the archive', () => null, () => 'archive'],
  ])('%s is its own, however many come in one millisecond', async (_whose, owner, name) => {
    const now = 1_764_000_000_000
    const names = await Promise.all([1, 2, 3, 4].map(() => expected(1, owner(), now)))
    expect(new Set(names)).toEqual(new Set([0, 1, 2, 3].map((by) => `${name()}_${now + by}`)))
  })
})

describe('a picture that is on its way', () => {
  it('is nowhere until it is there, and then once', async () => {
    const name = (await expected(1)) ?? ''
    const hosted = { url: '/images/x/y', width: 2, height: 3, format: 'webp', fileKey: null }
    expect(await store.url(name)).toBeUndefined()
    expect(await store.hold(pharmacyId, name, 'offer:1')).toBeUndefined()
    expect(await store.withdraw(pharmacyId, name)).toBe('not_found')
    expect(await store.complete(name, hosted)).toBe(true)
    expect(await store.url(name)).toBe('/images/x/y')
    expect(await store.complete(name, { ...hosted, url: '/images/x/z' })).toBe(false)
    await store.abandon(name)
    await store.forget(name)
    expect(await store.url(name)).toBe('/images/x/y')
  })
})
