import { readdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { ErrorBody } from '@bancone/contract/errors'
import { IMAGE_QUOTA_BYTES, MAX_IMAGE_BYTES, UploadedImage } from '@bancone/contract/images'
import { type CloudinarySandbox, startCloudinary } from '@bancone/sandbox/cloudinary'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { type ForeignServer, foreignServer } from '../../../test/foreign-server.ts'
import { type ImagesServer, imagesServer, sent } from '../../../test/images-server.ts'
import { drawn, pngBomb } from '../../../test/pictures.ts'
import { otherApp } from '../../../test/server.ts'

type Headers = { authorization: string }

let server: ImagesServer
let pharmacy: { id: string; headers: Headers }
let photograph: Buffer
let now = Date.UTC(2026, 10, 21, 9)
/** Where links lead, and what is there. */
let there: ForeignServer
let answer: RequestListener

beforeAll(async () => {
  there = await foreignServer((request, response) => answer(request, response), atEnd)
  server = await imagesServer({ clock: { now: () => now }, outboundAllow: [there.origin] })
  photograph = await drawn(80, 60).jpeg().toBuffer()
})

beforeEach(async () => {
  now += 1_000
  pharmacy = await server.pharmacy()
})

type Reply = Awaited<ReturnType<ImagesServer['send']>>

const outcome = (reply: Reply) => [reply.statusCode, ErrorBody.parse(reply.json()).code]

async function rows(of = pharmacy.id) {
  const { rows: found } = await server.database.pool.query<{
    public_id: string
    url: string | null
    bytes: number
    source: string
  }>('select public_id, url, bytes, source from images where pharmacy_id = $1', [of])
  return found
}

/** What is kept of its files. */
async function filesOf({ publicId }: Pick<UploadedImage, 'publicId'>) {
  const { rows: files } = await server.database.pool.query<{ unused_since: Date | null }>(
    'select unused_since from stored_files where key like $1',
    [`%${publicId}%`],
  )
  return files
}

const scratchFiles = () => readdir(join(server.folder, 'scratch'))

/** Asks for the picture of a link. */
const take = (url = `${there.url}a.jpg`) =>
  server.app.inject({
    method: 'POST',
    url: '/api/images/imports',
    headers: pharmacy.headers,
    payload: { url },
  })

const send = (bytes: Uint8Array, type?: string) => server.send(pharmacy.headers, bytes, type)

describe('a picture that is sent', () => {
  it('is kept under the name of its pharmacy and the time', async () => {
    const reply = await send(photograph)
    expect(reply.statusCode, reply.body).toBe(201)
    const publicId = `${pharmacy.id}_${now}`
    const image = UploadedImage.parse(reply.json())
    expect(image).toMatchObject({ publicId, width: 80, height: 60, format: 'webp' })
    expect(image.url).toMatch(new RegExp(`^/images/${publicId}/[0-9a-f]{16}$`))
    expect(await rows()).toMatchObject([{ public_id: publicId, url: image.url, source: 'upload' }])
    expect(await scratchFiles()).toEqual([])
    // Its file stays as long as it does.
    expect(await filesOf(image)).toEqual([{ unused_since: null }])
  })

  it('is no larger than a screen can show, upright, and says nothing of where it was taken', async () => {
    const large = await drawn(3_000, 1_000)
      .withExif({ IFD3: { GPSLatitude: '45/1 26/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const image = await sent(server, pharmacy.headers, large)
    expect(image).toMatchObject({ width: 667, height: 2_000 })
    const url = `${image.url}/original`
    const { rawPayload } = await server.app.inject({ url, headers: { accept: 'image/webp' } })
    const { exif, xmp, orientation, ...kept } = await sharp(rawPayload).metadata()
    expect({ exif, xmp, orientation }).toEqual({})
    expect(kept).toMatchObject({ format: 'webp', width: 667, height: 2_000 })
  })

  it('is what its content says, whatever is said of it', async () => {
    const png = await drawn().png().toBuffer()
    for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x']) {
      const reply = await send(png, type)
      expect([type, reply.statusCode]).toEqual([type, 201])
    }
    expect(outcome(await send(Buffer.from('<html><script>1</script>'), 'image/png'))).toEqual([
      415,
      'images.not_a_picture',
    ])
  })
})

describe('what is sent and is no picture to be kept', () => {
  it.each<[string, number, string, () => Promise<Buffer> | Buffer]>([
    ['nothing', 415, 'images.not_a_picture', () => Buffer.alloc(0)],
    ['a drawing', 415, 'images.not_a_picture', () => Buffer.from('<svg xmlns="x"/>')],
    ['a bomb', 422, 'images.too_wide', () => pngBomb(4_001, 4_000)],
    [
      'half a picture',
      422,
      'images.unreadable',
      () => photograph.subarray(0, photograph.length / 2),
    ],
  ])('%s is refused, and nothing of it is left', async (_what, status, code, made) => {
    expect(outcome(await send(await made()))).toEqual([status, code])
    expect(await rows()).toEqual([])
    expect(await scratchFiles()).toEqual([])
  })

  it('may have 5 MB and not a byte more', async () => {
    // Bytes after its end are not read.
    const largest = Buffer.concat([photograph, Buffer.alloc(MAX_IMAGE_BYTES - photograph.length)])
    expect((await send(largest)).statusCode).toBe(201)
    const larger = Buffer.concat([largest, Buffer.alloc(1)])
    expect(outcome(await send(larger))).toEqual([413, 'images.too_large'])
    expect(await rows()).toHaveLength(1)
  })
})

it('the room of a pharmacy is for all its pictures together, and for no other pharmacy', async () => {
  await server.database.pool.query(
    `insert into images (public_id, pharmacy_id, url, width, height, format, bytes, source)
     values ($1, $2, '/images/x/y', 1, 1, 'webp', $3, 'upload')`,
    [`${pharmacy.id}_1`, pharmacy.id, IMAGE_QUOTA_BYTES - 10],
  )
  expect(outcome(await send(photograph))).toEqual([409, 'images.quota_reached'])
  expect(await rows()).toHaveLength(1)
  const other = await server.pharmacy()
  expect((await server.send(other.headers, photograph)).statusCode).toBe(201)
})

describe('too many pictures', () => {
  it('in ten minutes are told when to come again, before they are read', async () => {
    const { pool } = server.database
    await pool.query('delete from rate_limits')
    await send(photograph)
    const { rowCount } = await pool.query(
      "update rate_limits set points = 60 where key like 'images-sent:%' and points = 1",
    )
    expect(rowCount).toBe(1)
    for (const again of [await send(photograph), await take('https://example.it/a.png')]) {
      expect(outcome(again)).toEqual([429, 'images.too_many'])
      expect(Number(again.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(again.headers['retry-after'])).toBeLessThanOrEqual(600)
    }
    expect(await rows()).toHaveLength(1)
  })

  it('at once are told to come again in a moment, and those of others are not', async () => {
    const other = await server.pharmacy()
    const [replies, others] = await Promise.all([
      Promise.all([1, 2, 3, 4, 5, 6].map(() => send(photograph))),
      server.send(other.headers, photograph),
    ])
    const refused = replies.filter(({ statusCode }) => statusCode !== 201)
    const tooMany = [429, 'images.too_many']
    expect(refused.map(outcome)).toEqual([tooMany, tooMany])
    expect(refused[0]?.headers['retry-after']).toBe('5')
    expect(others.statusCode).toBe(201)
    expect((await send(photograph)).statusCode).toBe(201)
  })
})

describe('a picture of a link', () => {
  beforeEach(() => {
    answer = (_request, response) => response.end(photograph)
  })

  it('is kept as one that is sent', async () => {
    const reply = await take()
    expect(reply.statusCode, reply.body).toBe(201)
    expect(UploadedImage.parse(reply.json())).toMatchObject({ width: 80, height: 60 })
  })

  it.each<[string, number, string, RequestListener]>([
    ['is not there', 422, 'images.not_reached', (_, reply) => reply.writeHead(404).end()],
    ['is no picture', 415, 'images.not_a_picture', (_, reply) => reply.end('<html>')],
    [
      'is too large',
      413,
      'images.too_large',
      (_, reply) => reply.end(Buffer.alloc(MAX_IMAGE_BYTES + 1)),
    ],
    ['breaks off', 422, 'images.not_reached', (request) => request.socket.destroy()],
    [
      'leads to this machine',
      422,
      'images.not_reached',
      (_, reply) => reply.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    ],
    [
      'leads on and on',
      422,
      'images.not_reached',
      (_, reply) => reply.writeHead(302, { location: '/again' }).end(),
    ],
  ])('that %s is refused', async (_what, status, code, answers) => {
    answer = answers
    expect(outcome(await take())).toEqual([status, code])
  })

  it.each([
    ['http://127.0.0.1:1/a.png', 422, 'images.not_reached'],
    ['https://localhost/a.png', 422, 'images.not_reached'],
    ['file:///etc/passwd', 400, 'request.invalid'],
    ['/a.png', 400, 'request.invalid'],
  ])('is not looked for at %s', async (url, status, code) => {
    expect(outcome(await take(url))).toEqual([status, code])
  })
})

describe('a picture that is removed', () => {
  const remove = (publicId: string) =>
    server.app.inject({
      method: 'DELETE',
      url: `/api/images/${publicId}`,
      headers: pharmacy.headers,
    })

  it('is gone, with its files', async () => {
    const { publicId, url } = await sent(server, pharmacy.headers, photograph)
    const card = () => server.app.inject({ url: `${url}/card` })
    expect((await card()).statusCode).toBe(200)
    expect((await remove(publicId)).statusCode).toBe(200)
    expect((await card()).statusCode).toBe(404)
    expect(await rows()).toEqual([])
    expect(await filesOf({ publicId })).toEqual([])
    expect(outcome(await remove(publicId))).toEqual([404, 'images.not_found'])
  })

  it('is not one of the archive, nor a path', async () => {
    for (const publicId of ['archive_1', '..%2F..%2Fx']) {
      expect(outcome(await remove(publicId))).toEqual([404, 'images.not_found'])
    }
  })
})

describe('after a service was configured', () => {
  /** The same server, over the same database and folder. */
  let after: FastifyInstance
  let cloudinary: CloudinarySandbox

  beforeAll(async () => {
    cloudinary = await startCloudinary()
    const { url, cloud, key, secret } = cloudinary
    const service = { cloud, key, secret, uploadPreset: undefined, folder: 'bancone', apiUrl: url }
    const clock = { now: () => now }
    const settings = { files: { folder: server.folder }, cloudinary: service, clock }
    atEnd(() => cloudinary.close())
    after = (await otherApp(server.database, settings)).app
  })

  beforeEach(() => cloudinary.fail({ mode: 'ok' }))

  const sendAfter = () =>
    after.inject({
      method: 'POST',
      url: '/api/images',
      headers: { ...pharmacy.headers, 'content-type': 'image/jpeg' },
      payload: photograph,
    })

  const remove = ({ publicId }: UploadedImage) =>
    after.inject({ method: 'DELETE', url: `/api/images/${publicId}`, headers: pharmacy.headers })

  it('a new picture is there, by an address of its own, until it is removed', async () => {
    const reply = await sendAfter()
    expect(reply.statusCode, reply.body).toBe(201)
    const image = UploadedImage.parse(reply.json())
    expect(image).toMatchObject({ width: 80, height: 60, format: 'webp' })
    expect(image.url).toContain(`/image/upload/`)
    expect((await after.inject(`/images/${image.publicId}/x/card`)).statusCode).toBe(404)
    expect((await remove(image)).statusCode).toBe(200)
    expect(cloudinary.isEmpty()).toBe(true)
  })

  it('an older one is still shown by us, and can be removed', async () => {
    const image = await sent(server, pharmacy.headers, photograph)
    expect((await after.inject(`${image.url}/card`)).statusCode).toBe(200)
    expect((await remove(image)).statusCode).toBe(200)
    expect((await after.inject(`${image.url}/card`)).statusCode).toBe(404)
    expect(await filesOf(image)).toEqual([])
  })

  it.each([
    ['down', { mode: 'refuse', status: 500 }],
    ['full', { mode: 'refuse', status: 420 }],
    ['malformed', { mode: 'malformed' }],
    ['gone', { mode: 'hang-up' }],
  ] as const)('it is said when that is %s, and nothing secret with it', async (_how, failure) => {
    cloudinary.fail(failure)
    const reply = await sendAfter()
    expect(outcome(reply)).toEqual([502, 'images.host_failed'])
    expect(reply.body).not.toContain(cloudinary.secret)
    expect(reply.body).not.toContain(cloudinary.key)
  })
})
