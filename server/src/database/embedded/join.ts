import { setTimeout as sleep } from 'node:timers/promises'
import { decide } from './decide.ts'
import { gatherFacts } from './gather.ts'
import { isOwnerLockHeld } from './owner-lock.ts'
import { urlOf } from './session.ts'

const PATIENCE_MS = 10_000
/** A server that starts has its lock a moment after PostgreSQL answers. */
const UNOWNED_LOOKS = 10

/** The address of the database on these files if a living server owns it. */
export async function findServed(cluster: string, password: string): Promise<string | undefined> {
  const deadline = Date.now() + PATIENCE_MS
  let unowned = 0
  while (Date.now() < deadline && unowned < UNOWNED_LOOKS) {
    const decision = decide(await gatherFacts(cluster, password))
    if (decision.kind === 'running') {
      const access = { port: decision.port, password }
      // PostgreSQL may end between the two questions.
      if (await isOwnerLockHeld(access).catch(() => false)) return urlOf(access)
      unowned++
    } else if (decision.kind !== 'wait') return undefined
    await sleep(100)
  }
  return undefined
}
