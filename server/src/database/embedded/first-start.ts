import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync } from 'node:fs'
import { chown, link, mkdir, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writePrivate } from '../../kept-secret.ts'
import { StartupError } from '../../startup-error.ts'
import { type Account, cleanEnvironment } from './account.ts'
import type { Binaries } from './binaries.ts'
import { isExisting, makeFolder, reasonOf, syncFolder } from './folders.ts'
import { locationFile, type Place, systemFolder } from './location.ts'
import { lastMeaningfulLine, logFile, openLog, readLogFrom } from './postgres-log.ts'

/** The name of the account inside PostgreSQL and of the database. */
export const databaseName = 'bancone'

type FirstStart = { place: Place; binaries: Binaries; password: string; sync: boolean }

/**
 * Makes the database's files under another name and then renames the whole, so that neither a
 * crash nor another first start at the same time leaves half of them. If the other was quicker,
 * its files are the database.
 */
export async function makeCluster({ place, binaries, password, sync }: FirstStart): Promise<void> {
  const half = `${place.cluster}.new-${randomBytes(6).toString('hex')}`
  const passwordFile = `${half}.password`
  const elsewhere = dirname(place.cluster) !== place.dataDir
  try {
    if (elsewhere) {
      await makeFolder(systemFolder, 0o755)
      await makeFolder(dirname(place.cluster), 0o711)
    }
    await mkdir(half, { mode: 0o700 })
    await writePrivate(passwordFile, password)
    if (place.account) {
      await chown(half, place.account.uid, place.account.gid)
      await chown(passwordFile, place.account.uid, place.account.gid)
    }
    await initialise(half, passwordFile, { place, binaries, sync })
    await rename(half, place.cluster).catch((error: unknown) => {
      // Windows says EPERM when the other's folder is there.
      if (!isExisting(error) && process.platform !== 'win32') throw error
    })
    await syncFolder(dirname(place.cluster))
    if (elsewhere) await nameLocation(place)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`Cannot make the database in ${place.cluster}: ${reasonOf(error)}`)
  } finally {
    await rm(half, { recursive: true, force: true })
    await rm(passwordFile, { force: true })
  }
}

/** Whoever writes the file first has made the database; the other's files, never used, go. */
async function nameLocation({ dataDir, cluster }: Place): Promise<void> {
  const file = join(dataDir, locationFile)
  const half = `${file}.${randomBytes(6).toString('hex')}`
  await writePrivate(half, cluster)
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
  { place, binaries, sync }: { place: Place; binaries: Binaries; sync: boolean },
): Promise<void> {
  const args = [
    `--pgdata=${folder}`,
    `--username=${databaseName}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--data-checksums',
    '--no-instructions',
    '--encoding=UTF8',
    // PostgreSQL's own collation: the same order on every machine and in every version, so that no
    // update of a system's libraries can spoil an index. Italian order is asked for where it
    // matters: `collate "it-x-icu"`.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    ...(sync ? [] : ['--no-sync']),
  ]
  const start = await readLogFrom(place.dataDir)
  // pg_trgm asks the system what a letter is, and 'C' knows no accents; not all systems have more.
  const withLetters = [...args, '--lc-ctype=C.UTF-8']
  if (await runInitdb(binaries, withLetters, place)) return
  if (/invalid locale name/.test(await start.text()) && (await runInitdb(binaries, args, place))) {
    return
  }
  const line = lastMeaningfulLine(await start.text())
  throw new StartupError(`Cannot make the database: ${line} (see ${logFile(place.dataDir)})`)
}

function runInitdb(binaries: Binaries, args: string[], place: Place): Promise<boolean> {
  const log = openLog(place.dataDir)
  const child = spawn(binaries.initdb, args, spawnOptions(place.account, log))
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
