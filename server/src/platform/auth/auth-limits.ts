import { type Limit, type RateLimitKey, type RateLimits, TooManyRequests } from '../rate-limits.ts'
import { AuthError } from './auth-error.ts'
import { normalizeEmail } from './users.store.ts'

const MINUTE = 60
const HOUR = 3600

/**
 * One limit for each kind of call. Failures are counted and successes refunded, so that users at work do not
 * reach them. The limits of refreshes are beyond what a client needs.
 */
export const authLimits = {
  // Per account and address, in two windows, so that the wait grows.
  'login-pair': { points: 6, seconds: MINUTE },
  'login-pair-hour': { points: 20, seconds: HOUR },
  'login-address': { points: 100, seconds: 15 * MINUTE },
  // Per account from all addresses. Above it, sign-ins from known addresses still succeed, so that an attacker
  // cannot lock the owner out.
  'login-account': { points: 100, seconds: HOUR },
  'refresh-address': { points: 150, seconds: 5 * MINUTE },
  'refresh-session': { points: 600, seconds: 5 * MINUTE },
  'verify-address': { points: 30, seconds: 5 * MINUTE },
  // A code has six digits: it becomes invalid after five wrong attempts, and few codes may be tried in a day. Strangers,
  // known addresses and devices of the account are counted apart, so that strangers cannot use up the owner's attempts.
  'verify-code': { points: 5, seconds: 24 * HOUR },
  'verify-account': { points: 10, seconds: 24 * HOUR },
  // Per mail address and network address, and per mail address. The latter is so wide that an attacker cannot
  // keep an owner from their mails.
  'mail-interval': { points: 1, seconds: MINUTE },
  'mail-pair': { points: 10, seconds: HOUR },
  'mail-account': { points: 60, seconds: HOUR },
  'mail-address': { points: 30, seconds: 5 * MINUTE },
  // Mails that a signed-in user requests.
  'own-mail-interval': { points: 1, seconds: MINUTE },
  // Changes to an address that has an account.
  'address-check': { points: 10, seconds: HOUR },
  'account-change': { points: 30, seconds: 5 * MINUTE },
  // TOTP codes have six digits too. Recovery codes are counted apart, so that an attacker who exhausts the TOTP
  // attempts does not keep the owner from using one.
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

type AuthCount = RateLimitKey<AuthLimitName>

/**
 * The limits of a password sign-in.
 *
 * @param device one in which the account has signed in before: it has a count of its own, and no other
 */
export function loginRateLimits(email: string, address: string, device: string | undefined) {
  const account = normalizeEmail(email)
  const pair = `${account} ${device ?? address}`
  const wide: AuthCount[] = [{ limit: 'login-address', subject: address }]
  const all: AuthCount[] = [{ limit: 'login-account', subject: account }]
  return {
    pair: [
      { limit: 'login-pair', subject: pair },
      { limit: 'login-pair-hour', subject: pair },
    ] satisfies AuthCount[],
    wide: device === undefined ? wide : [],
    account: device === undefined ? all : [],
  }
}

/** The limits of a mail request, which are the same for an unknown address. */
export function mailRateLimits(email: string, address: string) {
  const account = normalizeEmail(email)
  const pair = `${account} ${address}`
  return {
    network: [{ limit: 'mail-address', subject: address }],
    account: [
      { limit: 'mail-interval', subject: pair },
      { limit: 'mail-pair', subject: pair },
      { limit: 'mail-account', subject: account },
    ],
  } as const satisfies Record<string, readonly AuthCount[]>
}

/** For `.catch()`. @throws AuthError `over_request_rate_limit` */
export function tooManyRequests(error: unknown): never {
  if (!(error instanceof TooManyRequests)) throw error
  throw new AuthError('over_request_rate_limit', { retryAfter: error.retryAfter })
}

/**
 * For `.catch()`. @throws AuthError `over_email_send_rate_limit`, whose message the clients read the seconds
 * from
 */
export function tooManyMails(error: unknown): never {
  if (!(error instanceof TooManyRequests)) throw error
  const { retryAfter } = error
  throw new AuthError('over_email_send_rate_limit', {
    message: `For security purposes, you can only request this after ${retryAfter} seconds.`,
    retryAfter,
  })
}
