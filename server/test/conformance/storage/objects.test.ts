import { beforeEach, describe, expect, it } from 'vitest'
import { someText, textLike } from '../matchers.ts'
import { type Client, clientOf, ok, refusal } from './clients.ts'
import { storageServer } from './storage-server.ts'

let made = 0
const missing = { status: 404, message: 'Object not found' }

const server = await storageServer()
const admin = clientOf(server, server.as.admin)
await ok(admin.createBucket('second'))
await ok(admin.createBucket('shown', { public: true }))

describe('objects', () => {
  let client: Client
  let files: ReturnType<Client['from']>
  let folder: string

  beforeEach(() => {
    client = clientOf(server, server.as.own)
    files = client.from('pharmacies')
    folder = `${server.own}/${(made += 1)}`
  })

  const put = async (...names: string[]) => {
    for (const name of names) await ok(files.upload(`${folder}/${name}`, `this is ${name}`))
  }
  const read = async (name: string, bucket = 'pharmacies') =>
    (await ok(client.from(bucket).download(`${folder}/${name}`))).text()
  const listed = async (path = folder) => (await ok(files.list(path))).map(({ name }) => name)

  it('are moved', async () => {
    await put('a.txt')
    const { id } = await ok(files.info(`${folder}/a.txt`))
    expect(await ok(files.move(`${folder}/a.txt`, `${folder}/b/c.txt`))).toMatchObject({
      message: 'Successfully moved',
    })
    expect(await read('b/c.txt')).toBe('this is a.txt')
    expect(await ok(files.info(`${folder}/b/c.txt`))).toMatchObject({ id })
    expect((await refusal(files.download(`${folder}/a.txt`))).status).toBe(404)
    await ok(files.move(`${folder}/b/c.txt`, `${folder}/d.txt`, { destinationBucket: 'second' }))
    expect(await read('d.txt', 'second')).toBe('this is a.txt')
    expect((await refusal(files.download(`${folder}/b/c.txt`))).status).toBe(404)
  })

  it('are copied, and go on apart', async () => {
    await put('a.txt')
    expect(await ok(files.copy(`${folder}/a.txt`, `${folder}/b.txt`))).toEqual({
      path: `pharmacies/${folder}/b.txt`,
    })
    const second = { destinationBucket: 'second' }
    expect(await ok(files.copy(`${folder}/a.txt`, `${folder}/a.txt`, second))).toEqual({
      path: `second/${folder}/a.txt`,
    })
    await ok(files.update(`${folder}/a.txt`, 'changed'))
    expect(await read('b.txt')).toBe('this is a.txt')
    await ok(files.remove([`${folder}/a.txt`]))
    expect(await read('b.txt')).toBe('this is a.txt')
    expect(await read('a.txt', 'second')).toBe('this is a.txt')
  })

  it('are not moved or copied over another, nor from nowhere', async () => {
    await put('a.txt', 'b.txt')
    const taken = { status: 409, message: 'The resource already exists' }
    const none = `${folder}/none.txt`
    expect(await refusal(files.move(`${folder}/a.txt`, `${folder}/b.txt`))).toEqual(taken)
    expect(await refusal(files.move(none, `${folder}/c.txt`))).toEqual(missing)
    expect(await refusal(files.copy(none, `${folder}/c.txt`))).toEqual(missing)
    expect([await read('a.txt'), await read('b.txt')]).toEqual(['this is a.txt', 'this is b.txt'])
  })

  it('are removed; what is not there is not told of', async () => {
    await put('a.txt', 'b/c.txt', 'd.txt')
    const names = ['a.txt', 'b/c.txt', 'none.txt'].map((name) => `${folder}/${name}`)
    const removed = await ok(files.remove(names))
    expect(removed.map(({ name }) => name).toSorted()).toEqual(names.slice(0, 2))
    expect(await listed()).toEqual(['d.txt'])
    expect(await ok(files.remove(names))).toEqual([])
  })

  it('are listed with their folders', async () => {
    await put('b.txt', 'a/1.txt', 'a/2.txt', 'c/d/3.txt')
    // Folders are listed first.
    const [a, c, b] = await ok(files.list(folder))
    expect([a, c]).toMatchObject([
      { name: 'a', id: null, metadata: null },
      { name: 'c', id: null, metadata: null },
    ])
    expect(b).toMatchObject({
      name: 'b.txt',
      id: textLike(/^[0-9a-f-]{36}$/),
      created_at: someText,
      updated_at: someText,
      metadata: {
        size: 13,
        contentLength: 13,
        mimetype: 'text/plain;charset=UTF-8',
        cacheControl: 'max-age=3600',
        eTag: someText,
      },
    })
    expect(await listed(`${folder}/a`)).toEqual(['1.txt', '2.txt'])
    expect(await listed(`${folder}/a/`)).toEqual(['1.txt', '2.txt'])
    expect(await listed(`${folder}/none`)).toEqual([])
  })

  it('are there or not', async () => {
    await put('a.txt')
    expect(await files.exists(`${folder}/a.txt`)).toMatchObject({ data: true, error: null })
    expect(await files.exists(`${folder}/b.txt`)).toMatchObject({ data: false })
    expect(await files.exists(folder)).toMatchObject({ data: false })
    expect(await ok(files.info(`${folder}/a.txt`))).toMatchObject({
      name: `${folder}/a.txt`,
      bucketId: 'pharmacies',
      size: 13,
      contentType: 'text/plain;charset=UTF-8',
      cacheControl: 'max-age=3600',
      etag: textLike(/^".+"$/),
      lastModified: someText,
      createdAt: someText,
    })
    // The reference server has it in lists alone.
    expect(await ok(files.info(`${folder}/a.txt`))).not.toHaveProperty('updatedAt')
    expect(await refusal(files.info(`${folder}/b.txt`))).toEqual(missing)
    expect((await refusal(files.download(`${folder}/b.txt`))).status).toBe(404)
    expect((await refusal(client.from('none').download(`${folder}/a.txt`))).status).toBe(404)
  })

  it('in a public bucket are for everybody who knows their names', async () => {
    await ok(client.from('shown').upload(`${folder}/a b.txt`, 'public'))
    const anonymous = clientOf(server).from('shown')
    const { publicUrl } = anonymous.getPublicUrl(`${folder}/a b.txt`).data
    const reply = await fetch(publicUrl)
    expect([reply.status, await reply.text()]).toEqual([200, 'public'])
    expect(reply.headers.get('content-disposition') ?? '').not.toMatch(/^attachment/)
    const { data } = anonymous.getPublicUrl(`${folder}/a b.txt`, { download: 'conti è.txt' })
    const named = await fetch(data.publicUrl)
    expect(named.headers.get('content-disposition')).toMatch(
      /^attachment; ?filename=".*"; ?filename\*=UTF-8''conti%20%C3%A8.txt$/,
    )
    expect(await (await ok(anonymous.download(`${folder}/a b.txt`))).text()).toBe('public')
    const broken = clientOf(server, { authorization: 'Bearer no.such.token' })
    expect(await (await ok(broken.from('shown').download(`${folder}/a b.txt`))).text()).toBe(
      'public',
    )
    expect(await ok(anonymous.list(folder))).toEqual([])
    expect((await refusal(anonymous.upload(`${folder}/b.txt`, 'text'))).status).toBe(403)
    expect(await ok(anonymous.remove([`${folder}/a b.txt`]))).toEqual([])
    expect((await fetch(publicUrl)).status).toBe(200)
  })

  it('in a private bucket have no public address', async () => {
    await put('a.txt')
    const { publicUrl } = files.getPublicUrl(`${folder}/a.txt`).data
    const none = files.getPublicUrl(`${folder}/none.txt`).data.publicUrl
    const [reply, other] = [await fetch(publicUrl), await fetch(none)]
    expect([reply.status, other.status]).toEqual([404, 404])
    expect(await reply.json()).toEqual(await other.json())
  })

  it('are downloaded as a stream', async () => {
    await ok(files.upload(`${folder}/a.txt`, 'x'.repeat(300_000)))
    const stream = await ok(files.download(`${folder}/a.txt`).asStream())
    expect((await new Response(stream).text()).length).toBe(300_000)
  })

  it('are listed part by part, in the second way', async () => {
    const names = ['a/1.txt', 'a/2.txt', 'b.txt', 'c/3.txt', 'd.txt']
    for (const name of names) await ok(files.upload(`${folder}/${name}`, name))
    const all = await ok(files.listV2({ prefix: `${folder}/` }))
    expect(all).toMatchObject({ hasNext: false, folders: [] })
    expect(all.objects.map(({ key }) => key)).toEqual(names.map((name) => `${folder}/${name}`))

    const divided = { prefix: `${folder}/`, with_delimiter: true, limit: 2 }
    const first = await ok(files.listV2(divided))
    expect(first.folders.map(({ name }) => name)).toEqual([`${folder}/a/`, `${folder}/c/`])
    const { nextCursor: cursor = '' } = first
    const second = await ok(files.listV2({ ...divided, cursor }))
    expect(second).toMatchObject({ hasNext: false, folders: [] })
    expect(second.objects.map(({ name }) => name)).toEqual([`${folder}/b.txt`, `${folder}/d.txt`])
  })

  it('are forgotten by caches when asked', async () => {
    await ok(files.upload(`${folder}/a.txt`, 'text'))
    expect(await ok(files.purgeCache(`${folder}/a.txt`))).toEqual({ message: 'success' })
    expect(await refusal(files.purgeCache(`${folder}/none.txt`))).toEqual(missing)
  })
})
