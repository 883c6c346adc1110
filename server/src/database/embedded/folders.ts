import { chmod, lstat, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a folder of ours with exactly this mode, whatever the umask; one that exists stays as it is. */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode })
  if (!first) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) {
    await chmod(made, mode)
  }
}

/** After this a power cut cannot take back a rename or a new file in the folder. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows has no such thing for a folder.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Anything but "there is nothing by that name" is thrown: a folder we may not see is not absent. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

export function isExisting(error: unknown): boolean {
  return ['EEXIST', 'ENOTEMPTY'].includes(codeOf(error) ?? '')
}

/** The system's name of an error, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
