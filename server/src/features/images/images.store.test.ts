import { IMAGE_QUOTA_BYTES } from '@bancone/contract/images'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { addPharmacyRow } from '../../../test/pharmacy-row.ts'
import { createImagesStore, type ImagesStore } from './images.store.ts'

let store: ImagesStore
let database: TestDatabase
let addPharmacy: () => Promise<string>
let pharmacyId: string

beforeAll(async () => {
  database = await testDatabase()
  store = createImagesStore(database.db)
  addPharmacy = () => addPharmacyRow(database, null)
})

beforeEach(async () => {
  pharmacyId = await addPharmacy()
})

const expected = (bytes: number, owner: string | null = pharmacyId, now = 1) =>
  store.expect(owner, { width: 1, height: 1, bytes }, 'upload', now)

describe('the room of a pharmacy', () => {
  it('is not exceeded however many come at once', async () => {
    // Connections that are there already, so that they do come at once.
    await Promise.all([1, 2, 3, 4, 5].map(() => database.pool.query('select pg_sleep(0.2)')))
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
    expect(await expected(1, await addPharmacy())).toBeDefined()
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
    expect(await store.hold(pharmacyId, name, 'offer:1')).toBe(false)
    expect(await store.withdraw(pharmacyId, name)).toBe('not_found')
    expect(await store.complete(name, hosted)).toBe(true)
    expect(await store.url(name)).toBe('/images/x/y')
    expect(await store.complete(name, { ...hosted, url: '/images/x/z' })).toBe(false)
    await store.abandon(name)
    await store.forget(name)
    expect(await store.url(name)).toBe('/images/x/y')
  })
})
