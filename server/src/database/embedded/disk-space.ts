import { statfs } from 'node:fs/promises'
import { StartupError } from '../../startup-error.ts'

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
