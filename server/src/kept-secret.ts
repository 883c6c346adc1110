import { randomBytes } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf, isExisting, reasonOf, syncFolder } from './database/embedded/folders.ts'
import { StartupError } from './startup-error.ts'

/** Where the secret is in the data folder that everything else is derived from. */
export const APP_SECRET_FILE = 'app-secret'

/** Fewer characters are no secret, and not what we wrote. */
const LEAST = 32

/** The secret kept in that file, or undefined before there is one. */
export async function readSecret(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new StartupError(`Cannot read the secret in ${file}: ${reasonOf(error)}`)
  })
  if (text === undefined) return undefined
  if (text.trim().length < LEAST) {
    throw new StartupError(`The secret in ${file} is damaged: restore it from a back-up.`)
  }
  return text.trim()
}

/**
 * The secret kept in that file, made when there is none. Whole or not at all, on the disk when this
 * returns; if another first start is quicker, that one's holds.
 */
export async function keptSecret(file: string): Promise<string> {
  const kept = await readSecret(file)
  if (kept) return kept
  const half = `${file}.${randomBytes(6).toString('hex')}`
  await writePrivate(half, randomBytes(48).toString('base64url'))
  // Linking fails where renaming would replace the other's.
  await link(half, file).catch((error: unknown) => {
    if (!isExisting(error)) throw error
  })
  await unlink(half)
  await syncFolder(dirname(file))
  const secret = await readSecret(file)
  if (!secret) throw new StartupError(`The file ${file} vanished while it was made.`)
  return secret
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
