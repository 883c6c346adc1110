import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import PQueue from 'p-queue'
import { AuthError } from './auth-error.ts'

/** argon2id at OWASP's first recommendation: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A core is left for everybody else: a flood of sign-ins must not slow the orders down. */
const queue = new PQueue({ concurrency: Math.max(1, availableParallelism() - 1) })

/** So many may wait; whoever comes then is asked to try again, rather than wait beyond patience. */
const MOST_WAITING = 200

/** @throws AuthError `request_timeout` when too many wait already */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (queue.size >= MOST_WAITING) throw new AuthError('request_timeout', { retryAfter: 5 })
  return queue.add(work)
}

/** @returns an argon2id hash in PHC form */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost))
}

/** Compared against when there is no such user, so that the answer takes as long as for one there is. */
let decoy: Promise<string> | undefined

/** @param stored null when the user is unknown or has no password: then always false, in the same time */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash('no one has this password', cost)
  const against = stored ?? (await decoy)
  const matches = await inTurn(() => verify(against, password))
  return stored !== null && matches
}
