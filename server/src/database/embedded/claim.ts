import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../startup-error.ts'
import { decide } from './decide.ts'
import { codeOf, reasonOf } from './folders.ts'
import { gatherFacts } from './gather.ts'
import { launch } from './launch.ts'
import { lockFilePath } from './lock-file.ts'
import { type OwnerLock, takeOwnerLock } from './owner-lock.ts'
import { logFile } from './postgres-log.ts'
import type { Ground, Postmaster } from './postmaster.ts'
import { processState } from './process-facts.ts'
import { isBusy } from './session.ts'
import { findPort } from './settings.ts'

/** A PostgreSQL that we started and that no other server takes for abandoned. */
export type Claimed = { postmaster: Postmaster; lock: OwnerLock; port: number }

/**
 * Starts PostgreSQL on files that may be in use: waits for one that is stopping, stops one whose
 * server was killed, and refuses when another server lives or when it cannot be known.
 */
export async function claim(ground: Ground): Promise<Claimed> {
  const { cluster } = ground.place
  let waiting: { why: string; since: number } | undefined
  let portFailures = 0
  let surprises = 0
  for (;;) {
    const decision = decide(await gatherFacts(cluster, ground.password))
    if (decision.kind === 'unsure') throw unsure(ground, decision.why)
    if (decision.kind === 'wait') {
      if (waiting?.why !== decision.why) waiting = { why: decision.why, since: Date.now() }
      if (Date.now() - waiting.since > decision.seconds * 1000) throw unsure(ground, decision.why)
      await sleep(100)
      continue
    }
    if (decision.kind === 'running') {
      await stopOrphan(ground, decision)
      continue
    }
    const port = await findPort()
    const defunct = decision.kind === 'stale' && decision.defunct ? decision.pid : undefined
    const launched = await launch(ground, { port, defunct })
    if ('postmaster' in launched) {
      const { postmaster } = launched
      const lock = await takeOwnerLock({ port, password: ground.password }).catch(() => undefined)
      if (lock) return { postmaster, lock, port }
      // Another server saw ours before we held the lock, and is replacing it.
      throw inUse(ground)
    }
    const { cause, line } = launched.failure
    if (cause === 'port' && ++portFailures < 5) continue
    // Another start was quicker; look again who it is.
    if (cause === 'in-use' && ++surprises < 10) {
      await sleep(200)
      continue
    }
    throw new StartupError(
      `PostgreSQL does not start: ${line} (see ${logFile(ground.place.dataDir)})`,
    )
  }
}

/** Two looks so far apart: a server that lives has taken its lock by the second. */
const SECOND_LOOK_MS = 300
const HELD_FOR_MS = 1_500
const ORPHAN_STOPS_WITHIN_MS = 60_000

async function stopOrphan(ground: Ground, found: { pid: number; port: number }): Promise<void> {
  const access = { port: found.port, password: ground.password }
  const deadline = Date.now() + HELD_FOR_MS
  let freeBefore = false
  for (;;) {
    try {
      const lock = await takeOwnerLock(access)
      if (lock && freeBefore) return await stopInOrder(ground, found.pid, lock)
      freeBefore = lock !== undefined
      await lock?.release()
      if (!lock && Date.now() > deadline) throw inUse(ground)
    } catch (error) {
      if (error instanceof StartupError) throw error
      // It is going, or gone: the caller looks again.
      if (!isBusy(error)) ground.log.info({ reason: reasonOf(error) }, 'PostgreSQL went away')
      return
    }
    await sleep(SECOND_LOOK_MS)
  }
}

/** We hold the lock, so its server is dead; its connections went with it. */
async function stopInOrder(ground: Ground, pid: number, lock: OwnerLock): Promise<void> {
  ground.log.warn({ pid }, 'stopping the PostgreSQL of a server that was killed')
  try {
    process.kill(pid, 'SIGINT')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') {
      throw new StartupError(`Cannot stop PostgreSQL (process ${pid}): ${reasonOf(error)}`)
    }
  }
  const deadline = Date.now() + ORPHAN_STOPS_WITHIN_MS
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

function inUse({ place }: Ground): StartupError {
  return new StartupError(
    `Another Bancone server is already using ${place.dataDir}. ` +
      'Stop it, or set DATA_DIR to another folder.',
  )
}

function unsure({ place }: Ground, why: string): StartupError {
  const file = lockFilePath(place.cluster)
  return new StartupError(
    `Cannot tell whether PostgreSQL already runs on ${place.cluster}: the file ${file} ${why}. ` +
      'If no PostgreSQL uses this folder, also not from another machine or container, ' +
      'delete that file and start again.',
  )
}
