import { createHmac } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'

/** So many in so many seconds, counted from the first. */
export type Limit = { points: number; seconds: number }

/** What is counted under a limit: an address, an account. Never stored as it is. */
export type Counted<Name extends string> = { limit: Name; of: string }

/** Who asks too often. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests'
  readonly limit: string
  /** Seconds after which the next one is counted anew. */
  readonly retryAfter: number

  constructor(limit: string, retryAfter: number) {
    super(`too many requests: ${limit}`)
    this.limit = limit
    this.retryAfter = retryAfter
  }
}

export type RateLimits<Name extends string> = {
  /** Counts one of each. @throws TooManyRequests for the one that has longest to wait */
  take(...counted: Counted<Name>[]): Promise<void>
  /** What was counted was no abuse. */
  giveBack(...counted: Counted<Name>[]): Promise<void>
  /** Begins to count anew. */
  reset(...counted: Counted<Name>[]): Promise<void>
}

/** Counts in the database, so that limits hold across processes. */
export function createRateLimits<Name extends string>(
  pool: pg.Pool,
  key: Buffer,
  limits: Record<Name, Limit>,
): RateLimits<Name> {
  const limiters = new Map<string, RateLimiterPostgres>()

  function limiter(name: Name): RateLimiterPostgres {
    const known = limiters.get(name)
    if (known) return known
    const { points, seconds } = limits[name]
    const made = new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration: seconds,
    })
    limiters.set(name, made)
    return made
  }

  // An address of mail or of a network has no business in a table of counters.
  const hidden = (of: string) => createHmac('sha256', key).update(of).digest('base64url')

  async function takeOne({ limit, of }: Counted<Name>): Promise<TooManyRequests | null> {
    try {
      await limiter(limit).consume(hidden(of))
      return null
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      return new TooManyRequests(limit, Math.max(1, Math.ceil(error.msBeforeNext / 1000)))
    }
  }

  return {
    async take(...counted) {
      const refusals = await Promise.all(counted.map(takeOne))
      const [longest] = refusals
        .filter((refusal) => refusal !== null)
        .toSorted((a, b) => b.retryAfter - a.retryAfter)
      if (longest) throw longest
    },
    async giveBack(...counted) {
      // The library's own would begin a window with less than nothing when that one is over.
      await Promise.all(
        counted.map(({ limit, of }) =>
          pool.query(
            'update rate_limits set points = points - 1 where key = $1 and points > 0 and expire > $2',
            [limiter(limit).getKey(hidden(of)), Date.now()],
          ),
        ),
      )
    },
    async reset(...counted) {
      await Promise.all(counted.map(({ limit, of }) => limiter(limit).delete(hidden(of))))
    },
  }
}

/** Whoever has an IPv6 address has 2^64 of them: they count as one. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail = ''] = plain.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === '' ? [] : tail.split(':')
  const zeros = plain.includes('::') ? Array<string>(8 - groups.length - rest.length).fill('0') : []
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':')
}
