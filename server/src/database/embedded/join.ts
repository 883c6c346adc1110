import { setTimeout as sleep } from 'node:timers/promises'
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { decide } from './decide.ts'
import { gatherFacts } from './gather.ts'
import { findPlace } from './location.ts'
import { isOwnerLockHeld } from './owner-lock.ts'
import { readPassword } from './password.ts'
import { urlOf } from './session.ts'

const PATIENCE_MS = 10_000

/**
 * The address of the embedded database of a server that lives, for a command that runs beside it;
 * undefined when there is none, or only what a killed server left: then `startEmbedded` is right.
 *
 * @throws StartupError when the data folder's database cannot be looked at
 */
export async function joinEmbedded(dataDir: string): Promise<string | undefined> {
  const folder = await realpath(resolve(dataDir)).catch(() => undefined)
  if (!folder) return undefined
  const place = await findPlace(folder)
  const password = await readPassword(folder)
  if (!place.exists || !password) return undefined
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const decision = decide(await gatherFacts(place.cluster, password))
    if (decision.kind === 'running') {
      const access = { port: decision.port, password }
      // It may end between the two questions.
      if (await isOwnerLockHeld(access).catch(() => false)) return urlOf(access)
    } else if (decision.kind !== 'wait') return undefined
    // A server that starts has its lock a moment after PostgreSQL answers.
    if (Date.now() > deadline || decision.kind === 'running') {
      return decision.kind === 'running' ? await lastLook(place.cluster, password) : undefined
    }
    await sleep(100)
  }
}
