import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedCluster } from './claim.ts'
import { type OwnerLock, takeOwnerLock } from './database-session.ts'
import { logFile } from './postgres-log.ts'
import { type ClusterConfig, launch, type Postmaster, stopPostmaster } from './postmaster.ts'

const RESTARTS = 5
const WITHIN_MS = 60_000

/**
 * Supervises a running PostgreSQL until `stop`: restarts it on the same port when it exits, and takes the owner lock
 * again. Calls `onLost` once and gives up when it keeps crashing.
 */
export function supervise(
  config: ClusterConfig,
  claimed: ClaimedCluster,
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
        config.log.error({ how: await postmaster.exited }, 'PostgreSQL ended: starting it again')
        if (!(await restart())) return
      }
      lock = await takeLockAgain()
    }
  }

  /** Resolves with false when the supervision stops or gives up. */
  async function restart(): Promise<boolean> {
    let reason = await postmaster.exited
    while (!stopping.signal.aborted) {
      restarts = [...restarts.filter((time) => time > Date.now() - WITHIN_MS), Date.now()]
      if (restarts.length > RESTARTS) {
        const where = logFile(config.location.dataDir)
        onLost(new Error(`PostgreSQL does not stay up: ${reason} (see ${where})`))
        return false
      }
      await pause(200 * (2 ** (restarts.length - 1) - 1))
      const launched = await launch(config, {
        port,
        signal: stopping.signal,
        onSpawn: (spawned) => {
          postmaster = spawned
        },
      })
      if ('postmaster' in launched) {
        config.log.info({ pid: postmaster.pid }, 'PostgreSQL serves again')
        return true
      }
      reason = launched.failure.line
      if (!stopping.signal.aborted) config.log.error({ reason }, 'PostgreSQL did not start')
    }
    return false
  }

  /** The lock is lost with its connection, also when PostgreSQL restarts its backends after a crash. */
  async function takeLockAgain(): Promise<OwnerLock | undefined> {
    while (!stopping.signal.aborted && !postmaster.hasExited()) {
      const taken = await takeOwnerLock({ port, password: config.password }).catch(() => undefined)
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
    await stopPostmaster(postmaster, config)
    await watching
    await stopPostmaster(postmaster, config)
    await lock?.release()
  }
  return {
    stop: () => {
      stopped ??= stopAll()
      return stopped
    },
  }
}
