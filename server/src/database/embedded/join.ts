import { setTimeout as sleep } from 'node:timers/promises'
import { decide } from './decide.ts'
import { gatherFacts } from './gather.ts'
import type { ClusterLocation } from './location.ts'
import { isOwnerLockHeld } from './owner-lock.ts'
import { urlOf } from './session.ts'

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
