import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanEnvironment, run } from './account.ts'
import type { Binaries } from './binaries.ts'
import type { Place } from './location.ts'
import { readLockFile } from './lock-file.ts'
import type { Log } from './log.ts'
import { openLog } from './postgres-log.ts'
import { settingsArguments } from './settings.ts'

/** All that starting PostgreSQL takes and that stays the same while our server runs. */
export type Ground = {
  place: Place
  binaries: Binaries
  password: string
  settings: Record<string, string>
  log: Log
}

/** The PostgreSQL process that we started. */
export type Postmaster = {
  pid: number | undefined
  /** How it ended, when it has; it never rejects. */
  exited: Promise<string>
  hasExited(): boolean
  kill(signal: NodeJS.Signals): void
}

/**
 * Starts PostgreSQL in a session of its own: Ctrl-C in the terminal is for our server, which stops
 * PostgreSQL when its last request is answered.
 */
export function spawnPostmaster(ground: Ground, port: number, defunct?: number): Postmaster {
  const { place, binaries, settings } = ground
  const log = openLog(place.dataDir)
  const args = ['-D', place.cluster, ...settingsArguments(port, settings)]
  const env = cleanEnvironment()
  // Made for pg_ctl: PostgreSQL does not take this process for another server on its files.
  if (defunct) env['PG_GRANDPARENT_PID'] = String(defunct)
  const child = spawn(binaries.postgres, args, {
    ...place.account,
    cwd: place.cluster,
    env,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  let ended = false
  const exited = whenExited(child).then((how) => {
    ended = true
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

/** True when it serves, false when it ended instead. Recovery after a crash may take minutes. */
export async function untilReady(postmaster: Postmaster, { place, log }: Ground): Promise<boolean> {
  for (let waited = 0; !postmaster.hasExited(); waited++) {
    const file = await readLockFile(place.cluster)
    if (typeof file === 'object' && file.pid === postmaster.pid && file.ready) return true
    if (waited % 400 === 399) log.info({}, 'PostgreSQL is still starting')
    await Promise.race([postmaster.exited, sleep(25)])
  }
  return false
}

/** Stops PostgreSQL in order; what clients are doing is undone, what was acknowledged is on disk. */
export async function stopPostmaster(postmaster: Postmaster, ground: Ground): Promise<void> {
  if (postmaster.hasExited()) return
  await askToStop(postmaster.pid, ground)
  if (await endsWithin(postmaster, 30_000)) return
  ground.log.warn({}, 'PostgreSQL does not stop in order: stopping it at once')
  postmaster.kill('SIGQUIT')
  if (await endsWithin(postmaster, 10_000)) return
  ground.log.error({ pid: postmaster.pid }, 'PostgreSQL does not stop: left running')
}

/** Tells PostgreSQL to end its sessions and to stop; does not wait for it. */
export async function askToStop(pid: number | undefined, ground: Ground): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals: pg_ctl knows PostgreSQL's own way.
    const args = ['stop', '-D', ground.place.cluster, '-m', 'fast', '-W']
    await run(ground.binaries.pgCtl, args, { account: undefined })
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
