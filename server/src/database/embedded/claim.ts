import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../../startup-error.ts'
import { type Decision, decide } from './decide.ts'
import { reasonOf } from './folders.ts'
import { gatherFacts } from './gather.ts'
import { type Failure, launch } from './launch.ts'
import { stopOrphan } from './orphan.ts'
import { type OwnerLock, takeOwnerLock } from './owner-lock.ts'
import { logFile, shortenLog } from './postgres-log.ts'
import { type Ground, type Postmaster, stopPostmaster } from './postmaster.ts'
import { inUse, unsure } from './refusals.ts'
import { isBusy } from './session.ts'
import { findPort } from './settings.ts'

/** A PostgreSQL that we started and that no other server takes for abandoned. */
export type Claimed = { postmaster: Postmaster; lock: OwnerLock; port: number }

const TRIES = 10

/**
 * Starts PostgreSQL on files that may be in use: waits for one that is stopping, stops one whose
 * server was killed, and refuses when another server lives or when it cannot be known.
 */
export async function claim(ground: Ground): Promise<Claimed> {
  let failure: Failure | undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const decision = await untilDecided(ground)
    if (decision.kind === 'running') {
      await stopOrphan(ground, decision)
      continue
    }
    shortenLog(ground.place.dataDir)
    const port = await findPort()
    const defunct = decision.kind === 'stale' && decision.defunct ? decision.pid : undefined
    const launched = await launch(ground, { port, defunct })
    const owned = 'postmaster' in launched ? await own(ground, launched.postmaster, port) : launched
    if ('lock' in owned) return { ...owned, port }
    failure = owned.failure
    // Another start, or another program at the port, was quicker: look again.
    if (failure.cause === 'other') break
    await sleep(200)
  }
  const why = failure?.line ?? 'other servers start on its files all the time'
  const where = logFile(ground.place.dataDir)
  throw new StartupError(`PostgreSQL does not start: ${why} (see ${where})`)
}

type Settled = Extract<Decision, { kind: 'absent' | 'stale' | 'running' }>

async function untilDecided({ place, password }: Ground): Promise<Settled> {
  const since = new Map<string, number>()
  for (;;) {
    const decision = decide(await gatherFacts(place.cluster, password))
    if (decision.kind === 'unsure') throw unsure(place, decision.why)
    if (decision.kind !== 'wait') return decision
    const begun = since.get(decision.why) ?? Date.now()
    since.set(decision.why, begun)
    if (Date.now() - begun > decision.seconds * 1000) throw unsure(place, decision.why)
    await sleep(100)
  }
}

type Owned = Omit<Claimed, 'port'> | { failure: Failure }

async function own(ground: Ground, postmaster: Postmaster, port: number): Promise<Owned> {
  try {
    const lock = await takeOwnerLock({ port, password: ground.password })
    if (lock) return { postmaster, lock }
  } catch (error) {
    await stopPostmaster(postmaster, ground)
    const refused = error instanceof pg.DatabaseError && !isBusy(error)
    return { failure: { cause: refused ? 'other' : 'in-use', line: reasonOf(error) } }
  }
  // Another server saw ours before we held the lock; it stops it and starts its own.
  throw inUse(ground.place)
}
