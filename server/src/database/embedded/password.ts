import { randomBytes } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import { codeOf, isExisting, reasonOf, syncFolder } from './folders.ts'

/** The database's password, or undefined before there is one. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, 'postgres-password')
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new StartupError(`Cannot read the database's password: ${reasonOf(error)}`)
  })
  if (text === undefined) return undefined
  if (!text.trim()) throw new StartupError(`The file ${file} is empty: restore it from a back-up`)
  return text.trim()
}

/** Keeps a new password, unless another first start was quicker: then that one's holds. */
export async function makePassword(dataDir: string): Promise<string> {
  const kept = await readPassword(dataDir)
  if (kept) return kept
  const file = join(dataDir, 'postgres-password')
  const half = `${file}.${randomBytes(6).toString('hex')}`
  await writePrivate(half, randomBytes(32).toString('base64url'))
  // Linking fails where renaming would replace the other's.
  await link(half, file).catch((error: unknown) => {
    if (!isExisting(error)) throw error
  })
  await unlink(half)
  await syncFolder(dataDir)
  const password = await readPassword(dataDir)
  if (!password) throw new StartupError(`The file ${file} vanished while it was made`)
  return password
}

/** A new file that nobody else reads, on the disk when this returns. */
export async function writePrivate(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(`${text}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
