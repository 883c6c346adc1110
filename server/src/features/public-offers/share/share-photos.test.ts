import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { MAX_IMAGE_BYTES } from '@bancone/contract/images'
import { listen } from '@bancone/sandbox/listening'
import { beforeAll, describe, expect, it } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { filesIn, testFileFolder } from '../../../../test/temporary-folder.ts'
import { createOutbound } from '../../../platform/outbound.ts'
import { createTemporaryFiles } from '../../../platform/temporary-files.ts'
import { createSharePhotos, type SharePhotos } from './share-photos.ts'

const PICTURE = Buffer.from('a picture')
let origin: string
let folder: string
let photos: SharePhotos
/** What the pictures that we keep are. */
let kept: () => Promise<Buffer | Readable | undefined>
let asked: unknown
let answer: RequestListener

beforeAll(async () => {
  folder = await testFileFolder()
  const elsewhere = createServer((request, response) => answer(request, response))
  const listening = await listen(elsewhere, {})
  origin = listening.origin
  const outbound = createOutbound({ allow: [origin] })
  atEnd(async () => {
    outbound.close()
    await listening.close()
  })
  photos = createSharePhotos({
    storedPicture(picture) {
      asked = picture
      return kept()
    },
    fetch: outbound.fetch,
    temporaryFiles: createTemporaryFiles(folder),
  })
})

/** What is in the file of a picture, and that nothing is left of it after that. */
async function obtained(url: string, timeLimitMs = 5_000) {
  const file = await photos.file(url, AbortSignal.timeout(5_000), timeLimitMs)
  const content = file && (await readFile(file.path))
  await file?.[Symbol.asyncDispose]()
  expect(await filesIn(folder)).toEqual([])
  return content?.toString('latin1')
}

describe('a photograph of a card', () => {
  it.each([
    ['in memory', () => PICTURE],
    ['in a file', () => Readable.from([PICTURE.subarray(0, 3), PICTURE.subarray(3)])],
  ])('that we keep is taken from where it is: %s', async (_where, content) => {
    kept = async () => content()
    expect(await obtained('/images/archive_17/abc')).toBe('a picture')
    expect(asked).toEqual({ publicId: 'archive_17', version: 'abc' })
  })

  it('that we kept once is none', async () => {
    kept = async () => undefined
    expect(await obtained('/images/archive_17/abc')).toBeUndefined()
    kept = async () => Promise.reject(new Error('the disk'))
    expect(await obtained('/images/archive_17/abc')).toBeUndefined()
    kept = async () =>
      new Readable({
        read() {
          this.destroy(new Error('the disk'))
        },
      })
    expect(await obtained('/images/archive_17/abc')).toBeUndefined()
  })

  it('that is elsewhere is fetched, from an image service in the size that is needed', async () => {
    const paths: (string | undefined)[] = []
    answer = ({ url }, response) => {
      paths.push(url)
      response.end(PICTURE)
    }
    expect(await obtained(`${origin}/product.jpg`)).toBe('a picture')
    expect(await obtained(`${origin}/cloud/image/upload/v1/a/b.webp`)).toBe('a picture')
    expect(paths).toEqual([
      '/product.jpg',
      '/cloud/image/upload/w_800,c_limit,q_90,f_auto/v1/a/b.jpg',
    ])
  })

  it.each<[string, RequestListener]>([
    ['gone', (_request, response) => response.writeHead(404).end('no')],
    ['too large', (_request, response) => response.end(Buffer.alloc(MAX_IMAGE_BYTES + 1))],
    ['broken off', (_request, response) => response.writeHead(200).destroy()],
    [
      'far away',
      (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    ],
  ])('that cannot be had is none: %s', async (_why, listener) => {
    answer = listener
    expect(await obtained(`${origin}/product.jpg`)).toBeUndefined()
  })

  it('that does not come in time is none', async () => {
    answer = () => undefined
    expect(await obtained(`${origin}/product.jpg`, 50)).toBeUndefined()
  })

  it.each(['http://10.0.0.1/a.jpg', 'file:///etc/hostname', '/product-placeholder.svg', ''])(
    'is not looked for where nothing is to be had: %s',
    async (url) => {
      expect(await obtained(url)).toBeUndefined()
    },
  )
})
