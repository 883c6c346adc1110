import { randomBytes } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf, isExisting, reasonOf, syncFolder } from './files.ts'
import { StartupError } from './startup-error.ts'

/** The file in the data folder with the secret from which all keys are derived. */
export const APP_SECRET_FILE = 'app-secret'

/** A shorter content is not a secret that this server wrote. */
const MIN_LENGTH = 32

/** Reads the secret in a file; undefined if the file does not exist. */
export async function readSecret(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new StartupError(`Cannot read the secret in ${file}: ${reasonOf(error)}`)
  })
  if (text === undefined) return undefined
  if (text.trim().length < MIN_LENGTH) {
    throw new StartupError(`The secret in ${file} is damaged: restore it from a back-up.`)
  }
  return text.trim()
}

/**
 * Reads the secret in a file, or creates it. The creation is atomic and flushed to disk. If a concurrent first start is
 * faster, its secret is used.
 */
export async function readOrCreateSecret(file: string): Promise<string> {
  const kept = await readSecret(file)
  if (kept) return kept
  const half = `${file}.${randomBytes(6).toString('hex')}`
  await writePrivateFile(half, randomBytes(48).toString('base64url'))
  // Linking fails if the file exists, whereas renaming would replace it.
  await link(half, file).catch((error: unknown) => {
    if (!isExisting(error)) throw error
  })
  await unlink(half)
  await syncFolder(dirname(file))
  const secret = await readSecret(file)
  if (!secret) throw new StartupError(`The file ${file} vanished while it was made.`)
  return secret
}

/** Creates a file that only its owner can read, and flushes it to disk. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(`${text}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
