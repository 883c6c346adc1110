import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { readOrCreateSecret, readSecret } from './secret-file.ts'

let file: string
beforeEach(async () => {
  file = join(await temporaryFolder(), 'app-secret')
})

describe('a kept secret', () => {
  it('is made once, for its owner alone', async () => {
    expect(await readSecret(file)).toBeUndefined()
    const secret = await readOrCreateSecret(file)
    expect(secret).toMatch(/^[\w-]{64}$/)
    expect(await readOrCreateSecret(file)).toBe(secret)
    expect((await readFile(file, 'utf8')).trim()).toBe(secret)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('is one, however many make it at once', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => readOrCreateSecret(file)))
    expect(new Set(secrets).size).toBe(1)
  })

  it.each(['', ' \n', 'too short'])('that is %j is refused, not used', async (text) => {
    await writeFile(file, text)
    await expect(readOrCreateSecret(file)).rejects.toThrow('is damaged')
  })
})
