import { readFile } from 'node:fs/promises'
import { writePrivateFile } from '../../secret-file.ts'
import { BackupError } from './backup-error.ts'
import { type Keyring, newKeyText, readKeys } from './backup-key.ts'

/** The key as text, or the path of its file. */
export type KeySource = { text: string } | { file: string }

/** Reads the keys anew, so that a file that is gone is noticed. @throws BackupError `key_unusable` */
export async function loadKeys(source: KeySource): Promise<Keyring> {
  if ('text' in source) return readKeys(source.text)
  const text = await readFile(source.file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new BackupError(
      'key_unusable',
      `The key of the back-ups cannot be read (${reason}): ${source.file}.`,
      { cause: error },
    )
  })
  return readKeys(text)
}

/** Makes the key file when there is none. @returns whether it was made */
export async function makeKeyFile(source: KeySource): Promise<boolean> {
  if ('text' in source) return false
  try {
    await writePrivateFile(source.file, newKeyText())
    return true
  } catch (error) {
    // An existing file, or a folder that cannot be written: reading it says why.
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
