import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { startS3 } from '@bancone/sandbox/s3'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import {
  type ByteRange,
  type FileStore,
  FileStoreError,
  type ListableFiles,
} from '../ports/file-store.ts'
import { createFilesWithFallback } from './fallback-files/fallback-files.ts'
import { createLocalFiles } from './local-files/local-files.ts'
import { createS3Files } from './s3-files/s3-files.ts'

/** The same tests for every file store. */
const stores: Record<string, (folder: string) => Promise<FileStore>> = {
  'on the disk': async (folder) => createLocalFiles({ folder: join(folder, 'kept') }),
  'in S3': inS3,
  'on their way to S3': async (folder) =>
    createFilesWithFallback(await inS3(), createLocalFiles({ folder: join(folder, 'kept') })),
}

async function inS3(): Promise<ListableFiles> {
  const s3 = await startS3()
  const { bucket, region, keys } = s3
  const files = createS3Files({ bucket, region, keys, endpoint: s3.url, folder: 'files' })
  onTestFinished(async () => {
    files.close()
    await s3.close()
  })
  return files
}

describe.each(Object.entries(stores))('files %s', (_where, storeIn) => {
  let folder: string
  let files: FileStore

  beforeEach(async () => {
    folder = await temporaryFolder()
    files = await storeIn(folder)
  })

  async function contentOf(key: string, range?: ByteRange) {
    const file = await files.open(key, range)
    return file && { bytes: file.bytes, content: (await buffer(file.stream)).toString() }
  }

  async function aFile(content: string | Uint8Array): Promise<{ path: string }> {
    const path = join(folder, 'a source')
    await writeFile(path, content)
    return { path }
  }

  it('are put, opened, replaced and removed', async () => {
    expect(await contentOf('one/file')).toBeUndefined()
    await files.put('one/file', Buffer.from('first'), 'image/webp')
    await files.put('one/other', Buffer.from('other'), 'image/webp')
    await files.put('one/file', Buffer.from('secondly'), 'image/webp')
    expect(await contentOf('one/file')).toEqual({ bytes: 8, content: 'secondly' })
    await files.remove('one/file')
    await files.remove('one/file')
    expect(await contentOf('one/file')).toBeUndefined()
    expect(await contentOf('one/other')).toEqual({ bytes: 5, content: 'other' })
  })

  it('are taken from files, which stay where they are', async () => {
    const source = await aFile('first')
    await files.put('one/file', source, 'image/webp')
    expect(await contentOf('one/file')).toEqual({ bytes: 5, content: 'first' })
    await writeFile(source.path, 'changed later')
    expect(await contentOf('one/file')).toEqual({ bytes: 5, content: 'first' })
    await files.put('one/file', source, 'image/webp')
    expect(await contentOf('one/file')).toEqual({ bytes: 13, content: 'changed later' })
    expect(await readFile(source.path, 'utf8')).toBe('changed later')
  })

  it.each<[string, (content: Buffer) => Promise<Uint8Array | { path: string }>]>([
    ['bytes', async (content) => content],
    ['a file', (content) => aFile(content)],
  ])('are the same however large, from %s', async (_what, sourceOf) => {
    const content = randomBytes(9_000_001)
    await files.put('one/large', await sourceOf(content), 'application/octet-stream')
    const file = await files.open('one/large')
    const hash = createHash('sha256')
    for await (const part of file?.stream ?? []) hash.update(part as Uint8Array)
    expect(file?.bytes).toBe(content.length)
    expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'))
  })

  it('may be empty', async () => {
    await files.put('one/bytes', Buffer.alloc(0), 'text/plain')
    await files.put('one/file', await aFile(''), 'text/plain')
    expect(await contentOf('one/bytes')).toEqual({ bytes: 0, content: '' })
    expect(await contentOf('one/file')).toEqual({ bytes: 0, content: '' })
  })

  it('are opened in part', async () => {
    await files.put('one/file', Buffer.from('0123456789'), 'text/plain')
    for (const [start, end, content] of [
      [0, 0, '0'],
      [2, 5, '2345'],
      [9, 9, '9'],
      [0, 9, '0123456789'],
    ] as const) {
      expect(await contentOf('one/file', { start, end })).toEqual({ bytes: 10, content })
      expect(await contentOf('one/none', { start, end })).toBeUndefined()
    }
  })

  it('are whole when several are put under one key at the same time', async () => {
    const contents = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(100_000))
    await Promise.all(
      contents.map((content) => files.put('one/file', Buffer.from(content), 'text/plain')),
    )
    const found = await contentOf('one/file')
    expect(found?.bytes).toBe(100_000)
    expect(contents).toContain(found?.content)
  })

  it('stay as they were when what is to replace them cannot be read', async () => {
    await files.put('one/file', Buffer.from('first'), 'text/plain')
    const isNone = join(folder, 'no such file')
    const isFolder = join(folder, 'a folder')
    await mkdir(isFolder)
    for (const path of [isNone, isFolder]) {
      const putting = files.put('one/file', { path }, 'text/plain')
      await expect(putting).rejects.toThrow(FileStoreError)
      const puttingNew = files.put('one/new', { path }, 'text/plain')
      await expect(puttingNew).rejects.toThrow(FileStoreError)
    }
    expect(await contentOf('one/file')).toEqual({ bytes: 5, content: 'first' })
    expect(await contentOf('one/new')).toBeUndefined()
    expect((await stat(isFolder)).isDirectory()).toBe(true)
  })

  it('are not there under a part of their key, nor under more', async () => {
    await files.put('one/two/file', Buffer.from('first'), 'text/plain')
    expect(await contentOf('one/two')).toBeUndefined()
    expect(await contentOf('one/two/file/more')).toBeUndefined()
    await files.remove('one/two')
    await files.remove('one/two/file/more')
    expect(await contentOf('one/two/file')).toEqual({ bytes: 5, content: 'first' })
  })

  it('have no key that could lead elsewhere', async () => {
    for (const key of notKeys) {
      await expect(files.put(key, Buffer.from('a'), 'image/webp'), key).rejects.toThrow('not a key')
      await expect(files.open(key), key).rejects.toThrow('not a key')
      await expect(files.remove(key), key).rejects.toThrow('not a key')
    }
  })
})

const notKeys = [
  '',
  'one',
  '../one',
  'a/../../one',
  'a/..',
  '/etc/passwd',
  'a/b.tmp',
  'a/.b',
  'a/-b',
  'a//b',
  'a/',
  'A/b',
  'a\\b/c',
  'a/b\0',
  'a/b\n',
  'a/%2e%2e',
  `a/${'b'.repeat(500)}`,
]

describe.each([
  ['on the disk', (folder: string) => createLocalFiles({ folder })],
  ['in S3', inS3],
] as const)('the list of the files %s', (_where, storeIn) => {
  it('has those whose keys begin so, with their sizes and times', async () => {
    const folder = await temporaryFolder()
    const files = await storeIn(folder)
    const listed = async (prefix: string) => {
      const keys: string[] = []
      for await (const { key, bytes, modifiedAt } of files.list(prefix)) {
        expect(bytes).toBe(key.length)
        expect(Math.abs(Date.now() - modifiedAt)).toBeLessThan(60_000)
        keys.push(key)
      }
      return keys.sort()
    }
    expect(await listed('one/')).toEqual([])
    for (const key of ['one/a', 'one/b/c', 'other/a', 'onemore/a']) {
      await files.put(key, Buffer.from(key), 'text/plain')
    }
    expect(await listed('one/')).toEqual(['one/a', 'one/b/c'])
    expect(await listed('one/b/')).toEqual(['one/b/c'])
  })
})

describe('files on their way from one store to another', () => {
  async function twoStores() {
    const folder = await temporaryFolder()
    const from = createLocalFiles({ folder: join(folder, 'from') })
    const to = createLocalFiles({ folder: join(folder, 'to') })
    await from.put('one/old', Buffer.from('old'), 'text/plain')
    return { from, to, files: createFilesWithFallback(to, from) }
  }

  const contentOf = async (store: FileStore, key: string) => {
    const file = await store.open(key)
    return file && (await buffer(file.stream)).toString()
  }

  it('are found where they were, until they are put again', async () => {
    const { from, to, files } = await twoStores()
    expect(await contentOf(files, 'one/old')).toBe('old')
    await files.put('one/old', Buffer.from('new'), 'text/plain')
    await files.put('one/new', Buffer.from('new'), 'text/plain')
    expect(await contentOf(files, 'one/old')).toBe('new')
    expect(await contentOf(from, 'one/new')).toBeUndefined()
    expect(await contentOf(to, 'one/new')).toBe('new')
  })

  it('are removed from both', async () => {
    const { from, to, files } = await twoStores()
    await files.put('one/old', Buffer.from('new'), 'text/plain')
    await files.remove('one/old')
    expect(await contentOf(from, 'one/old')).toBeUndefined()
    expect(await contentOf(to, 'one/old')).toBeUndefined()
  })
})
