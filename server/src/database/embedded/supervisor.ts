import { setTimeout as sleep } from 'node:timers/promises'
import type { Claimed } from './claim.ts'
import { launch } from './launch.ts'
import { type OwnerLock, takeOwnerLock } from './owner-lock.ts'
import { logFile } from './postgres-log.ts'
import { type Ground, type Postmaster, stopPostmaster } from './postmaster.ts'

const RESTARTS = 5
const WITHIN_MS = 60_000

/**
 * Looks after a running PostgreSQL until `stop`: starts it again on the same port when it dies and
 * takes the lock again. Gives up, once and for good, when it does not stay up.
 */
export function supervise(
  ground: Ground,
  claimed: Claimed,
  onLost: (error: Error) => void,
): { stop(): Promise<void> } {
  const { port } = claimed
  const stopping = new AbortController()
  let postmaster: Postmaster = claimed.postmaster
  let lock: OwnerLock | undefined = claimed.lock
  let restarts: number[] = []

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await Promise.race([postmaster.exited, lock?.lost])
      if (stopping.signal.aborted) return
      if (postmaster.hasExited()) {
        ground.log.error({ how: await postmaster.exited }, 'PostgreSQL ended: starting it again')
        if (!(await restart())) return
      }
      lock = await takeLockAgain()
    }
  }

  /** False when it is time to stop, or to give up. */
  async function restart(): Promise<boolean> {
    let reason = await postmaster.exited
    while (!stopping.signal.aborted) {
      restarts = [...restarts.filter((time) => time > Date.now() - WITHIN_MS), Date.now()]
      if (restarts.length > RESTARTS) {
        const where = logFile(ground.place.dataDir)
        onLost(new Error(`PostgreSQL does not stay up: ${reason} (see ${where})`))
        return false
      }
      await pause(200 * (2 ** (restarts.length - 1) - 1))
      const launched = await launch(ground, {
        port,
        signal: stopping.signal,
        onSpawn: (spawned) => {
          postmaster = spawned
        },
      })
      if ('postmaster' in launched) {
        ground.log.info({ pid: postmaster.pid }, 'PostgreSQL serves again')
        return true
      }
      reason = launched.failure.line
      if (!stopping.signal.aborted) ground.log.error({ reason }, 'PostgreSQL did not start')
    }
    return false
  }

  /** The lock goes with its connection, also when PostgreSQL recovers from the death of a part. */
  async function takeLockAgain(): Promise<OwnerLock | undefined> {
    while (!stopping.signal.aborted && !postmaster.hasExited()) {
      const taken = await takeOwnerLock({ port, password: ground.password }).catch(() => undefined)
      if (taken) return taken
      await pause(100)
    }
    return undefined
  }

  async function pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => {})
  }

  const watching = watch()
  let stopped: Promise<void> | undefined
  async function stopAll(): Promise<void> {
    stopping.abort()
    await stopPostmaster(postmaster, ground)
    await watching
    await stopPostmaster(postmaster, ground)
    await lock?.release()
  }
  return {
    stop: () => {
      stopped ??= stopAll()
      return stopped
    },
  }
}
