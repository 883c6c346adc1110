import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { imageVariants } from '@bancone/contract/image-variants'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { memoryFiles } from '../../../test/memory-files.ts'
import { filesIn, temporaryFolder } from '../../../test/temporary-folder.ts'
import { createStoredFiles } from '../../platform/stored-files.ts'
import { createTemporaryFiles } from '../../platform/temporary-files.ts'
import type {
  PictureRejection,
  PictureRenderer,
  RenderedPicture,
  Rendition,
} from '../../ports/picture-renderer.ts'
import { createRenderedImages } from './rendered-images.ts'

const id = 'farmacia-rossi_1790000000000'
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  await database.pool.query('delete from stored_files where drawn_from is not null')
  await database.pool.query('delete from stored_files')
})

/** Writes the input and the requested rendition instead of a picture. */
function scribe(outcome?: PictureRejection) {
  const waits: { until: Promise<unknown> } = { until: Promise.resolve() }
  const priorities: string[] = []
  const drawings: Rendition[] = []
  const pictures: Pick<PictureRenderer, 'render'> = {
    async render(from, to, drawing, { priority }): Promise<RenderedPicture | PictureRejection> {
      drawings.push(drawing)
      priorities.push(priority)
      const text = `${await readFile(from, 'utf8')} ${JSON.stringify(drawing)}`
      await waits.until
      if (outcome) return outcome
      await writeFile(to, text)
      return { width: 1, height: 1, bytes: text.length }
    },
  }
  return { pictures, drawings, priorities, waits }
}

async function start(outcome?: PictureRejection) {
  const store = memoryFiles()
  const folder = await temporaryFolder()
  const scratch = join(folder, 'scratch')
  const { pictures, drawings, priorities, waits } = scribe(outcome)
  const files = createStoredFiles(database.db, store)
  const process = () =>
    createRenderedImages({ files, pictures, temporaryFiles: createTemporaryFiles(scratch) })
  const host = process()
  const picture = async (content: string) => {
    const path = join(folder, 'picture')
    await writeFile(path, content)
    return { path, width: 30, height: 20, bytes: (await stat(path)).size }
  }
  return { store, host, drawings, picture, priorities, waits, scratch, another: process }
}

async function textOf(opened: ReturnType<Awaited<ReturnType<typeof start>>['host']['open']>) {
  const found = await opened
  return found && (await buffer(found.stream)).toString()
}

describe('a picture that the server draws itself', () => {
  it('has an address that changes with what is in it', async () => {
    const { host, picture } = await start()
    const one = await host.put(id, await picture('one'))
    expect(one).toEqual({
      // The beginning of the SHA-256 of `one`.
      url: `/images/${id}/7692c3ad3540bb80`,
      width: 30,
      height: 20,
      format: 'webp',
      fileKey: `images/${id}`,
    })
    expect((await host.put(id, await picture('two'))).url).not.toBe(one.url)
  })

  it('is itself what it is kept as, and never drawn for that', async () => {
    const { host, picture, drawings } = await start()
    await host.put(id, await picture('one'))
    expect(await textOf(host.open(id, 'original', 'webp'))).toBe('one')
    expect(drawings).toEqual([])
  })

  it('is drawn from the stored file for a request, as the variant says', async () => {
    const { host, picture, drawings, priorities, scratch } = await start()
    await host.put(id, await picture('one'))
    expect(await textOf(host.open(id, 'product', 'jpeg'))).toContain('one {')
    await textOf(host.open(id, 'card', 'webp'))
    await textOf(host.open(id, 'original', 'jpeg'))
    expect(drawings).toEqual([
      { width: 500, height: 500, fit: 'contain', format: 'jpeg', quality: 90 },
      { width: 300, fit: 'inside', format: 'webp', quality: 80 },
      { fit: 'inside', format: 'jpeg', quality: 90 },
    ])
    expect(priorities).toEqual(['high', 'high', 'high'])
    expect(await filesIn(scratch)).toEqual([])
  })

  it('is written as AVIF at what looks the same there', async () => {
    const { host, picture, drawings } = await start()
    await host.put(id, await picture('one'))
    await textOf(host.open(id, 'product', 'avif'))
    await textOf(host.open(id, 'card', 'avif'))
    expect(drawings.map(({ quality }) => quality)).toEqual([75, 65])
    expect(imageVariants).toMatchObject({ product: { quality: 90 }, card: { quality: 80 } })
  })

  it('is found by another process that did not draw it', async () => {
    const { host, picture, drawings, another } = await start()
    await host.put(id, await picture('one'))
    const text = await textOf(host.open(id, 'card', 'webp'))
    expect(await textOf(another().open(id, 'card', 'webp'))).toBe(text)
    expect(drawings).toHaveLength(1)
  })

  it('that cannot be drawn is refused, to all who wait, and tried anew by the next', async () => {
    const { host, picture, drawings, scratch } = await start('unreadable')
    await host.put(id, await picture('one'))
    const failure = { name: 'ImageHostError', kind: 'refused' }
    const two = [host.open(id, 'card', 'webp'), host.open(id, 'card', 'webp')]
    const refusal = { status: 'rejected', reason: failure }
    expect(await Promise.allSettled(two)).toMatchObject([refusal, refusal])
    expect(drawings).toHaveLength(1)
    await expect(host.open(id, 'card', 'webp')).rejects.toMatchObject(failure)
    expect(drawings).toHaveLength(2)
    expect(await filesIn(scratch)).toEqual([])
  })

  it('that is removed while it is drawn leaves nothing', async () => {
    const { host, store, picture, waits, drawings } = await start()
    await host.put(id, await picture('one'))
    const drawn = new AbortController()
    waits.until = once(drawn.signal, 'abort')
    const opening = host.open(id, 'card', 'webp')
    await expect.poll(() => drawings.length).toBe(1)
    await host.remove(id)
    drawn.abort()
    await expect(opening).rejects.toMatchObject({ name: 'ImageHostError', kind: 'unavailable' })
    expect([...store.files.keys()]).toEqual([])
    expect(await textOf(host.open(id, 'card', 'webp'))).toBeUndefined()
  })
})
