import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { settledWithin } from '../../base/settled-within.ts'
import type { Log } from '../../ports/log.ts'
import { cleanEnvironment, runProgram } from './account.ts'
import type { Binaries } from './binaries.ts'
import type { ClusterLocation } from './cluster.ts'
import { readLockFile } from './lock-file.ts'
import { lastMeaningfulLine, openLog, readLogFrom } from './postgres-log.ts'
import { recordProcess, removeRecord } from './processes.ts'

/** PostgreSQL settings as command-line arguments, which override the cluster's configuration files. */
export function settingsArguments(port: number, own: Record<string, string>): string[] {
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '60',
    shared_buffers: '128MB',
    fsync: 'on',
    // Committed transactions survive a power failure.
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    // Statements, their values and error details may contain health data.
    log_statement: 'none',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    ...own,
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * A free loopback port below the ephemeral range, so that no outgoing connection takes the port while PostgreSQL
 * restarts.
 */
export async function findPort(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    if (await canListen(port)) return port
  }
  throw new Error('no free port between 15000 and 29999')
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}

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
function spawnPostmaster(config: ClusterConfig, port: number, taken?: number): Postmaster {
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
async function waitUntilReady(
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
  await settledWithin(postmaster.exited, milliseconds)
  return postmaster.hasExited()
}

/** PostgreSQL exited before it was ready. `line` is the log line with the reason. */
export type Failure = { cause: 'in-use' | 'port' | 'other'; line: string }

type Launched = { postmaster: Postmaster } | { failure: Failure }

type Attempt = {
  port: number
  /** The pid in a stale lock file, if a process has it. */
  taken?: number | undefined
  signal?: AbortSignal
  /** Called at once, so that PostgreSQL can be stopped before it is ready. */
  onSpawn?: (postmaster: Postmaster) => void
}

const LINGERING_MS = 20_000

/**
 * Starts PostgreSQL and waits until it is ready. Child processes of a killed PostgreSQL may hold its shared memory for a
 * short time; the start is retried until they have ended.
 */
export async function launch(config: ClusterConfig, attempt: Attempt): Promise<Launched> {
  const deadline = Date.now() + LINGERING_MS
  for (;;) {
    const { dataDir } = config.location
    const added = await readLogFrom(dataDir)
    if (attempt.signal?.aborted) return { failure: { cause: 'other', line: 'stopped' } }
    const postmaster = spawnPostmaster(config, attempt.port, attempt.taken)
    attempt.onSpawn?.(postmaster)
    if (await waitUntilReady(postmaster, config)) return { postmaster }
    const how = await postmaster.exited
    const text = await added.text()
    const line = text ? lastMeaningfulLine(text, postmaster.pid) : how
    const lingers = /pre-existing shared memory block/.test(line)
    if (!lingers || Date.now() > deadline) return { failure: { cause: causeOf(line), line } }
    await sleep(200)
  }
}

function causeOf(line: string): Failure['cause'] {
  if (/lock file .* (already exists|is empty)|pre-existing shared memory/.test(line))
    return 'in-use'
  if (/could not (bind|create any TCP\/IP sockets)|Address already in use/.test(line)) return 'port'
  return 'other'
}
