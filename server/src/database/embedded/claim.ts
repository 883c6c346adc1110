import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { codeOf, reasonOf } from '../../base/files.ts'
import { StartupError } from '../../base/startup-error.ts'
import type { ClusterLocation } from './cluster.ts'
import {
  isBusy,
  isOwnerLockHeld,
  type OwnerLock,
  takeOwnerLock,
  urlOf,
} from './database-session.ts'
import { type Decision, decide } from './decide.ts'
import { gatherFacts, lockFilePath } from './lock-file.ts'
import { logFile, truncateLog } from './postgres-log.ts'
import {
  type ClusterConfig,
  type Failure,
  findPort,
  launch,
  type Postmaster,
  requestStop,
  stopPostmaster,
} from './postmaster.ts'
import { processState } from './processes.ts'

/** A running PostgreSQL, with the lock that marks it as owned by this server. */
export type ClaimedCluster = { postmaster: Postmaster; lock: OwnerLock; port: number }

const TRIES = 10

/**
 * Starts PostgreSQL on files that may be in use. Waits for a PostgreSQL that is stopping, stops one whose server was
 * killed, and fails when another server is running or when its state is unclear.
 */
export async function claimCluster(config: ClusterConfig): Promise<ClaimedCluster> {
  let failure: Failure | undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const decision = await untilDecided(config)
    if (decision.kind === 'running') {
      await stopOrphan(config, decision)
      continue
    }
    truncateLog(config.location.dataDir)
    const port = await findPort()
    const taken = decision.kind === 'stale' && decision.taken ? decision.pid : undefined
    const launched = await launch(config, { port, taken })
    const owned = 'postmaster' in launched ? await own(config, launched.postmaster, port) : launched
    if ('lock' in owned) return { ...owned, port }
    failure = owned.failure
    // A concurrent start, or another program on the port, was faster: gather the facts again.
    if (failure.cause === 'other') break
    await sleep(200)
  }
  const why = failure?.line ?? 'other servers start on its files all the time'
  const where = logFile(config.location.dataDir)
  throw new StartupError(`PostgreSQL does not start: ${why} (see ${where})`)
}

type Settled = Extract<Decision, { kind: 'absent' | 'stale' | 'running' }>

async function untilDecided({ location, password }: ClusterConfig): Promise<Settled> {
  const since = new Map<string, number>()
  for (;;) {
    const decision = decide(await gatherFacts(location, password))
    if (decision.kind === 'unsure') throw unsureError(location, decision.why)
    if (decision.kind !== 'wait') return decision
    const begun = since.get(decision.why) ?? Date.now()
    since.set(decision.why, begun)
    if (Date.now() - begun > decision.seconds * 1000) {
      throw decision.inUse ? inUseError(location) : unsureError(location, decision.why)
    }
    await sleep(100)
  }
}

type Owned = Omit<ClaimedCluster, 'port'> | { failure: Failure }

async function own(config: ClusterConfig, postmaster: Postmaster, port: number): Promise<Owned> {
  try {
    const lock = await takeOwnerLock({ port, password: config.password })
    if (lock) return { postmaster, lock }
  } catch (error) {
    await stopPostmaster(postmaster, config)
    const refused = error instanceof pg.DatabaseError && !isBusy(error)
    return { failure: { cause: refused ? 'other' : 'in-use', line: reasonOf(error) } }
  }
  // Another server found this PostgreSQL before the lock was taken; it stops it and starts its own.
  throw inUseError(config.location)
}

/** Milliseconds between two checks: a running server has taken its lock by the second one. */
const SECOND_LOOK_MS = 300
const HELD_FOR_MS = 1_500
const STOPS_WITHIN_MS = 60_000

/**
 * Stops a running PostgreSQL on these files if its server is dead, so that the owner lock is free. Returns as well if
 * PostgreSQL stops by itself in the meantime. The caller gathers the facts again.
 *
 * @throws StartupError when its server is running
 */
async function stopOrphan(
  config: ClusterConfig,
  found: { pid: number; port: number },
): Promise<void> {
  const connection = { port: found.port, password: config.password }
  const deadline = Date.now() + HELD_FOR_MS
  let freeBefore = false
  for (;;) {
    const lock = await takeOwnerLock(connection).catch((error: unknown) => {
      config.log.info({ reason: reasonOf(error) }, 'the PostgreSQL that ran is going away')
      return 'gone' as const
    })
    if (lock === 'gone') return
    if (lock && freeBefore) {
      await stopInOrder(config, found.pid, lock)
      return
    }
    freeBefore = lock !== undefined
    await lock?.release()
    if (!lock && Date.now() > deadline) throw inUseError(config.location)
    await sleep(SECOND_LOOK_MS)
  }
}

/** Safe because this process holds the owner lock, so no other server uses this PostgreSQL. */
async function stopInOrder(config: ClusterConfig, pid: number, lock: OwnerLock): Promise<void> {
  config.log.warn({ pid }, 'stopping the PostgreSQL of a server that was killed')
  try {
    await requestStop(pid, config)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') {
      throw new StartupError(`Cannot stop PostgreSQL (process ${pid}): ${reasonOf(error)}`)
    }
  }
  const deadline = Date.now() + STOPS_WITHIN_MS
  while ((await processState(pid)) === 'alive') {
    if (Date.now() > deadline) {
      throw new StartupError(
        `The PostgreSQL of a killed server (process ${pid}) does not stop: ` +
          `stop it with 'kill -INT ${pid}' and start again.`,
      )
    }
    await sleep(50)
  }
  await lock.release()
}

/** Another running server uses the data folder. */
function inUseError({ dataDir }: ClusterLocation): StartupError {
  return new StartupError(
    `Another Bancone server is already using ${dataDir}. ` +
      'Stop it, or set DATA_DIR to another folder.',
  )
}

/** An operator must decide. `why` completes "the file …". */
function unsureError({ cluster }: ClusterLocation, why: string): StartupError {
  const file = lockFilePath(cluster)
  return new StartupError(
    `Cannot tell whether PostgreSQL already runs on ${cluster}: the file ${file} ${why}. ` +
      'If no PostgreSQL uses this folder, also not from another machine or container, ' +
      'delete that file and start again.',
  )
}

const PATIENCE_MS = 10_000
/** A server that is starting takes its lock shortly after PostgreSQL responds. */
const UNOWNED_LOOKS = 10

/** The URL of the database on these files, if a running server owns it. */
export async function findRunningDatabase(
  location: ClusterLocation,
  password: string,
): Promise<string | undefined> {
  const deadline = Date.now() + PATIENCE_MS
  let unowned = 0
  while (Date.now() < deadline && unowned < UNOWNED_LOOKS) {
    const decision = decide(await gatherFacts(location, password))
    if (decision.kind === 'running') {
      const connection = { port: decision.port, password }
      // PostgreSQL may stop between the two checks.
      if (await isOwnerLockHeld(connection).catch(() => false)) return urlOf(connection)
      unowned++
    } else if (decision.kind !== 'wait') return undefined
    await sleep(100)
  }
  return undefined
}
