import { access, chmod, constants, readdir, realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import { runsAsRoot } from './account.ts'
import { makeFolder, reasonOf } from './folders.ts'

/**
 * Makes DATA_DIR, or shows that it is there and takes files; answers its real path.
 *
 * Started as root the folder lets other accounts pass (not look), for PostgreSQL runs as another.
 */
export async function openDataFolder(dataDir: string): Promise<string> {
  const folder = resolve(dataDir)
  try {
    await makeFolder(folder, runsAsRoot ? 0o711 : 0o700)
    await access(folder, constants.W_OK | constants.X_OK)
    const real = await realpath(folder)
    // An empty folder made for us, by mktemp for one; what holds files keeps the mode it was given.
    if (runsAsRoot && (await readdir(real)).length === 0) await chmod(real, 0o711)
    return real
  } catch (error) {
    throw new StartupError(
      `Cannot write to the data folder ${folder} (${reasonOf(error)}). ` +
        'Let this account write to it, or set DATA_DIR to another folder.',
    )
  }
}
