import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { drawn } from '../../pictures.ts'
import { type Client, clientOf, ok, refusal } from './clients.ts'
import { storageServer } from './storage-server.ts'

let made = 0

const server = await storageServer()
const picture = await drawn(60, 40).png().toBuffer()
await ok(clientOf(server, server.as.admin).createBucket('shown', { public: true }))

const describeImage = async (bytes: Blob | Response) => {
  const { format, width, height } = await sharp(Buffer.from(await bytes.arrayBuffer())).metadata()
  return { format, width, height }
}

async function keptDrawings(): Promise<number> {
  const { rows } = await server.database.pool.query<{ count: string }>(
    "select count(*) from stored_files where key like 'drawn/%'",
  )
  return Number(rows[0]?.count)
}

describe('drawings', () => {
  let client: Client
  let files: ReturnType<Client['from']>
  let shown: ReturnType<Client['from']>
  let name: string

  beforeEach(async () => {
    client = clientOf(server, server.as.own)
    files = client.from('pharmacies')
    shown = client.from('shown')
    name = `${server.own}/pack ${(made += 1)}.png`
    for (const bucket of [files, shown]) {
      await ok(bucket.upload(name, picture, { contentType: 'image/png' }))
    }
  })

  it.each([
    [{ width: 30 }, { width: 30, height: 20 }],
    [{ width: 20, height: 20, resize: 'cover' } as const, { width: 20, height: 20 }],
    [{ width: 30, height: 30, resize: 'contain' } as const, { width: 30, height: 20 }],
    [{ width: 10, height: 30, resize: 'fill' } as const, { width: 10, height: 30 }],
  ])('are downloaded as %j', async (transform, size) => {
    const found = await ok(files.download(name, { transform }))
    expect(found.type).toBe('image/png')
    expect(await describeImage(found)).toEqual({ format: 'png', ...size })
  })

  it('have the format that is asked for, or the best that the browser takes', async () => {
    const { publicUrl } = shown.getPublicUrl(name, { transform: { width: 30 } }).data
    const formats = [
      ['image/avif,image/webp,*/*', 'image/avif'],
      ['image/webp,*/*', 'image/webp'],
      ['*/*', 'image/png'],
    ] as const
    for (const [accept, type] of formats) {
      const reply = await fetch(publicUrl, { headers: { accept } })
      expect(reply.headers.get('content-type')).toBe(type)
      expect(reply.headers.get('vary')).toMatch(/\bAccept\b/)
      expect(await describeImage(reply)).toMatchObject({ width: 30 })
    }
    const webp = await fetch(`${publicUrl}&format=webp`, { headers: { accept: 'image/avif' } })
    expect(webp.headers.get('content-type')).toBe('image/webp')
  })

  it('are signed, and the link opens that one alone', async () => {
    const transform = { width: 30, height: 10, resize: 'fill', format: 'origin' } as const
    const { signedUrl } = await ok(files.createSignedUrl(name, 60, { transform }))
    expect(signedUrl).toContain('/render/image/sign/')
    const reply = await fetch(signedUrl)
    expect(reply.headers.get('expires')).not.toBeNull()
    expect(reply.headers.get('x-transformations')).toBe(
      'height:10,width:30,resizing_type:force,quality:80',
    )
    expect(await describeImage(reply)).toEqual({ format: 'png', width: 30, height: 10 })
    const larger = await fetch(`${signedUrl}&width=60&height=40`)
    expect(await describeImage(larger)).toMatchObject({ width: 30, height: 10 })
    const whole = await fetch(signedUrl.replace('/render/image/sign/', '/object/sign/'))
    expect([whole.status, await whole.json()]).toMatchObject([400, { code: 'InvalidSignature' }])
    const plain = (await ok(files.createSignedUrl(name, 60))).signedUrl
    const none = await fetch(plain.replace('/object/sign/', '/render/image/sign/'))
    expect([none.status, await none.json()]).toMatchObject([400, { code: 'InvalidSignature' }])
  })

  it('of what is private are private', async () => {
    const { publicUrl } = files.getPublicUrl(name, { transform: { width: 30 } }).data
    expect((await fetch(publicUrl)).status).toBe(404)
    const theirs = clientOf(server, server.as.other).from('pharmacies')
    const call = theirs.download(name, { transform: { width: 30 } })
    expect((await refusal(call)).status).toBe(404)
    const anonymous = clientOf(server).from('shown')
    const found = await ok(anonymous.download(name, { transform: { width: 30 } }))
    expect(await describeImage(found)).toMatchObject({ width: 30 })
  })

  it('are made by the bytes, and downloads keep the declared type', async () => {
    const jpeg = await drawn(60, 40).jpeg().toBuffer()
    for (const [end, body, format] of [
      ['a.png', picture, 'png'],
      ['b.jpg', jpeg, 'jpeg'],
    ] as const) {
      const other = `${name}/${end}`
      await ok(files.upload(other, body))
      expect(await ok(files.info(other))).toMatchObject({ contentType: 'text/plain;charset=UTF-8' })
      const found = await ok(files.download(other, { transform: { width: 30 } }))
      expect(await describeImage(found)).toEqual({ format, width: 30, height: 20 })
      expect((await ok(files.download(other))).type).toMatch(/^text\/plain/)
    }
  })

  it('are made of pictures alone', async () => {
    const transform = { width: 30 }
    const html = '<html><script>alert(1)</script></html>'
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'
    for (const [end, body, contentType] of [
      ['a.txt', 'text', 'text/plain'],
      ['a.html', html, 'text/html'],
      ['a.png', html, 'image/png'],
      ['a.svg', svg, 'image/svg+xml'],
      ['b.png', picture.subarray(0, 60), 'image/png'],
      ['empty.png', '', 'image/png'],
    ] as const) {
      const other = `${name}/${end}`
      await ok(files.upload(other, body, { contentType }))
      for (let n = 0; n < 2; n += 1) {
        expect((await refusal(files.download(other, { transform }))).status).toBe(400)
      }
    }
    const none = files.download(`${name}/none.png`, { transform })
    expect((await refusal(none)).status).toBe(404)
  })

  it('are new when the picture is', async () => {
    const transform = { width: 30 }
    await ok(files.download(name, { transform }))
    const next = await drawn(30, 30).png().toBuffer()
    await ok(files.update(name, next, { contentType: 'image/png' }))
    const found = await ok(files.download(name, { transform }))
    expect(await describeImage(found)).toMatchObject({ width: 30, height: 30 })
  })

  it('are made once, and go with the picture', async () => {
    const before = await keptDrawings()
    const transform = { width: 30 }
    const url = shown.getPublicUrl(name, { transform }).data.publicUrl
    const first = await Promise.all([fetch(url), fetch(url), fetch(url)])
    const again = await fetch(url)
    const tags = [...first, again].map((reply) => reply.headers.get('etag'))
    expect(new Set(tags).size).toBe(1)
    expect(await keptDrawings()).toBe(before + 1)
    const known = await fetch(url, { headers: { 'if-none-match': tags[0] ?? '' } })
    expect([known.status, await known.text()]).toEqual([304, ''])
    await ok(shown.remove([name]))
    expect(await keptDrawings()).toBe(before)
    expect((await fetch(url)).status).toBe(404)
  })
})

describe('drawings', () => {
  let name: string
  const url = (query: string) => `${server.url}/render/image/public/shown/${name}?${query}`

  beforeEach(async () => {
    name = `${server.own}/kept-${(made += 1)}.png`
    const files = clientOf(server, server.as.own).from('shown')
    await ok(files.upload(name, picture, { contentType: 'image/png' }))
  })

  /** Inserts rows of that many renditions. */
  const addDrawings = (of: string, count: number) =>
    server.database.pool.query(
      `insert into stored_files (key, drawn_from)
       select 'drawn/many/' || gen_random_uuid(), file_key
       from storage_objects, generate_series(1, $2) where name = $1`,
      [of, count],
    )
  const forgetAdded = () =>
    server.database.pool.query("delete from stored_files where key like 'drawn/many/%'")

  it('are kept up to a number, and made all the same beyond it', async () => {
    const before = await keptDrawings()
    await addDrawings(name, 49)
    for (const width of [1, 2, 3]) {
      expect(await describeImage(await fetch(url(`width=${width}`)))).toMatchObject({ width })
    }
    expect(await keptDrawings()).toBe(before + 50)
    await forgetAdded()
  })

  it('of one folder are kept up to a number as well', async () => {
    const other = `${server.own}/others-${made}.png`
    await ok(clientOf(server, server.as.own).from('shown').upload(other, picture))
    await addDrawings(other, 5100)
    const before = await keptDrawings()
    expect(before).toBeGreaterThan(5_000)
    expect((await fetch(url('width=1'))).status).toBe(200)
    expect(await keptDrawings()).toBe(before - 1)
    await forgetAdded()
  })

  it('are forgotten when asked, by who has the folder', async () => {
    const before = await keptDrawings()
    for (const width of [1, 2, 3]) await fetch(url(`width=${width}`))
    expect(await keptDrawings()).toBe(before + 3)
    for (const who of ['other', 'closed', 'stranger', 'anonymous'] as const) {
      const theirs = clientOf(server, server.as[who])
      expect((await refusal(theirs.from('shown').purgeCache(name))).status).toBe(404)
      expect((await refusal(theirs.purgeBucketCache('shown'))).status).toBe(403)
    }
    expect(await keptDrawings()).toBe(before + 3)
    const files = clientOf(server, server.as.own).from('shown')
    expect(await ok(files.purgeCache(name))).toEqual({ message: 'success' })
    expect(await keptDrawings()).toBe(before)
    expect((await fetch(url('width=1'))).status).toBe(200)
    const admin = clientOf(server, server.as.admin)
    expect(await ok(admin.purgeBucketCache('shown'))).toEqual({ message: 'success' })
    expect((await refusal(admin.purgeBucketCache('none'))).status).toBe(404)
    const { rows } = await server.database.pool.query(
      `select 1 from stored_files file join storage_objects object on object.file_key = drawn_from
       where bucket_id = 'shown'`,
    )
    expect(rows).toEqual([])
  })

  it('are sent in parts, and as heads', async () => {
    const whole = Buffer.from(await (await fetch(url('width=30'))).arrayBuffer())
    const part = await fetch(url('width=30'), { headers: { range: 'bytes=1-3' } })
    expect([part.status, await part.text()]).toEqual([206, 'PNG'])
    const head = await fetch(url('width=30'), { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String(whole.byteLength))
  })
})
