import { access, chmod, constants, readdir, realpath, statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { makeFolder, reasonOf } from '../../base/files.ts'
import { StartupError } from '../../base/startup-error.ts'
import { runsAsRoot } from './account.ts'

/**
 * Creates DATA_DIR, or checks that it is writable. As root the folder can be entered (but not listed) by other accounts,
 * because PostgreSQL runs as one of them.
 *
 * @returns the real path
 */
export async function openDataFolder(dataDir: string): Promise<string> {
  const folder = resolve(dataDir)
  try {
    await makeFolder(folder, runsAsRoot ? 0o711 : 0o700)
    await access(folder, constants.W_OK | constants.X_OK)
    const real = await realpath(folder)
    // An empty folder, made by mktemp for example. A folder with files keeps its mode.
    if (runsAsRoot && (await readdir(real)).length === 0) await chmod(real, 0o711)
    return real
  } catch (error) {
    throw new StartupError(
      `Cannot write to the data folder ${folder} (${reasonOf(error)}). ` +
        'Let this account write to it, or set DATA_DIR to another folder.',
    )
  }
}

/** Two of the files of 16 MB to which PostgreSQL writes every change first. */
const LEAST_BYTES = 32_000_000

/** @throws StartupError when the disk of a folder is so full that PostgreSQL cannot work on it */
export async function checkDiskSpace(folder: string): Promise<void> {
  const { blocks, bavail, bsize, files, ffree } = await statfs(folder)
  // Some file systems do not count blocks or files.
  const isFull = (blocks > 0 && bavail * bsize < LEAST_BYTES) || (files > 0 && ffree === 0)
  if (!isFull) return
  throw new StartupError(
    `The disk of ${folder} is full: make room (${LEAST_BYTES / 1_000_000} MB at least) and start again. ` +
      'Delete nothing in the data folder.',
  )
}
