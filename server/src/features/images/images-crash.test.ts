import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ImagesWorld, imagesWorld } from '../../../test/images-world.ts'
import { type MemoryImages, memoryImages } from '../../../test/memory-images.ts'
import { addPharmacyRow } from '../../../test/pharmacy-row.ts'
import { ImageHostError } from '../../ports/image-host.ts'

let world: ImagesWorld
let pharmacyId: string
let host: MemoryImages

beforeAll(async () => {
  world = await imagesWorld()
})

beforeEach(async () => {
  await world.database.pool.query('delete from images')
  pharmacyId = await addPharmacyRow(world.database, null)
  host = memoryImages()
})

/** In another process. */
async function cleanTomorrow() {
  await world.age(25)
  await world.clean(host)
}

async function rowCount() {
  const { rows } = await world.database.pool.query<{ url: string | null }>('select url from images')
  return { there: rows.filter(({ url }) => url !== null).length, all: rows.length }
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
  const { store } = world
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

const upload = (images = world.service(host), signal?: AbortSignal) =>
  images.upload(pharmacyId, { receive: async () => ({ path: world.picture }) }, signal)

describe.each(['before', 'after'] as const)('a process that ends %s a step', (when) => {
  it.each([1, 2, 3])('of keeping a picture (%i) leaves nothing for good', async (at) => {
    const { images, hasEnded } = dyingProcess(at, when)
    await expect(upload(images)).rejects.toThrow('the process has ended')
    expect(hasEnded()).toBe(true)
    // What is there is whole.
    expect((await rowCount()).there).toBeLessThanOrEqual(host.kept.size)
    // And whatever the host has, a row leads to it.
    expect((await rowCount()).all).toBeGreaterThanOrEqual(host.kept.size)
    await cleanTomorrow()
    expect([await rowCount(), host.kept.size]).toEqual([{ there: 0, all: 0 }, 0])
  })

  it.each([1, 2, 3])('of removing a picture (%i) leaves nothing for good', async (at) => {
    const { publicId } = await upload()
    const { images, hasEnded } = dyingProcess(at, when)
    await expect(images.remove(pharmacyId, publicId)).rejects.toThrow('the process has ended')
    expect(hasEnded()).toBe(true)
    expect((await rowCount()).there).toBeLessThanOrEqual(host.kept.size)
    expect((await rowCount()).all).toBeGreaterThanOrEqual(host.kept.size)
    await cleanTomorrow()
    expect([await rowCount(), host.kept.size]).toEqual([{ there: 0, all: 0 }, 0])
  })
})

describe('a host that fails', () => {
  it.each(['unavailable', 'refused'] as const)(
    'is said so, and what it may have is removed tomorrow: %s',
    async (kind) => {
      host.put = async (publicId) => {
        // Its answer did not come, but the picture did.
        host.kept.add(publicId)
        throw new ImageHostError(kind, 'as the test wants')
      }
      await expect(upload()).rejects.toMatchObject({ code: 'images.host_failed' })
      expect(await rowCount()).toEqual({ there: 0, all: 1 })
      const { rows } = await world.database.pool.query('select bytes from images')
      expect(rows).toEqual([{ bytes: 0 }])
      await cleanTomorrow()
      expect([await rowCount(), host.kept.size]).toEqual([{ there: 0, all: 0 }, 0])
    },
  )

  it('of ours is no error of the host', async () => {
    host.put = () => Promise.reject(new TypeError('x is not a function'))
    await expect(upload()).rejects.toThrow(TypeError)
  })
})

it('what nobody waits for any more is given up, and leaves nothing for good', async () => {
  const left = new AbortController()
  host.put = async (publicId) => {
    host.kept.add(publicId)
    left.abort()
    throw new ImageHostError('unavailable', 'given up')
  }
  await expect(upload(undefined, left.signal)).rejects.toMatchObject({ code: 'request.invalid' })
  await cleanTomorrow()
  expect([await rowCount(), host.kept.size]).toEqual([{ there: 0, all: 0 }, 0])
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
  expect([await rowCount(), [...host.kept]]).toEqual([{ there: 1, all: 1 }, [publicId]])
})
