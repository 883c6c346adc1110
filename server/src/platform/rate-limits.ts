import { createHmac } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { ErrorCode } from '@bancone/contract/errors'
import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../base/app-error.ts'

/** At most `points` in a window of `seconds`, which begins with the first one. */
export type Limit = { points: number; seconds: number }

/** A counter: `subject` is an address or an account, for example. Only a hash of it is stored. */
export type RateLimitKey<Name extends string> = { limit: Name; subject: string }

/** A counter, and how much is added to it; 1 by default. */
type Amount<Name extends string> = RateLimitKey<Name> & { points?: number }

/** A rate limit was exceeded. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests'
  readonly limit: string
  /** Seconds after which the window ends. */
  readonly retryAfter: number

  constructor(limit: string, retryAfter: number) {
    super(`too many requests: ${limit}`)
    this.limit = limit
    this.retryAfter = retryAfter
  }
}

/** `createRateLimits` of this application: with its database and its key. */
export type CreateRateLimits = <Name extends string>(
  limits: Record<Name, Limit>,
) => RateLimits<Name>

export type RateLimits<Name extends string> = {
  /** Counts a request under each key. @throws TooManyRequests for the exceeded limit with the longest wait */
  take(...keys: Amount<Name>[]): Promise<void>
  /** Reverts one count under each key, when the request turned out to be legitimate. */
  refund(...keys: RateLimitKey<Name>[]): Promise<void>
  /** Resets the counters. */
  reset(...keys: RateLimitKey<Name>[]): Promise<void>
}

/** Rate limits counted in the database, so that they hold across processes. @param key for the hashes of subjects */
export function createRateLimits<Name extends string>(
  pool: pg.Pool,
  key: Buffer,
  limits: Record<Name, Limit>,
): RateLimits<Name> {
  const limiter = limiters(
    limits,
    (options) =>
      new RateLimiterPostgres({
        ...options,
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
      }),
  )

  // Email and network addresses are not stored in the table of counters.
  const hidden = (subject: string) => createHmac('sha256', key).update(subject).digest('base64url')

  return {
    async take(...keys) {
      await takeAll(keys, ({ limit, subject, points }) =>
        limiter(limit).consume(hidden(subject), points),
      )
    },
    async refund(...keys) {
      // The library's `reward` would begin a new window with a negative count after the old one has ended.
      await Promise.all(
        keys.map(({ limit, subject }) =>
          pool.query(
            'update rate_limits set points = points - 1 where key = $1 and points > 0 and expire > $2',
            [limiter(limit).getKey(hidden(subject)), Date.now()],
          ),
        ),
      )
    },
    async reset(...keys) {
      await Promise.all(keys.map(({ limit, subject }) => limiter(limit).delete(hidden(subject))))
    },
  }
}

/** As `createRateLimits`, counted in the memory of this process: each process has limits of its own. */
export function createMemoryRateLimits<Name extends string>(
  limits: Record<Name, Limit>,
): Pick<RateLimits<Name>, 'take'> {
  const limiter = limiters(limits, (options) => new RateLimiterMemory(options))
  return {
    take: (...keys) =>
      takeAll(keys, ({ limit, subject, points }) => limiter(limit).consume(subject, points)),
  }
}

/** The limiter of each limit, created when it is first needed. */
function limiters<Name extends string, Limiter>(
  limits: Record<Name, Limit>,
  create: (options: { keyPrefix: Name; points: number; duration: number }) => Limiter,
) {
  const created = new Map<Name, Limiter>()
  return (name: Name): Limiter => {
    const { points, seconds } = limits[name]
    const limiter = created.get(name) ?? create({ keyPrefix: name, points, duration: seconds })
    created.set(name, limiter)
    return limiter
  }
}

/** @throws TooManyRequests for the exceeded limit with the longest wait */
async function takeAll<Name extends string>(
  keys: readonly Amount<Name>[],
  consume: (key: Amount<Name>) => Promise<unknown>,
): Promise<void> {
  const takeOne = async (key: Amount<Name>) => {
    try {
      await consume(key)
      return null
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      return new TooManyRequests(key.limit, Math.max(1, Math.ceil(error.msBeforeNext / 1000)))
    }
  }
  const refusals = await Promise.all(keys.map(takeOne))
  const [longest] = refusals
    .filter((refusal) => refusal !== null)
    .toSorted((a, b) => b.retryAfter - a.retryAfter)
  if (longest) throw longest
}

/** The network of a client address: for IPv6 its /64 prefix, since one client has 2^64 addresses; else the address. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail = ''] = plain.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === '' ? [] : tail.split(':')
  const zeros = plain.includes('::') ? Array<string>(8 - groups.length - rest.length).fill('0') : []
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':')
}

/** For `.catch()`: converts TooManyRequests into an AppError with `code` and `retryAfter`; rethrows other errors. */
export function rethrowRateLimitAs(code: ErrorCode) {
  return (error: unknown): never => {
    if (!(error instanceof TooManyRequests)) throw error
    throw new AppError(code, { retryAfter: error.retryAfter })
  }
}
