import { join } from 'node:path'
import { UploadedImage } from '@bancone/contract/images'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { imagesServer } from '../../../test/images-server.ts'
import { memoryFiles } from '../../../test/memory-files.ts'
import { scriptedPictures } from '../../../test/scripted-pictures.ts'
import { silentLog } from '../../../test/silent-log.ts'
import { filesIn } from '../../../test/temporary-folder.ts'
import { wireImages } from '../../features/images/images.wiring.ts'
import { buildApp } from '../../http/app.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { createStoredFiles } from '../../platform/stored-files.ts'
import { createTemporaryFiles } from '../../platform/temporary-files.ts'
import { PictureRendererError } from '../../ports/picture-renderer.ts'
import { createRenderedImages } from './rendered-images.ts'

const pictures = scriptedPictures()
let app: FastifyInstance
let headers: { authorization: string }
let scratchFolder: string

beforeAll(async () => {
  const server = await imagesServer()
  const { db } = server.database
  scratchFolder = join(server.folder, 'scratch')
  const temporaryFiles = createTemporaryFiles(scratchFolder)
  const images = wireImages({
    db,
    localHost: createRenderedImages({
      files: createStoredFiles(db, memoryFiles()),
      pictures,
      temporaryFiles,
    }),
    externalHost: undefined,
    pictures,
    temporaryFiles,
    outbound: {
      allows: () => false,
      fetch: () => Promise.reject(new Error('nothing is fetched')),
      close() {},
    },
    limits: () => ({ take: async () => {}, refund: async () => {}, reset: async () => {} }),
    secrets: createSecrets('a secret of this test, which nothing is encrypted with'),
    clock: { now: Date.now },
    log: silentLog,
  })
  app = await buildApp(
    { ...server, temporaryFiles, modules: [images] },
    {
      log: silentLog,
      trustProxy: false,
      publicUrl: 'http://localhost:3000',
      webFolder: '/nowhere',
      previewHosts: [],
    },
  )
  ;({ headers } = await server.pharmacy())
})

beforeEach(() => {
  pictures.failure = null
})

const send = () =>
  app.inject({
    method: 'POST',
    url: '/api/images',
    headers: { ...headers, 'content-type': 'image/jpeg' },
    payload: 'a picture',
  })

const busy = {
  statusCode: 503,
  headers: { 'retry-after': '2', 'cache-control': 'no-store' },
}

describe('while too many pictures wait to be drawn', () => {
  it('an upload is refused with Retry-After, and nothing of it stays', async () => {
    pictures.failure = new PictureRendererError('too many pictures wait to be drawn')
    const reply = await send()
    expect(reply).toMatchObject(busy)
    expect(reply.json()).toMatchObject({ code: 'service.unavailable' })
    expect(await filesIn(scratchFolder)).toEqual([])
    pictures.failure = null
    expect((await send()).statusCode).toBe(201)
  })

  it('a request for a variant that is not drawn yet is refused with Retry-After', async () => {
    const { url } = UploadedImage.parse((await send()).json())
    pictures.failure = new PictureRendererError('too many pictures wait to be drawn')
    const reply = await app.inject(`${url}/card`)
    expect(reply).toMatchObject(busy)
    expect(reply.json()).toMatchObject({ code: 'service.unavailable' })
    pictures.failure = null
    expect((await app.inject(`${url}/card`)).statusCode).toBe(200)
  })
})
