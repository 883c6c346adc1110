import { createHash, randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import { type Account, canEnter, findAccount, runsAsRoot } from './account.ts'
import { codeOf, exists, reasonOf } from './folders.ts'

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
export const locationFile = 'postgres-location'

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
  const name = `${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}-${randomPart()}`
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

function randomPart(): string {
  return randomBytes(4).toString('hex')
}
