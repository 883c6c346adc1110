import { readdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { ErrorBody } from '@bancone/contract/errors'
import { IMAGE_QUOTA_BYTES, MOST_IMAGE_BYTES, UploadedImage } from '@bancone/contract/images'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { type ImagesServer, imagesServer, sent } from '../../../test/images-server.ts'
import { drawn, pngBomb } from '../../../test/pictures.ts'
import { type Stranger, stranger } from '../../../test/stranger.ts'

type Headers = { authorization: string }

let server: ImagesServer
let pharmacy: { id: string; headers: Headers }
let photograph: Buffer
let now = Date.UTC(2026, 10, 21, 9)
/** Where links lead, and what is there. */
let there: Stranger
let answer: RequestListener

beforeAll(async () => {
  there = await stranger((request, response) => answer(request, response), atEnd)
  server = await imagesServer({ clock: { now: () => now }, outboundAllow: [there.origin] })
  photograph = await drawn(800, 600).jpeg().toBuffer()
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

const scratchFiles = () => readdir(join(server.folder, 'scratch'))

const send = (bytes: Uint8Array, type?: string) => server.send(pharmacy.headers, bytes, type)

describe('a picture that is sent', () => {
  it('is kept under the name of its pharmacy and the time', async () => {
    const reply = await send(photograph)
    expect(reply.statusCode, reply.body).toBe(201)
    const publicId = `${pharmacy.id}_${now}`
    const image = UploadedImage.parse(reply.json())
    expect(image).toMatchObject({ publicId, width: 800, height: 600, format: 'webp' })
    expect(image.url).toMatch(new RegExp(`^/images/${publicId}/[0-9a-f]{16}$`))
    expect(await rows()).toMatchObject([{ public_id: publicId, url: image.url, source: 'upload' }])
    expect(await scratchFiles()).toEqual([])
    // Its file stays as long as it does.
    const { rows: files } = await server.database.pool.query(
      'select unused_since from stored_files where key like $1',
      [`%${publicId}`],
    )
    expect(files).toEqual([{ unused_since: null }])
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
    for (const type of [
      'text/plain',
      'application/json',
      'multipart/form-data; boundary=x',
      'x/y',
    ]) {
      const reply = await send(png, type)
      expect([type, reply.statusCode]).toEqual([type, 201])
    }
    expect(outcome(await send(Buffer.from('<html><script>1</script>'), 'image/png'))).toEqual([
      415,
      'images.not_a_picture',
    ])
  })

  it('at the same time as another has a name of its own', async () => {
    const images = await Promise.all(
      [1, 2, 3].map(() => sent(server, pharmacy.headers, photograph)),
    )
    const names = images.map(({ publicId }) => publicId).toSorted()
    expect(names).toEqual([0, 1, 2].map((later) => `${pharmacy.id}_${now + later}`))
  })
})

describe('what is sent and is no picture to be kept', () => {
  it.each<[string, number, string, () => Promise<Buffer> | Buffer]>([
    ['nothing', 415, 'images.not_a_picture', () => Buffer.alloc(0)],
    ['a drawing', 415, 'images.not_a_picture', () => Buffer.from('<svg xmlns="x"/>')],
    ['a bomb', 422, 'images.too_wide', () => pngBomb(30_000, 30_000)],
    ['half a picture', 422, 'images.unreadable', () => photograph.subarray(0, 900)],
  ])('%s is refused, and nothing of it is left', async (_what, status, code, made) => {
    expect(outcome(await send(await made()))).toEqual([status, code])
    expect(await rows()).toEqual([])
    expect(await scratchFiles()).toEqual([])
  })

  it('may have 5 MB and not a byte more', async () => {
    // What comes after its end is not read by anybody.
    const largest = Buffer.concat([photograph, Buffer.alloc(MOST_IMAGE_BYTES - photograph.length)])
    expect((await send(largest)).statusCode).toBe(201)
    const larger = Buffer.concat([largest, Buffer.alloc(1)])
    expect(outcome(await send(larger))).toEqual([413, 'images.too_large'])
    expect(await rows()).toHaveLength(1)
  })
})

describe('the room of a pharmacy', () => {
  const fill = (bytes: number) =>
    server.database.pool.query(
      `insert into images (public_id, pharmacy_id, url, width, height, format, bytes, source)
       values ($1, $2, '/images/x/y', 1, 1, 'webp', $3, 'upload')`,
      [`${pharmacy.id}_1`, pharmacy.id, bytes],
    )

  it('is for all its pictures together, and for no other pharmacy', async () => {
    await fill(IMAGE_QUOTA_BYTES - 10)
    expect(outcome(await send(photograph))).toEqual([409, 'images.quota_reached'])
    expect(await rows()).toHaveLength(1)
    const other = await server.pharmacy()
    expect((await server.send(other.headers, photograph)).statusCode).toBe(201)
  })

  it('is not exceeded by two at once', async () => {
    const { publicId } = await sent(server, pharmacy.headers, photograph)
    const [{ bytes } = { bytes: 0 }] = await rows()
    await server.app.inject({
      method: 'DELETE',
      url: `/api/images/${publicId}`,
      headers: pharmacy.headers,
    })
    await fill(IMAGE_QUOTA_BYTES - bytes)
    const replies = await Promise.all([1, 2, 3].map(() => send(photograph)))
    const statuses = replies.map(({ statusCode }) => statusCode)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })
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
    for (const again of [
      await send(photograph),
      await server.app.inject({
        method: 'POST',
        url: '/api/images/imports',
        headers: pharmacy.headers,
        payload: { url: 'https://example.it/a.png' },
      }),
    ]) {
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
  const take = (url = `${there.url}a.jpg`) =>
    server.app.inject({
      method: 'POST',
      url: '/api/images/imports',
      headers: pharmacy.headers,
      payload: { url },
    })

  beforeEach(() => {
    answer = (_request, response) => response.end(photograph)
  })

  it('is kept as one that is sent', async () => {
    const reply = await take()
    expect(reply.statusCode, reply.body).toBe(201)
    expect(UploadedImage.parse(reply.json())).toMatchObject({ width: 800, height: 600 })
  })

  it.each<[string, number, string, RequestListener]>([
    [
      'is not there',
      422,
      'images.not_reached',
      (_request, response) => response.writeHead(404).end(),
    ],
    ['is no picture', 415, 'images.not_a_picture', (_request, response) => response.end('<html>')],
    [
      'is too large',
      413,
      'images.too_large',
      (_request, response) => response.end(Buffer.alloc(MOST_IMAGE_BYTES + 1)),
    ],
    ['breaks off', 422, 'images.not_reached', (request) => request.socket.destroy()],
    [
      'leads to this machine',
      422,
      'images.not_reached',
      (_request, response) =>
        response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    ],
    [
      'leads on and on',
      422,
      'images.not_reached',
      (_request, response) => response.writeHead(302, { location: '/again' }).end(),
    ],
  ])('that %s is refused', async (_what, status, code, answers) => {
    answer = answers
    expect(outcome(await take())).toEqual([status, code])
  })

  it.each(['http://127.0.0.1:1/a.png', 'https://[::1]/a.png', 'https://localhost/a.png'])(
    'is not looked for at %s',
    async (inside) => {
      expect(outcome(await take(inside))).toEqual([422, 'images.not_reached'])
    },
  )

  it.each(['ftp://example.it/a.png', 'file:///etc/passwd', 'data:image/png;base64,AA', '/a.png'])(
    'is not %s',
    async (other) => {
      expect(outcome(await take(other))).toEqual([400, 'request.invalid'])
    },
  )
})

describe('a picture that is removed', () => {
  const remove = (publicId: string, headers = pharmacy.headers) =>
    server.app.inject({ method: 'DELETE', url: `/api/images/${publicId}`, headers })

  it('is gone, with its files', async () => {
    const { publicId, url } = await sent(server, pharmacy.headers, photograph)
    const card = () => server.app.inject({ url: `${url}/card` })
    expect((await card()).statusCode).toBe(200)
    expect((await remove(publicId)).statusCode).toBe(200)
    expect((await card()).statusCode).toBe(404)
    expect(await rows()).toEqual([])
    const { rows: files } = await server.database.pool.query(
      'select key from stored_files where key like $1',
      [`%${publicId}%`],
    )
    expect(files).toEqual([])
    expect(outcome(await remove(publicId))).toEqual([404, 'images.not_found'])
  })

  it('is its own pharmacy’s, and not of the archive', async () => {
    const { publicId } = await sent(server, pharmacy.headers, photograph)
    const other = await server.pharmacy()
    expect(outcome(await remove(publicId, other.headers))).toEqual([404, 'images.not_found'])
    expect(outcome(await remove('archive_1'))).toEqual([404, 'images.not_found'])
    expect(outcome(await remove('..%2F..%2Fx'))).toEqual([404, 'images.not_found'])
    expect(await rows()).toHaveLength(1)
  })
})
