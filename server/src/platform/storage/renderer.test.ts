import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type MemoryFiles, memoryFiles } from '../../../test/memory-files.ts'
import { silentLog } from '../../../test/silent-log.ts'
import type { PictureRejection, PictureRenderer } from '../../ports/picture-renderer.ts'
import { createTemporaryFiles } from '../temporary-files.ts'
import type { StoredObject } from './objects.store.ts'
import { createRenderer, type Renderer } from './renderer.ts'
import { renditionOf, TransformOptions } from './renditions.ts'

const folder = join(tmpdir(), `bancone renderer ${process.pid}`)
const temporaryFiles = createTemporaryFiles(folder)
const renditions = { ofFile: async () => [], ofFolder: async () => [], ofBucket: async () => [] }

const wide = (width: number) => renditionOf(TransformOptions.parse({ width }), 'image/png', '*/*')

let made = 0
function newObject(changes: Partial<StoredObject> = {}): StoredObject {
  made += 1
  const file_key = `objects/${made}`
  files.files.set(file_key, Buffer.from('a picture'))
  return {
    id: String(made),
    bucket_id: 'pictures',
    name: `folder/${made}.png`,
    owner: null,
    file_key,
    version: String(made),
    size: 9,
    content_type: 'image/png',
    cache_control: 'no-cache',
    content_encoding: null,
    etag: '"1"',
    metadata: null,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    last_accessed_at: '2026-01-01T00:00:00.000Z',
    ...changes,
  }
}

type HeldPictures = Pick<PictureRenderer, 'render'> & {
  /** The number of renderings requested so far. */
  asked: number
  /** The rejection of all files from now on; null for none. */
  reason: PictureRejection | null
  failure: Error | null
  /** Completes the pending renderings, and new ones, until `done`. */
  until(done: Promise<unknown>): Promise<void>
}

/** A renderer that the test completes. */
function heldPictures(): HeldPictures {
  const waiting: (() => void)[] = []
  const held: HeldPictures = {
    asked: 0,
    reason: null,
    failure: null,
    async render(_from, to) {
      held.asked += 1
      await new Promise<void>((resolve) => waiting.push(resolve))
      if (held.failure) throw held.failure
      if (held.reason) return held.reason
      await writeFile(to, 'drawn')
      return { width: 1, height: 1, bytes: 5 }
    },
    async until(done) {
      const timer = setInterval(() => waiting.shift()?.(), 1)
      await done.finally(() => clearInterval(timer))
    },
  }
  return held
}

afterAll(() => rm(folder, { recursive: true, force: true }))

let files: MemoryFiles
let pictures: HeldPictures
let renderer: Renderer

beforeEach(() => {
  files = memoryFiles()
  pictures = heldPictures()
  renderer = createRenderer({ files, renditions, pictures, temporaryFiles, log: silentLog })
})

const asked = (times: number) => vi.waitFor(() => expect(pictures.asked).toBe(times))

describe('what is drawn from objects', () => {
  it('is drawn once for all who want it', async () => {
    const object = newObject()
    const all = Promise.all([1, 2, 3].map(() => renderer.open(object, wide(10))))
    await asked(1)
    await pictures.until(all)
    expect((await all).map((file) => file?.bytes)).toEqual([5, 5, 5])
    expect((await renderer.open(object, wide(10), { start: 1, end: 2 }))?.bytes).toBe(5)
    expect(pictures.asked).toBe(1)
  })

  it('does not go before what others have sent', async () => {
    const render = vi.spyOn(pictures, 'render')
    await pictures.until(renderer.open(newObject(), wide(10)))
    expect(render.mock.calls.map(([, , , options]) => options)).toEqual([{ priority: 'normal' }])
  })

  it('of one folder leaves the others their turn', async () => {
    const many = [1, 2, 3, 4, 5].map((width) => renderer.open(newObject(), wide(width)))
    await asked(2)
    const other = renderer.open(newObject({ name: 'another/a.png' }), wide(10))
    await asked(3)
    await pictures.until(Promise.all([...many, other]))
    expect(pictures.asked).toBe(6)
  })

  it('is refused when too many of a folder wait', async () => {
    const object = newObject()
    const many = Array.from({ length: 66 }, (_, n) => renderer.open(object, wide(n + 1)))
    await expect(renderer.open(object, wide(100))).rejects.toMatchObject({ code: 'SlowDown' })
    await pictures.until(Promise.all(many))
    await pictures.until(renderer.open(object, wide(100)))
    expect(pictures.asked).toBe(67)
  })

  it('is tried again after a failure, and not when the picture is to blame', async () => {
    const object = newObject()
    pictures.failure = new Error('the disk is full')
    await pictures.until(
      expect(renderer.open(object, wide(10))).rejects.toMatchObject({ code: 'SlowDown' }),
    )
    pictures.failure = null
    pictures.reason = 'unreadable'
    for (const width of [10, 11, 10]) {
      const refused = expect(renderer.open(object, wide(width))).rejects.toMatchObject({
        code: 'InvalidRequest',
        message: 'The picture cannot be read',
      })
      await pictures.until(refused)
    }
    expect(pictures.asked).toBe(2)
  })

  it.each([
    { content_type: 'text/html' },
    { content_type: 'application/pdf' },
    { size: 25_000_001 },
  ])('is none of what has %j', async (changes) => {
    const object = newObject(changes)
    const opened = vi.spyOn(files, 'open')
    for (let n = 0; n < 2; n += 1) {
      const refused = renderer.open(object, wide(10))
      await expect(refused).rejects.toMatchObject({ code: 'InvalidRequest' })
    }
    expect(opened).not.toHaveBeenCalledWith(object.file_key)
    // The first bytes are read once, of what was not declared as a picture.
    const parts = opened.mock.calls.filter(([key]) => key === object.file_key)
    expect(parts).toHaveLength(changes.content_type ? 1 : 0)
    expect(pictures.asked).toBe(0)
  })

  it('is none of what is gone', async () => {
    const object = newObject()
    files.files.clear()
    await expect(renderer.open(object, wide(10))).rejects.toMatchObject({ code: 'NoSuchKey' })
  })
})
