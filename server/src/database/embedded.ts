import { readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { keptSecret, readSecret } from '../kept-secret.ts'
import { StartupError } from '../startup-error.ts'
import { runsAsRoot } from './embedded/account.ts'
import { type Binaries, findBinaries } from './embedded/binaries.ts'
import { claim } from './embedded/claim.ts'
import { openDataFolder } from './embedded/data-folder.ts'
import { makeCluster } from './embedded/first-start.ts'
import { findServed } from './embedded/join.ts'
import { findPlace, type Place, systemFolder } from './embedded/location.ts'
import type { Log } from './embedded/log.ts'
import { makeDatabase, urlOf } from './embedded/session.ts'
import { supervise } from './embedded/supervisor.ts'

export type EmbeddedOptions = {
  /** Made when it is missing. Everything of the database is in it or named in it. */
  dataDir: string
  log: Log
  /** Called once when PostgreSQL died and does not stay up; requests have no database from then. */
  onLost(error: Error): void
  /** Settings of PostgreSQL over our own, such as `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>
}

export type EmbeddedDatabase = {
  /** Stays the same until `stop`, also when PostgreSQL had to be started again. */
  url: string
  /** Stops PostgreSQL in order; again and again does no harm. */
  stop(): Promise<void>
}

/**
 * Runs the PostgreSQL that comes with us, on the files in `dataDir`, and looks after it. Only one
 * server at a time uses a data folder; what a killed one left behind is put in order first.
 *
 * @throws StartupError when PostgreSQL cannot run here, or when it cannot be known to be safe
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { log, settings = {} } = options
  const dataDir = await openDataFolder(options.dataDir)
  let place = await findPlace(dataDir)
  const binaries = await findBinaries(place.account, runsAsRoot ? systemFolder : dataDir)
  if (!place.exists) {
    const password = await keptSecret(passwordFile(dataDir))
    await makeCluster({ place, binaries, password, sync: settings['fsync'] !== 'off' })
    // Ours, or that of another first start that was quicker.
    place = await findPlace(dataDir)
  }
  await checkVersion(place, binaries)
  const password = await readSecret(passwordFile(dataDir))
  if (!password) {
    throw new StartupError(
      `The password of the database is missing: restore ${passwordFile(dataDir)} from a back-up.`,
    )
  }
  const ground = { place, binaries, password, settings, log }
  const claimed = await claim(ground)
  const access = { port: claimed.port, password }
  const supervisor = supervise(ground, claimed, (error) => options.onLost(error))
  try {
    await makeDatabase(access)
  } catch (error) {
    await supervisor.stop()
    throw error
  }
  log.info({ dataDir, port: claimed.port }, 'the embedded PostgreSQL serves')
  return { url: urlOf(access), stop: () => supervisor.stop() }
}

/**
 * The address of the embedded database of a server that lives, for a command that runs beside it;
 * undefined when there is none, or only what a killed server left: then `startEmbedded` is right.
 *
 * @throws StartupError when the data folder's database cannot be looked at
 */
export async function joinEmbedded(dataDir: string): Promise<string | undefined> {
  const folder = await realpath(resolve(dataDir)).catch(() => undefined)
  if (!folder) return undefined
  const place = await findPlace(folder)
  const password = await readSecret(passwordFile(folder))
  return place.exists && password ? findServed(place.cluster, password) : undefined
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres-password')
}

async function checkVersion({ cluster, dataDir }: Place, { major }: Binaries): Promise<void> {
  const text = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (text === undefined) {
    throw new StartupError(
      `${cluster} is not a database of PostgreSQL (it has no readable PG_VERSION): ` +
        'restore it from a back-up, or set DATA_DIR to a new folder.',
    )
  }
  if (text.trim() === major) return
  throw new StartupError(
    `The database in ${dataDir} was made by PostgreSQL ${text.trim()} and this version brings ` +
      `${major}: dump and restore it, see docs/operations.md, or set DATA_DIR to a new folder.`,
  )
}
