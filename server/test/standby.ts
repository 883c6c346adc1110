import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { takeBaseBackup } from '../src/database/base-backup.ts'
import { runsAsRoot } from '../src/database/embedded/account.ts'
import { findBinaries } from '../src/database/embedded/binaries.ts'
import { launch } from '../src/database/embedded/launch.ts'
import { locateCluster, systemFolder } from '../src/database/embedded/location.ts'
import type { Postmaster } from '../src/database/embedded/postmaster.ts'
import { urlOf } from '../src/database/embedded/session.ts'
import { findPort } from '../src/database/embedded/settings.ts'
import { passwordFile } from '../src/database/embedded.ts'
import { placeRestored } from '../src/database/restored.ts'
import { readSecret } from '../src/secret-file.ts'
import { silentLog } from './silent-log.ts'

const untar = promisify(execFile)

export type Postgres = { port: number; url: string; postmaster: Postmaster }

/** Copies a running database into a new data folder, as a back-up does. */
export async function copyInto(dataDir: string, url: string): Promise<void> {
  const file = `${dataDir}.tar`
  const { manifest } = await takeBaseBackup(url, (archive) =>
    pipeline(archive, createWriteStream(file)),
  )
  await placeRestored({
    dataDir,
    password: decodeURIComponent(new URL(url).password),
    manifest,
    extract: async (folder) => void (await untar('tar', ['-xf', file, '-C', folder])),
  })
}

/** Starts PostgreSQL as an operator does: it is not started again when it ends. */
export async function startPostgres(
  dataDir: string,
  settings: Record<string, string>,
): Promise<Postgres> {
  const location = await locateCluster(dataDir)
  const binaries = await findBinaries(location.account, runsAsRoot ? systemFolder : dataDir)
  const password = (await readSecret(passwordFile(dataDir))) ?? ''
  const port = await findPort()
  const options = { location, binaries, password, settings, log: silentLog }
  const launched = await launch(options, { port })
  if ('failure' in launched) throw new Error(launched.failure.line)
  return { port, url: urlOf({ port, password }), postmaster: launched.postmaster }
}

/** A standby of a running database, in a new data folder. */
export async function startStandby(
  dataDir: string,
  primaryUrl: string,
  settings: Record<string, string> = {},
): Promise<Postgres> {
  await copyInto(dataDir, primaryUrl)
  const { cluster } = await locateCluster(dataDir)
  await rename(`${cluster}/recovery.signal`, `${cluster}/standby.signal`)
  return startPostgres(dataDir, { ...settings, primary_conninfo: primaryUrl })
}

/** Kills PostgreSQL with all its processes, as if the machine were lost. */
export function killAll({ postmaster }: Postgres): void {
  if (postmaster.pid && !postmaster.hasExited()) process.kill(-postmaster.pid, 'SIGKILL')
}
