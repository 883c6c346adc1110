import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../startup-error.ts'
import { codeOf, reasonOf } from './folders.ts'
import { type OwnerLock, takeOwnerLock } from './owner-lock.ts'
import { type ClusterConfig, requestStop } from './postmaster.ts'
import { processState } from './process-facts.ts'
import { inUseError } from './startup-errors.ts'

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
export async function stopOrphan(
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
