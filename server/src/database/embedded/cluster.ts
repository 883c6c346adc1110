import { createHash, randomBytes } from 'node:crypto'
import { chown, link, mkdir, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf, exists, isExisting, makeFolder, reasonOf, syncFolder } from '../../base/files.ts'
import { writePrivateFile } from '../../base/secret-file.ts'
import { StartupError } from '../../base/startup-error.ts'
import { type Account, canEnter, findAccount, runProgram, runsAsRoot } from './account.ts'
import type { Binaries } from './binaries.ts'
import { lastMeaningfulLine } from './postgres-log.ts'
import { processState } from './processes.ts'

/** Used as root for files that PostgreSQL's account could not access in DATA_DIR. */
export const systemFolder = '/var/lib/bancone'

/** The location of the database files, existing or to be created, and their owner. */
export type ClusterLocation = {
  dataDir: string
  cluster: string
  exists: boolean
  /** Undefined: the account of this process. */
  account: Account | undefined
}

/** The file in DATA_DIR with the path of a database that is stored elsewhere. */
const locationFile = 'postgres-location'

/** Finds the database of a data folder, or chooses the location of a new one. */
export async function locateCluster(dataDir: string): Promise<ClusterLocation> {
  const elsewhere = await readLocation(dataDir)
  const cluster = elsewhere ?? join(dataDir, 'postgres')
  if (await isThere(cluster)) {
    return { dataDir, cluster, exists: true, account: await ownerOf(cluster) }
  }
  if (elsewhere) {
    throw new StartupError(
      `The database of ${dataDir} was kept in ${elsewhere}, which is gone: bring it back, or ` +
        `delete ${join(dataDir, locationFile)} to begin with an empty database.`,
    )
  }
  const account = runsAsRoot ? await findAccount() : undefined
  if (!account || (await canEnter(dataDir, account))) {
    return { dataDir, cluster, exists: false, account }
  }
  const clusters = join(systemFolder, 'clusters')
  // The random part lets a data folder that was emptied on purpose begin with a new database beside the old one.
  const name = `${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}-${randomBytes(4).toString('hex')}`
  return { dataDir, cluster: join(clusters, name), exists: false, account }
}

async function readLocation(dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, locationFile)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new StartupError(`Cannot read where the database is: ${reasonOf(error)}`)
  })
  if (text === undefined) return undefined
  if (text.trim().startsWith('/')) return text.trim()
  throw new StartupError(`The file ${file} does not name a folder: restore it from a back-up`)
}

async function isThere(cluster: string): Promise<boolean> {
  try {
    return await exists(cluster)
  } catch (error) {
    throw new StartupError(`Cannot look at the database in ${cluster}: ${reasonOf(error)}`)
  }
}

/** The owner of the files: PostgreSQL only runs as their owner. */
async function ownerOf(cluster: string): Promise<Account | undefined> {
  const { uid, gid } = await stat(cluster)
  if (process.platform === 'win32' || uid === process.getuid?.()) {
    if (!runsAsRoot) return undefined
    throw new StartupError(
      `The database in ${cluster} belongs to root, as whom PostgreSQL does not run`,
    )
  }
  if (!runsAsRoot) {
    throw new StartupError(
      `The database in ${cluster} belongs to another account (${uid}): ` +
        'start Bancone as that account or as root, or set DATA_DIR to another folder.',
    )
  }
  if (await canEnter(cluster, { uid, gid })) return { uid, gid }
  throw new StartupError(
    `The database in ${cluster} belongs to account ${uid}, which cannot reach that folder: ` +
      'let it pass through the folders above.',
  )
}

/** The name of the PostgreSQL role and of the database. */
export const databaseName = 'bancone'

/** On a slow disk; a database that is made without waiting for the disk takes a second. */
const INITDB_MS = 10 * 60_000

type FirstStart = { location: ClusterLocation; binaries: Binaries; password: string; sync: boolean }

/** Creates an empty cluster. If a concurrent start was faster, its cluster is used. */
export async function createCluster(start: FirstStart): Promise<void> {
  const { location, password } = start
  await placeCluster(location, async (folder) => {
    const passwordFile = `${folder}.password`
    try {
      await writePrivateFile(passwordFile, password)
      if (location.account) {
        await chown(passwordFile, location.account.uid, location.account.gid)
      }
      await initialise(folder, passwordFile, start)
    } finally {
      await rm(passwordFile, { force: true })
    }
  })
}

/**
 * Puts a cluster into its place. It is made under a temporary name and renamed, so that neither a crash nor a concurrent
 * first start leaves an incomplete one.
 *
 * @param fill writes the files into an empty folder that belongs to PostgreSQL's account
 * @throws StartupError
 */
export async function placeCluster(
  location: ClusterLocation,
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  const half = unfinishedCluster(location.cluster)
  const elsewhere = dirname(location.cluster) !== location.dataDir
  try {
    if (elsewhere) {
      await makeFolder(systemFolder, 0o755)
      await makeFolder(dirname(location.cluster), 0o711)
    }
    await mkdir(half, { mode: 0o700 })
    if (location.account) await chown(half, location.account.uid, location.account.gid)
    await fill(half)
    await rename(half, location.cluster).catch((error: unknown) => {
      // Windows reports EPERM when the other cluster exists.
      if (!isExisting(error) && process.platform !== 'win32') throw error
    })
    await syncFolder(dirname(location.cluster))
    if (elsewhere) await nameLocation(location)
  } catch (error) {
    // A system error has a code; the errors of `fill` are passed on.
    if (error instanceof StartupError || codeOf(error) === undefined) throw error
    throw new StartupError(`Cannot make the database in ${location.cluster}: ${reasonOf(error)}`)
  } finally {
    // A program that was interrupted may still write.
    await rm(half, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

/** The start that writes the location file first wins; the other start removes its unused cluster. */
async function nameLocation({ dataDir, cluster }: ClusterLocation): Promise<void> {
  const file = join(dataDir, locationFile)
  const half = `${file}.${randomBytes(6).toString('hex')}`
  await writePrivateFile(half, cluster)
  try {
    await link(half, file)
  } catch (error) {
    if (!isExisting(error)) throw error
    await rm(cluster, { recursive: true, force: true })
  } finally {
    await unlink(half)
  }
  await syncFolder(dataDir)
}

async function initialise(
  folder: string,
  passwordFile: string,
  { location, binaries, sync }: { location: ClusterLocation; binaries: Binaries; sync: boolean },
): Promise<void> {
  const run = (options: string[]) =>
    runProgram(binaries.initdb, options, { account: location.account, timeout: INITDB_MS })
  const args = [
    `--pgdata=${folder}`,
    `--username=${databaseName}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--data-checksums',
    '--no-instructions',
    '--encoding=UTF8',
    // PostgreSQL's builtin collation has the same order on every machine and in every version, so that an update of
    // system libraries cannot corrupt an index. Queries that need Italian order use `collate "it-x-icu"`.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    ...(sync ? [] : ['--no-sync']),
  ]
  // pg_trgm uses the system's character classes. 'C' has no accented letters, but not every system has C.UTF-8.
  let made = await run([...args, '--lc-ctype=C.UTF-8'])
  if (!made.ok && made.output.includes('invalid locale name')) made = await run(args)
  if (!made.ok)
    throw new StartupError(`Cannot make the database: ${lastMeaningfulLine(made.output)}`)
}

/** A new name under which this process creates a cluster. */
function unfinishedCluster(cluster: string): string {
  return `${cluster}.new-${process.pid}-${randomBytes(6).toString('hex')}`
}

/** Removes the clusters, and their password files, that processes were creating when they were killed. */
export async function removeUnfinishedClusters({ cluster }: ClusterLocation): Promise<void> {
  const folder = dirname(cluster)
  // Outside the data folder each creation has a random name after the one of the data folder.
  const prefix = basename(cluster).replace(/-[0-9a-f]{8}$/, '')
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(/\.new-(\d+)-[0-9a-f]{12}(?:\.password)?$/.exec(name)?.[1])
    if (!pid || !name.startsWith(prefix)) continue
    // This process has not begun: its own pid was that of one that ended, which is the rule in containers.
    if (pid !== process.pid && (await processState(pid)) === 'alive') continue
    // What another account or a program that still runs keeps is removed by a later start.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
  }
}
