import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createLocalImages } from './local-images.ts'

let folder: string

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'bancone-images-')), 'images')
  onTestFinished(() => rm(join(folder, '..'), { recursive: true }))
})

async function contentOf(images: ReturnType<typeof createLocalImages>, key: string) {
  const file = await images.open(key)
  return file && { bytes: file.bytes, text: (await buffer(file.stream)).toString() }
}

describe('pictures in a folder', () => {
  it('are put, opened, replaced and removed', async () => {
    const images = createLocalImages({ folder })
    expect(await contentOf(images, 'pharmacy/first')).toBeUndefined()
    await images.put('pharmacy/first', Buffer.from('one'), 'image/webp')
    await images.put('pharmacy/second', Buffer.from('two'), 'image/webp')
    await images.put('pharmacy/first', Buffer.from('three'), 'image/webp')
    expect(await contentOf(images, 'pharmacy/first')).toEqual({ bytes: 5, text: 'three' })
    await images.remove('pharmacy/first')
    await images.remove('pharmacy/first')
    expect(await contentOf(images, 'pharmacy/first')).toBeUndefined()
    expect(await contentOf(images, 'pharmacy/second')).toEqual({ bytes: 3, text: 'two' })
  })

  it('are whole whoever puts the same at the same time, and leave nothing else', async () => {
    const images = createLocalImages({ folder })
    const content = Buffer.alloc(100_000, 'a')
    await Promise.all(
      Array.from({ length: 5 }, () => images.put('pharmacy/one', content, 'image/webp')),
    )
    expect(await contentOf(images, 'pharmacy/one')).toMatchObject({ bytes: 100_000 })
    expect(await readdir(join(folder, 'pharmacy'))).toEqual(['one'])
  })

  it('are for nobody else on the machine', async () => {
    await createLocalImages({ folder }).put('pharmacy/one', Buffer.from('a'), 'image/webp')
    const modes = await Promise.all(
      [folder, join(folder, 'pharmacy'), join(folder, 'pharmacy/one')].map(
        async (path) => (await stat(path)).mode & 0o077,
      ),
    )
    expect(modes).toEqual([0, 0, 0])
  })

  it('that cannot be put leave nothing behind', async () => {
    await writeFile(folder, 'in the way')
    const images = createLocalImages({ folder })
    await expect(images.put('pharmacy/one', Buffer.from('a'), 'image/webp')).rejects.toThrow()
    expect(await readdir(join(folder, '..'))).toEqual(['images'])
  })

  it.each([
    '',
    'one',
    '../one',
    'a/../../one',
    '/etc/passwd',
    'a/b.tmp',
    'a//b',
    'a/',
    'A/b',
    'a/b\0',
  ])('have no key like %j', async (key) => {
    const images = createLocalImages({ folder })
    await expect(images.put(key, Buffer.from('a'), 'image/webp')).rejects.toThrow('not a key')
    await expect(images.open(key)).rejects.toThrow('not a key')
    await expect(images.remove(key)).rejects.toThrow('not a key')
    await expect(readdir(folder)).rejects.toThrow('ENOENT')
  })
})
