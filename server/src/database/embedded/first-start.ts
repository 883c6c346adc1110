import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync } from 'node:fs'
import { chown, link, mkdir, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writePrivateFile } from '../../secret-file.ts'
import { StartupError } from '../../startup-error.ts'
import { type Account, cleanEnvironment } from './account.ts'
import type { Binaries } from './binaries.ts'
import { codeOf, isExisting, makeFolder, reasonOf, syncFolder } from './folders.ts'
import { type ClusterLocation, locationFile, systemFolder } from './location.ts'
import { lastMeaningfulLine, logFile, openLog, readLogFrom } from './postgres-log.ts'
import { unfinishedCluster } from './unfinished-clusters.ts'

/** The name of the PostgreSQL role and of the database. */
export const databaseName = 'bancone'

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
  const start = await readLogFrom(location.dataDir)
  // pg_trgm uses the system's character classes. 'C' has no accented letters, but not every system has C.UTF-8.
  const withLetters = [...args, '--lc-ctype=C.UTF-8']
  if (await runInitdb(binaries, withLetters, location)) return
  if (
    /invalid locale name/.test(await start.text()) &&
    (await runInitdb(binaries, args, location))
  ) {
    return
  }
  const line = lastMeaningfulLine(await start.text())
  throw new StartupError(`Cannot make the database: ${line} (see ${logFile(location.dataDir)})`)
}

function runInitdb(
  binaries: Binaries,
  args: string[],
  location: ClusterLocation,
): Promise<boolean> {
  const log = openLog(location.dataDir)
  const child = spawn(binaries.initdb, args, spawnOptions(location.account, log))
  closeSync(log)
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => resolve(code === 0))
    child.once('error', (error) => {
      reject(new StartupError(`Cannot run ${binaries.initdb}: ${error.message}`))
    })
  })
}

function spawnOptions(account: Account | undefined, log: number) {
  const cwd = process.platform === 'win32' ? undefined : '/'
  const stdio: ['ignore', number, number] = ['ignore', log, log]
  return { ...account, cwd, env: cleanEnvironment(), stdio, windowsHide: true }
}
