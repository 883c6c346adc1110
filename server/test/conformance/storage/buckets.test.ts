import { beforeAll, describe, expect, it } from 'vitest'
import { textLike } from '../matchers.ts'
import { type Client, clientOf, ok, refusal } from './clients.ts'
import { storageServer } from './storage-server.ts'

let made = 0
const newName = () => `bucket-${(made += 1)}`

const server = await storageServer()

describe('buckets', () => {
  let client: Client
  let pharmacy: Client

  beforeAll(() => {
    client = clientOf(server, server.as.admin)
    pharmacy = clientOf(server, server.as.own)
  })

  it('are made, found and listed', async () => {
    const name = newName()
    expect(await ok(client.createBucket(name))).toEqual({ name })
    const bucket = {
      id: name,
      name,
      public: false,
      file_size_limit: null,
      allowed_mime_types: null,
      created_at: textLike(/^\d{4}-\d\d-\d\dT/),
      updated_at: textLike(/^\d{4}-\d\d-\d\dT/),
    }
    expect(await ok(client.getBucket(name))).toMatchObject(bucket)
    expect(await ok(client.listBuckets())).toContainEqual(expect.objectContaining(bucket))
  })

  it('are made with a limit', async () => {
    const name = newName()
    const allowedMimeTypes = ['image/png', 'image/*']
    const limits = { public: true, fileSizeLimit: '20MB', allowedMimeTypes }
    await ok(client.createBucket(name, limits))
    expect(await ok(client.getBucket(name))).toMatchObject({
      public: true,
      file_size_limit: 20_000_000,
      allowed_mime_types: allowedMimeTypes,
    })
  })

  it('are changed', async () => {
    const name = newName()
    await ok(client.createBucket(name))
    const change = { public: true, fileSizeLimit: '1MB', allowedMimeTypes: ['text/plain'] }
    expect(await ok(client.updateBucket(name, change))).toEqual({
      message: 'Successfully updated',
    })
    expect(await ok(client.getBucket(name))).toMatchObject({
      public: true,
      file_size_limit: 1_000_000,
      allowed_mime_types: ['text/plain'],
    })
  })

  it('are deleted once they are empty', async () => {
    const name = newName()
    await ok(client.createBucket(name))
    for (const file of ['a.txt', 'a/b.txt']) await ok(client.from(name).upload(file, 'text'))
    expect(await refusal(client.deleteBucket(name))).toMatchObject({ status: 409 })
    expect(await ok(client.emptyBucket(name))).toEqual({
      message: 'Empty bucket has been queued. Completion may take up to an hour.',
    })
    await expect.poll(() => ok(client.from(name).list())).toEqual([])
    expect(await ok(client.deleteBucket(name))).toEqual({ message: 'Successfully deleted' })
    expect(await refusal(client.getBucket(name))).toEqual({
      status: 404,
      message: 'Bucket not found',
    })
  })

  it('have one name each', async () => {
    const name = newName()
    await ok(client.createBucket(name))
    expect(await refusal(client.createBucket(name))).toEqual({
      status: 409,
      message: 'The resource already exists',
    })
    for (const bad of ['', 'a/b']) {
      expect((await refusal(client.createBucket(bad))).status).toBe(400)
    }
  })

  it('that are not there cannot be changed', async () => {
    const missing = { status: 404, message: 'Bucket not found' }
    expect(await refusal(client.getBucket('none'))).toEqual(missing)
    expect(await refusal(client.updateBucket('none', { public: true }))).toEqual(missing)
    expect(await refusal(client.emptyBucket('none'))).toEqual(missing)
    expect(await refusal(client.deleteBucket('none'))).toEqual(missing)
    expect(await refusal(client.from('none').upload('a.txt', 'text'))).toEqual(missing)
  })

  it('belong to administrators: a pharmacy sees them and changes none', async () => {
    const name = newName()
    await ok(client.createBucket(name))
    expect(await ok(pharmacy.listBuckets())).toContainEqual(expect.objectContaining({ id: name }))
    expect(await ok(pharmacy.getBucket(name))).toMatchObject({ id: name, public: false })
    for (const call of [
      pharmacy.createBucket(newName()),
      pharmacy.updateBucket(name, { public: true }),
      pharmacy.emptyBucket(name),
      pharmacy.deleteBucket(name),
    ]) {
      expect((await refusal(call)).status).toBe(403)
    }
    expect(await ok(client.getBucket(name))).toMatchObject({ public: false })
  })

  it.each(['anonymous', 'stranger', 'closed'] as const)('are not shown to %s', async (who) => {
    const name = newName()
    await ok(client.createBucket(name))
    const theirs = clientOf(server, server.as[who])
    if (who === 'anonymous') {
      expect(await refusal(theirs.listBuckets())).toEqual({
        status: 403,
        message: 'Invalid Compact JWS',
      })
    } else expect(await ok(theirs.listBuckets())).toEqual([])
    expect((await refusal(theirs.getBucket(name))).status).toBe(404)
    for (const call of [
      theirs.createBucket(newName()),
      theirs.updateBucket(name, { public: true }),
      theirs.emptyBucket(name),
      theirs.deleteBucket(name),
    ]) {
      expect((await refusal(call)).status).toBe(403)
    }
  })
})

describe('lists of buckets', () => {
  it('are sought, sorted and cut', async () => {
    const client = clientOf(server, server.as.admin)
    for (const name of ['sought-b', 'sought-a', 'sought-c']) await ok(client.createBucket(name))
    const names = async (options: Parameters<Client['listBuckets']>[0]) =>
      (await ok(client.listBuckets(options))).map(({ id }) => id)
    const search = { search: 'sought', sortColumn: 'name' } as const
    expect(await names({ ...search, sortOrder: 'desc' })).toEqual([
      'sought-c',
      'sought-b',
      'sought-a',
    ])
    expect(await names({ ...search, sortOrder: 'asc', limit: 1, offset: 1 })).toEqual(['sought-b'])
  })
})
