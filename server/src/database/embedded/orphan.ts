import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../startup-error.ts'
import { codeOf, reasonOf } from './folders.ts'
import { type OwnerLock, takeOwnerLock } from './owner-lock.ts'
import { askToStop, type Ground } from './postmaster.ts'
import { processState } from './process-facts.ts'
import { inUse } from './refusals.ts'

/** Two looks so far apart: a server that lives has taken its lock by the second. */
const SECOND_LOOK_MS = 300
const HELD_FOR_MS = 1_500
const STOPS_WITHIN_MS = 60_000

/**
 * Stops a PostgreSQL that answers as ours, if the server that started it is dead: then nobody holds
 * its lock. When it goes by itself meanwhile this returns, too; the caller looks again.
 *
 * @throws StartupError when its server lives
 */
export async function stopOrphan(
  ground: Ground,
  found: { pid: number; port: number },
): Promise<void> {
  const access = { port: found.port, password: ground.password }
  const deadline = Date.now() + HELD_FOR_MS
  let freeBefore = false
  for (;;) {
    const lock = await takeOwnerLock(access).catch((error: unknown) => {
      ground.log.info({ reason: reasonOf(error) }, 'the PostgreSQL that ran is going away')
      return 'gone' as const
    })
    if (lock === 'gone') return
    if (lock && freeBefore) {
      await stopInOrder(ground, found.pid, lock)
      return
    }
    freeBefore = lock !== undefined
    await lock?.release()
    if (!lock && Date.now() > deadline) throw inUse(ground.place)
    await sleep(SECOND_LOOK_MS)
  }
}

/** We hold the lock, so no server of ours is left that could miss it. */
async function stopInOrder(ground: Ground, pid: number, lock: OwnerLock): Promise<void> {
  ground.log.warn({ pid }, 'stopping the PostgreSQL of a server that was killed')
  try {
    await askToStop(pid, ground)
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
