import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../../startup-error.ts'
import { type Decision, decide } from './decide.ts'
import { reasonOf } from './folders.ts'
import { gatherFacts } from './gather.ts'
import { type Failure, launch } from './launch.ts'
import { stopOrphan } from './orphan.ts'
import { type OwnerLock, takeOwnerLock } from './owner-lock.ts'
import { logFile, truncateLog } from './postgres-log.ts'
import { type ClusterConfig, type Postmaster, stopPostmaster } from './postmaster.ts'
import { isBusy } from './session.ts'
import { findPort } from './settings.ts'
import { inUseError, unsureError } from './startup-errors.ts'

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
