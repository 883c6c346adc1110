import { hash, verify } from '@node-rs/argon2'
import PQueue from 'p-queue'

/** argon2id at OWASP's first recommendation: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** At most this many at once: each takes 19 MiB, and a flood of sign-ins must not take them all. */
const queue = new PQueue({ concurrency: 4 })

/** Longer ones are refused rather than cut. */
export const MAX_PASSWORD_BYTES = 72

/** @returns an argon2id hash in PHC form */
export function hashPassword(password: string): Promise<string> {
  return queue.add(() => hash(password, cost))
}

/** Compared against when there is no such user, so that the answer takes as long as for one there is. */
let decoy: Promise<string> | undefined

/** @param stored null when the user is unknown or has no password: then always false, in the same time */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no one has this password')
  const against = stored ?? (await decoy)
  const matches = await queue.add(() => verify(against, password))
  return stored !== null && matches
}
