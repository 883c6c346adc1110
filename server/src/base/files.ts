import { chmod, lstat, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder, and those above it, with exactly this mode, regardless of the umask. Existing folders are left unchanged.
 *
 * @param folder an absolute path
 */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  if (await exists(folder)) return
  await makeFolder(dirname(folder), mode)
  // One by one: in a place such as /proc the recursive mkdir of Node never ends.
  await mkdir(folder, { mode }).catch((error: unknown) => {
    if (!isExisting(error)) throw error
  })
  await chmod(folder, mode)
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
