import { chmod, lstat, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Creates a folder with exactly this mode, regardless of the umask. An existing folder is left unchanged. */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode })
  if (!first) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) {
    await chmod(made, mode)
  }
}

/** Flushes a folder, so that renames and new files in it survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot sync folders.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Whether the path exists. Errors other than ENOENT are thrown: an inaccessible path is not absent. */
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

/** The system error code, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
