import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The secret kept with the data, made at the first start (0600). Two first starts agree on one. */
export async function keptSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'app-secret')
  const fresh = randomBytes(48).toString('base64url')
  await writeFile(file, fresh, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
  return (await readFile(file, 'utf8')).trim()
}
