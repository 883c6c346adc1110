import { ErrorBody } from '@bancone/contract/errors'
import { UploadedImage } from '@bancone/contract/images'
import { type CloudinarySandbox, startCloudinary } from '@bancone/sandbox/cloudinary'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { type ImagesServer, imagesServer, sent } from '../../../test/images-server.ts'
import { drawn } from '../../../test/pictures.ts'
import { testApp } from '../../../test/server.ts'
import { silentLog } from '../../../test/silent-log.ts'

/** A server whose pictures are kept on its disk, and the same after a service was configured. */
let before: ImagesServer
let after: FastifyInstance
let cloudinary: CloudinarySandbox
let headers: { authorization: string }
let photograph: Buffer

beforeAll(async () => {
  photograph = await drawn(600, 400).jpeg().toBuffer()
  cloudinary = await startCloudinary()
  before = await imagesServer()
  const { url, cloud, key, secret } = cloudinary
  const service = { cloud, key, secret, uploadPreset: undefined, folder: 'bancone', apiUrl: url }
  const settings = { files: { folder: before.folder }, cloudinary: service }
  const moved = await testApp(before.database, settings, silentLog)
  after = moved.app
  atEnd(async () => {
    await after.close()
    await moved.wired.close()
    await cloudinary.close()
  })
})

beforeEach(async () => {
  cloudinary.fail({ mode: 'ok' })
  headers = (await before.pharmacy()).headers
})

const send = () =>
  after.inject({
    method: 'POST',
    url: '/api/images',
    headers: { ...headers, 'content-type': 'image/jpeg' },
    payload: photograph,
  })

const remove = ({ publicId }: UploadedImage) =>
  after.inject({ method: 'DELETE', url: `/api/images/${publicId}`, headers })

describe('after a service was configured', () => {
  it('a new picture is there, by an address of its own, until it is removed', async () => {
    const reply = await send()
    expect(reply.statusCode, reply.body).toBe(201)
    const image = UploadedImage.parse(reply.json())
    expect(image).toMatchObject({ width: 600, height: 400, format: 'webp' })
    expect(image.url).toContain(`/image/upload/`)
    expect((await after.inject(`/images/${image.publicId}/x/card`)).statusCode).toBe(404)
    expect((await remove(image)).statusCode).toBe(200)
    expect(cloudinary.isEmpty()).toBe(true)
  })

  it('an older one is still shown by us, and can be removed', async () => {
    const image = await sent(before, headers, photograph)
    expect((await after.inject(`${image.url}/card`)).statusCode).toBe(200)
    expect((await remove(image)).statusCode).toBe(200)
    expect((await after.inject(`${image.url}/card`)).statusCode).toBe(404)
    const { rowCount } = await before.database.pool.query(
      'select from stored_files where key like $1',
      [`%${image.publicId}%`],
    )
    expect(rowCount).toBe(0)
  })

  it.each([
    ['down', { mode: 'refuse', status: 500 }],
    ['full', { mode: 'refuse', status: 420 }],
    ['out of its mind', { mode: 'malformed' }],
    ['gone', { mode: 'hang-up' }],
  ] as const)('it is said when that is %s, and nothing secret with it', async (_how, failure) => {
    cloudinary.fail(failure)
    const reply = await send()
    expect([reply.statusCode, ErrorBody.parse(reply.json()).code]).toEqual([
      502,
      'images.host_failed',
    ])
    expect(reply.body).not.toContain(cloudinary.secret)
    expect(reply.body).not.toContain(cloudinary.key)
  })
})
