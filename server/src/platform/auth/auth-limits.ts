import { type Counted, type Limit, type RateLimits, TooManyRequests } from '../rate-limits.ts'
import { AuthError } from './auth-error.ts'
import { normalEmail } from './users.store.ts'

const MINUTE = 60
const HOUR = 3600

/**
 * Each kind of call by itself. What fails is counted and what succeeds is given back, so that people at
 * work never meet them; a refresh is limited so far out that no client of ours can.
 */
export const authLimits = {
  // Of one account from one place: two windows, so that the wait grows.
  'login-pair': { points: 6, seconds: MINUTE },
  'login-pair-hour': { points: 20, seconds: HOUR },
  'login-address': { points: 100, seconds: 15 * MINUTE },
  // From everywhere together. Beyond it an account opens from addresses it was opened from before, so
  // that nobody can lock others out.
  'login-account': { points: 100, seconds: HOUR },
  'refresh-address': { points: 150, seconds: 5 * MINUTE },
  'refresh-session': { points: 600, seconds: 5 * MINUTE },
  'verify-address': { points: 30, seconds: 5 * MINUTE },
  // Six digits: five wrong ones and the code is worthless, and not many codes a day.
  'verify-code': { points: 5, seconds: 24 * HOUR },
  'verify-account': { points: 10, seconds: 24 * HOUR },
  // To one address, as asked for from one place; and from everywhere together, which is so wide that
  // nobody keeps others from their mails.
  'mail-interval': { points: 1, seconds: MINUTE },
  'mail-pair': { points: 10, seconds: HOUR },
  'mail-account': { points: 60, seconds: HOUR },
  'mail-address': { points: 30, seconds: 5 * MINUTE },
  // What somebody signed in asks for themselves.
  'own-mail-interval': { points: 1, seconds: MINUTE },
  // Addresses that were somebody else's.
  'address-check': { points: 10, seconds: HOUR },
  'account-change': { points: 30, seconds: 5 * MINUTE },
  // Codes of an app, of six digits too; and by themselves those for a lost telephone, so that nobody who
  // uses the first up keeps the owner from the second.
  'factor-challenge': { points: 30, seconds: 5 * MINUTE },
  'factor-code': { points: 5, seconds: 15 * MINUTE },
  'factor-code-day': { points: 20, seconds: 24 * HOUR },
  'recovery-code': { points: 5, seconds: 15 * MINUTE },
  'recovery-code-day': { points: 20, seconds: 24 * HOUR },
  'password-check': { points: 5, seconds: HOUR },
  'external-leave': { points: 60, seconds: 5 * MINUTE },
  'external-return': { points: 60, seconds: 5 * MINUTE },
  'anonymous-address': { points: 30, seconds: HOUR },
} as const satisfies Record<string, Limit>

export type AuthLimitName = keyof typeof authLimits

export type AuthLimits = RateLimits<AuthLimitName>

type AuthCount = Counted<AuthLimitName>

/** What a sign-in counts against. */
export function loginCounts(email: string, address: string) {
  const account = normalEmail(email)
  const pair = `${account} ${address}`
  return {
    pair: [
      { limit: 'login-pair', of: pair },
      { limit: 'login-pair-hour', of: pair },
    ],
    wide: [{ limit: 'login-address', of: address }],
    account: [{ limit: 'login-account', of: account }],
  } as const satisfies Record<string, readonly AuthCount[]>
}

/** What asking for a mail counts against, whether anybody has that address or not. */
export function mailCounts(email: string, address: string) {
  const account = normalEmail(email)
  const pair = `${account} ${address}`
  return {
    network: [{ limit: 'mail-address', of: address }],
    account: [
      { limit: 'mail-interval', of: pair },
      { limit: 'mail-pair', of: pair },
      { limit: 'mail-account', of: account },
    ],
  } as const satisfies Record<string, readonly AuthCount[]>
}

/** @throws AuthError `over_request_rate_limit` */
export function tooManyRequests(error: unknown): never {
  if (!(error instanceof TooManyRequests)) throw error
  throw new AuthError('over_request_rate_limit', { retryAfter: error.retryAfter })
}

/** @throws AuthError `over_email_send_rate_limit`, in the words that clients take the seconds from */
export function tooManyMails(error: unknown): never {
  if (!(error instanceof TooManyRequests)) throw error
  const { retryAfter } = error
  throw new AuthError('over_email_send_rate_limit', {
    message: `For security purposes, you can only request this after ${retryAfter} seconds.`,
    retryAfter,
  })
}
