import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ImageVariant } from '@bancone/contract/image-variants'
import { startCloudinary } from '@bancone/sandbox/cloudinary'
import { startS3 } from '@bancone/sandbox/s3'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/database.ts'
import { drawn as drawnPicture } from '../../test/pictures.ts'
import { filesIn, temporaryFolder } from '../../test/temporary-folder.ts'
import { createStoredFiles } from '../platform/stored-files.ts'
import { createTemporaryFiles } from '../platform/temporary-files.ts'
import type { FileStore } from '../ports/file-store.ts'
import type { ImageHost, PictureFile, ServedFormat } from '../ports/image-host.ts'
import { createCloudinaryImages } from './cloudinary/cloudinary-images.ts'
import { createLocalFiles } from './local-files/local-files.ts'
import { createRenderedImages } from './rendered-images/rendered-images.ts'
import { createS3Files } from './s3-files/s3-files.ts'
import { createSharpPictures } from './sharp-pictures/sharp-pictures.ts'

const pictures = createSharpPictures()
const formats = ['avif', 'webp', 'jpeg'] as const
const id = 'farmacia-rossi_1790000000000'
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => pictures.close())
beforeEach(async () => {
  await database.pool.query('delete from stored_files where drawn_from is not null')
  await database.pool.query('delete from stored_files')
})

type StartedHost = {
  host: ImageHost
  /** The pattern of the URLs that it returns. */
  address(publicId: string): RegExp
  /** How many pictures were rendered. */
  drawn(): number
  /** Whether anything is left of any picture. */
  isEmpty(): Promise<boolean>
  /** Makes the storage fail, until it is switched on again. */
  fail(fails: boolean): Promise<void>
}

/** Every image host, each with its storage. */
const imageHosts: { what: string; start(): Promise<StartedHost> }[] = [
  { what: 'this disk', start: onDisk },
  { what: 'S3', start: onS3 },
  { what: 'Cloudinary', start: atCloudinary },
]

const drawnBefore = new Map<string, Buffer>()

/** A picture as the renderer returns it: a WebP file on the local disk. */
async function picture(width = 900, height = 600): Promise<PictureFile> {
  const size = `${width}x${height}`
  const content = drawnBefore.get(size) ?? (await drawnPicture(width, height).webp().toBuffer())
  drawnBefore.set(size, content)
  const path = join(await temporaryFolder(), 'picture')
  await writeFile(path, content)
  return { path, width, height, bytes: content.byteLength }
}

async function open(host: ImageHost, name: string, variant: ImageVariant, format: ServedFormat) {
  const found = await host.open(name, variant, format)
  if (!found) return undefined
  const content = await buffer(found.stream)
  expect(found.bytes).toBe(content.byteLength)
  expect(found.contentType).toBe(`image/${format}`)
  return content
}

/** The metadata of the content; null when there is no content. */
async function like(content: Buffer | undefined) {
  if (!content) return null
  const { width, height, format, compression } = await sharp(content).metadata()
  return [width, height, format === 'heif' ? compression : format]
}

/** Of a picture that is 900 wide and 600 high. */
const sizes: Record<ImageVariant, [width: number, height: number]> = {
  product: [500, 500],
  thumbnail: [100, 100],
  'thumbnail-2x': [200, 200],
  card: [300, 200],
  'card-2x': [600, 400],
  dialog: [400, 267],
  'dialog-2x': [800, 533],
  original: [900, 600],
}

const notNames = ['', 'x', '../x_1', 'X_1', 'x_1.webp']

describe.each(imageHosts)('pictures kept on $what', ({ start }) => {
  let started: StartedHost
  let host: ImageHost

  beforeEach(async () => {
    started = await start()
    ;({ host } = started)
  })

  it('have an address, and are told of as they are', async () => {
    const kept = await host.put(id, await picture())
    expect(kept).toMatchObject({ width: 900, height: 600, format: 'webp' })
    expect(kept.url).toMatch(started.address(id))
  })

  it('are as large in every variant as the contract says', async () => {
    await host.put(id, await picture())
    for (const variant of ImageVariant.options) {
      const expected = [...sizes[variant], 'webp']
      expect(await like(await open(host, id, variant, 'webp'))).toEqual(expected)
    }
  })

  it('are in the format that is asked for', async () => {
    await host.put(id, await picture())
    for (const variant of ['thumbnail', 'card', 'original'] as const) {
      for (const format of formats) {
        const expected = [...sizes[variant], format === 'avif' ? 'av1' : format]
        expect(await like(await open(host, id, variant, format))).toEqual(expected)
      }
    }
  })

  it('are not made larger than they are, except to be exactly as large as a variant', async () => {
    await host.put(id, await picture(150, 200))
    expect(await like(await open(host, id, 'card', 'webp'))).toEqual([150, 200, 'webp'])
    expect(await like(await open(host, id, 'product', 'webp'))).toEqual([500, 500, 'webp'])
  })

  it('are on white where they do not fill a variant', async () => {
    await host.put(id, await picture(100, 400))
    const content = await open(host, id, 'product', 'jpeg')
    const { data } = await sharp(content).raw().toBuffer({ resolveWithObject: true })
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255])
  })

  it('are drawn once for each variant and format, however many ask', async () => {
    await host.put(id, await picture())
    const many = Array.from({ length: 8 }, () => open(host, id, 'card', 'webp'))
    const contents = await Promise.all(many)
    expect(await like(contents[0])).toEqual([300, 200, 'webp'])
    expect(new Set(contents.map((content) => content?.toString('base64'))).size).toBe(1)
    expect(started.drawn()).toBe(1)
    expect(await open(host, id, 'card', 'webp')).toEqual(contents[0])
    expect(started.drawn()).toBe(1)
    await open(host, id, 'card', 'jpeg')
    await open(host, id, 'dialog', 'webp')
    expect(started.drawn()).toBe(3)
  })

  it('are each its own', async () => {
    const other = 'farmacia-rossi_1790000000001'
    await Promise.all([host.put(id, await picture()), host.put(other, await picture(300, 300))])
    expect(await like(await open(host, id, 'card', 'webp'))).toEqual([300, 200, 'webp'])
    expect(await like(await open(host, other, 'card', 'webp'))).toEqual([300, 300, 'webp'])
  })

  it('are neither found nor removed by a name that none of them has', async () => {
    const other = ['x_1/../y_1', 'x_1?a=b', 'x_1\0', '%2e%2e/x_1']
    for (const name of ['other_1790000000000', ...notNames, ...other]) {
      for (const format of formats) {
        expect(await host.open(name, 'card', format), name).toBeUndefined()
      }
      await expect(host.remove(name), name).resolves.toBeUndefined()
    }
  })

  it('are not kept under what is no name', async () => {
    const refused = { name: 'ImageHostError', kind: 'refused' }
    const one = await picture()
    for (const name of [...notNames, 'a/b_1']) {
      await expect(host.put(name, one), name).rejects.toMatchObject(refused)
    }
    expect(await started.isEmpty()).toBe(true)
  })

  it('are gone with all that was drawn from them when they are removed', async () => {
    const { url } = await host.put(id, await picture())
    for (const format of formats) await open(host, id, 'card', format)
    await open(host, id, 'original', 'webp')
    await host.remove(id)
    for (const format of formats) expect(await host.open(id, 'card', format)).toBeUndefined()
    expect(await host.open(id, 'original', 'webp')).toBeUndefined()
    expect(await started.isEmpty()).toBe(true)
    await host.remove(id)
    expect((await host.put(id, await picture())).url).toMatch(started.address(id))
    expect(url).toMatch(started.address(id))
  })

  it('cannot be kept, had or removed while it fails, and can when it does no more', async () => {
    const one = await picture()
    await host.put(id, one)
    await started.fail(true)
    const failure = { name: 'ImageHostError', kind: 'unavailable' }
    await expect(host.put('other_1', one)).rejects.toMatchObject(failure)
    await expect(host.open(id, 'card', 'webp')).rejects.toMatchObject(failure)
    await expect(host.remove(id)).rejects.toMatchObject(failure)
    await started.fail(false)
    expect(await like(await open(host, id, 'card', 'webp'))).toEqual([300, 200, 'webp'])
    await host.put('other_1', one)
    await host.remove('other_1')
    await host.remove(id)
    expect(await started.isEmpty()).toBe(true)
  })

  it('are not kept for who does not wait any more, nor when their file is gone', async () => {
    const failure = { name: 'ImageHostError', kind: 'unavailable' }
    const given = AbortSignal.abort(new Error('gone'))
    await expect(host.put(id, await picture(), given)).rejects.toMatchObject(failure)
    const nowhere = { path: join(await temporaryFolder(), 'none'), width: 1, height: 1, bytes: 1 }
    await expect(host.put(id, nowhere)).rejects.toMatchObject(failure)
    expect(await started.isEmpty()).toBe(true)
  })
})

/** An image host in a file store, and the number of renditions that it requested. */
function drawnOver(store: FileStore, scratch: string) {
  let drawings = 0
  const host = createRenderedImages({
    files: createStoredFiles(database.db, store),
    pictures: {
      render(...asked) {
        drawings += 1
        return pictures.render(...asked)
      },
    },
    temporaryFiles: createTemporaryFiles(scratch),
  })
  const isForgotten = async () => {
    const { rows } = await database.pool.query('select key from stored_files')
    return rows.length === 0 && (await filesIn(scratch)).length === 0
  }
  return { host, drawn: () => drawings, isForgotten }
}

const ourAddress = (publicId: string) => new RegExp(`^/images/${publicId}/[0-9a-f]{16}$`)

async function onDisk(): Promise<StartedHost> {
  const folder = await temporaryFolder()
  const [files, away] = [join(folder, 'files'), join(folder, 'away')]
  const { host, drawn, isForgotten } = drawnOver(
    createLocalFiles({ folder: files }),
    join(folder, 'scratch'),
  )
  return {
    host,
    address: ourAddress,
    drawn,
    isEmpty: async () => (await isForgotten()) && (await filesIn(files)).length === 0,
    async fail(fails) {
      if (!fails) {
        await rm(files)
        return rename(away, files)
      }
      // A symbolic link to itself, which cannot be opened by any user.
      await rename(files, away)
      return symlink(files, files)
    },
  }
}

async function onS3(): Promise<StartedHost> {
  const sandbox = await startS3()
  onTestFinished(() => sandbox.close())
  const { url: endpoint, bucket, region, keys } = sandbox
  const store = createS3Files({ endpoint, bucket, region, keys, folder: 'pictures', retryMs: 1 })
  onTestFinished(() => store.close())
  const { host, drawn, isForgotten } = drawnOver(store, await temporaryFolder())
  return {
    host,
    address: ourAddress,
    drawn,
    isEmpty: async () => (await isForgotten()) && sandbox.names().length === 0,
    async fail(fails) {
      sandbox.fail({ mode: fails ? '500' : 'ok' })
    },
  }
}

async function atCloudinary(): Promise<StartedHost> {
  const sandbox = await startCloudinary()
  onTestFinished(() => sandbox.close())
  const { url, cloud, key, secret } = sandbox
  const host = createCloudinaryImages({
    cloud,
    key,
    secret,
    uploadPreset: undefined,
    folder: 'bancone',
    apiUrl: url,
    deliveryUrl: url,
  })
  return {
    host,
    address: (publicId) =>
      new RegExp(`^${url}/${cloud}/image/upload/v\\d+/bancone/${publicId}\\.webp$`),
    drawn: sandbox.drawn,
    async isEmpty() {
      return sandbox.isEmpty()
    },
    async fail(fails) {
      sandbox.fail({ mode: fails ? 'refuse' : 'ok', status: 503 })
    },
  }
}
