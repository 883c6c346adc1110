import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanEnvironment, runProgram } from './account.ts'
import type { Binaries } from './binaries.ts'
import type { ClusterLocation } from './location.ts'
import { readLockFile } from './lock-file.ts'
import type { Log } from './log.ts'
import { openLog } from './postgres-log.ts'
import { recordProcess, removeRecord } from './process-record.ts'
import { settingsArguments } from './settings.ts'

/** The parameters for starting PostgreSQL, which are constant while the server runs. */
export type ClusterConfig = {
  location: ClusterLocation
  binaries: Binaries
  password: string
  settings: Record<string, string>
  log: Log
}

/** A PostgreSQL process started by this server. */
export type Postmaster = {
  pid: number | undefined
  /** Resolves with the exit code or signal when the process has ended; never rejects. */
  exited: Promise<string>
  hasExited(): boolean
  kill(signal: NodeJS.Signals): void
}

/**
 * Starts PostgreSQL in its own session, so that Ctrl-C in the terminal reaches only this server, which stops PostgreSQL
 * after the last request.
 */
export function spawnPostmaster(config: ClusterConfig, port: number, taken?: number): Postmaster {
  const { location, binaries, settings } = config
  const log = openLog(location.dataDir)
  const args = ['-D', location.cluster, ...settingsArguments(port, settings)]
  const env = cleanEnvironment()
  // Intended for pg_ctl: PostgreSQL does not mistake the process with this pid for another server on its files.
  if (taken) env['PG_GRANDPARENT_PID'] = String(taken)
  removeRecord(location.dataDir)
  const child = spawn(binaries.postgres, args, {
    ...location.account,
    cwd: location.cluster,
    env,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  const stopBeating = recordProcess(location.dataDir, child.pid)
  let ended = false
  const exited = whenExited(child).then((how) => {
    ended = true
    stopBeating()
    return how
  })
  return { pid: child.pid, exited, hasExited: () => ended, kill: (signal) => child.kill(signal) }
}

function whenExited(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `code ${code}`))
  })
}

/** Resolves with true when PostgreSQL is ready, with false when it has exited. Crash recovery may take minutes. */
export async function waitUntilReady(
  postmaster: Postmaster,
  { location, log }: ClusterConfig,
): Promise<boolean> {
  for (let waited = 0; !postmaster.hasExited(); waited++) {
    const file = await readLockFile(location.cluster)
    if (typeof file === 'object' && file.pid === postmaster.pid && file.ready) return true
    if (waited % 400 === 399) log.info({}, 'PostgreSQL is still starting')
    await Promise.race([postmaster.exited, sleep(25)])
  }
  return false
}

/** Shuts PostgreSQL down in fast mode: open transactions are rolled back, committed ones are on disk. */
export async function stopPostmaster(postmaster: Postmaster, config: ClusterConfig): Promise<void> {
  if (postmaster.hasExited()) return
  await requestStop(postmaster.pid, config)
  if (await endsWithin(postmaster, 30_000)) return
  config.log.warn({}, 'PostgreSQL does not stop in order: stopping it at once')
  postmaster.kill('SIGQUIT')
  if (await endsWithin(postmaster, 10_000)) return
  config.log.error({ pid: postmaster.pid }, 'PostgreSQL does not stop: left running')
}

/** Requests a fast shutdown without waiting for it. */
export async function requestStop(pid: number | undefined, config: ClusterConfig): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals; pg_ctl emulates them.
    const args = ['stop', '-D', config.location.cluster, '-m', 'fast', '-W']
    await runProgram(config.binaries.pgCtl, args, { account: undefined })
  } else if (pid) process.kill(pid, 'SIGINT')
}

async function endsWithin(postmaster: Postmaster, milliseconds: number): Promise<boolean> {
  const timer = new AbortController()
  await Promise.race([
    postmaster.exited,
    sleep(milliseconds, undefined, { signal: timer.signal }).catch(() => {}),
  ])
  timer.abort()
  return postmaster.hasExited()
}
