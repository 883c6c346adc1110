import {
  isLongEnough,
  isTooLong,
  MAX_PASSWORD_BYTES,
  MIN_PASSWORD_LENGTH,
} from '@bancone/contract/passwords'
import { createBoundedQueue } from '../bounded-queue.ts'
import { AuthError } from './auth-error.ts'
import { computeHash } from './hashing-thread.ts'

/** The most common passwords of sufficient length; loaded at the first use. */
let common: Promise<ReadonlySet<string>> | undefined

async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(isLongEnough))
}

/**
 * Refuses passwords that are too short, too long to be hashed completely, too common, or equal to the address.
 * There are no rules about character classes: they lead to worse passwords (NIST SP 800-63B, 3.1.1.2).
 *
 * @throws AuthError `weak_password` with its reasons, `validation_failed`
 */
export async function checkPassword(password: string, email: string | null): Promise<void> {
  if (isTooLong(password)) {
    throw new AuthError('validation_failed', {
      message: `Password cannot be longer than ${MAX_PASSWORD_BYTES} bytes`,
    })
  }
  if (!isLongEnough(password)) {
    throw new AuthError('weak_password', {
      message: `Password should be at least ${MIN_PASSWORD_LENGTH} characters.`,
      weakPassword: ['length'],
    })
  }
  const plain = password.toLowerCase()
  if (new Set(plain).size < 4 || plain === email?.toLowerCase()) {
    throw new AuthError('weak_password', {
      message: 'Password should contain more different characters, and not be the address.',
      weakPassword: ['characters'],
    })
  }
  common ??= commonPasswords()
  if ((await common).has(plain)) {
    throw new AuthError('weak_password', {
      message: 'Password is known to be weak and easy to guess, please choose a different one.',
      weakPassword: ['pwned'],
    })
  }
}

/** argon2id with OWASP's first recommended parameters: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const inTurn = createBoundedQueue({
  // One core at most: many sign-ins at once must not slow other requests down.
  concurrency: 1,
  // Further requests get an error at once instead of a long wait.
  maxWaiting: 200,
  refusal: () => new AuthError('request_timeout', { retryAfter: 5 }),
})

/** @returns an argon2id hash in PHC form */
export async function hashPassword(password: string): Promise<string> {
  return String(await inTurn(() => computeHash({ kind: 'hash', password, cost })))
}

/** Verified for an unknown user, so that the duration does not reveal whether the account exists. Of no password. */
const decoy =
  '$argon2id$v=19$m=19456,t=2,p=1$AJXmNPzV0HDamkNxLDE8WA$G/ruLlrKbt9cmUFEGvaEjEMz8NgBYBX0CUQ3rSgFp5I'

/** @param stored null when the user is unknown or has no password: always false, after the same time */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const against = stored ?? decoy
  const matches = await inTurn(() => computeHash({ kind: 'verify', hash: against, password }))
  return stored !== null && matches === true
}

const Phc =
  /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,86}$/

/** Whether a hash of another system can be verified here, at an acceptable cost. */
export async function isUsableHash(text: string): Promise<boolean> {
  const [, memory, time, lanes] = Phc.exec(text) ?? []
  const within = (value: string | undefined, least: number, most: number) =>
    Number(value) >= least && Number(value) <= most
  if (!within(memory, 1024, 65_536) || !within(time, 1, 10) || !within(lanes, 1, 4)) return false
  // The library throws for an unreadable hash, whatever the password is.
  return inTurn(() =>
    computeHash({ kind: 'verify', hash: text, password: '' }).then(
      () => true,
      () => false,
    ),
  )
}
