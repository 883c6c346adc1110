import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { FileStoreError } from '../../ports/file-store.ts'
import { createLocalFiles } from './local-files.ts'

let folder: string

beforeEach(async () => {
  folder = join(await temporaryFolder(), 'files')
})

const namesIn = async (path: string) => (await readdir(join(folder, path))).sort()

async function aFile(mode: number): Promise<{ path: string }> {
  const path = join(folder, '..', 'source')
  await writeFile(path, 'a', { mode })
  return { path }
}

describe('files in a folder', () => {
  it('are for their owner alone on the machine', async () => {
    const files = createLocalFiles({ folder })
    await files.put('pharmacy/bytes', Buffer.from('a'), 'image/webp')
    await files.put('pharmacy/file', await aFile(0o666), 'image/webp')
    await files.put('pharmacy/read-only', await aFile(0o444), 'image/webp')
    const paths = ['', '.unfinished', 'pharmacy']
    const modes = await Promise.all(
      [...paths, 'pharmacy/bytes', 'pharmacy/file', 'pharmacy/read-only'].map(
        async (path) => (await stat(join(folder, path))).mode & 0o777,
      ),
    )
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o600, 0o600, 0o600])
  })

  it('leave nothing else, put or not', async () => {
    const files = createLocalFiles({ folder })
    await Promise.all(
      Array.from({ length: 5 }, () => files.put('pharmacy/one', Buffer.from('a'), 'image/webp')),
    )
    await files.put('pharmacy/two', await aFile(0o600), 'image/webp')
    const path = join(folder, 'none')
    await expect(files.put('pharmacy/none', { path }, 'image/webp')).rejects.toThrow(FileStoreError)
    await mkdir(join(folder, 'pharmacy/in-the-way'))
    await expect(files.put('pharmacy/in-the-way', Buffer.from('a'), 'x')).rejects.toThrow()
    expect(await namesIn('pharmacy')).toEqual(['in-the-way', 'one', 'two'])
    expect(await namesIn('.unfinished')).toEqual([])
  })

  it('that cannot be put leave nothing behind', async () => {
    await writeFile(folder, 'in the way')
    const files = createLocalFiles({ folder })
    const putting = files.put('pharmacy/one', Buffer.from('a'), 'image/webp')
    await expect(putting).rejects.toThrow(FileStoreError)
    expect(await namesIn('..')).toEqual(['files'])
  })

  it('that a process left unfinished are removed after an hour', async () => {
    const files = createLocalFiles({ folder })
    await files.clean(Date.now())
    await files.put('pharmacy/one', Buffer.from('a'), 'image/webp')
    const now = Date.parse('2026-11-21T10:00:00Z')
    const written = { old: 61, new: 59 }
    for (const [name, minutes] of Object.entries(written)) {
      const path = join(folder, '.unfinished', name)
      await writeFile(path, 'a')
      await utimes(path, 0, now / 1000 - minutes * 60)
    }
    await files.clean(now)
    expect(await namesIn('.unfinished')).toEqual(['new'])
    expect(await namesIn('pharmacy')).toEqual(['one'])
  })

  it.each(['../one', '/etc/passwd', 'a/../../one', 'a/.unfinished', '.unfinished/a'])(
    'are never outside of it: %s',
    async (key) => {
      const files = createLocalFiles({ folder })
      await expect(files.put(key, Buffer.from('a'), 'image/webp')).rejects.toThrow('not a key')
      await expect(namesIn('.')).rejects.toThrow('ENOENT')
    },
  )
})
