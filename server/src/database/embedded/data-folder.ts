import { access, chmod, constants, readdir, realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import { runsAsRoot } from './account.ts'
import { makeFolder, reasonOf } from './folders.ts'

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
