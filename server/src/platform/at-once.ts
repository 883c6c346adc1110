import { TooManyRequests } from './rate-limits.ts'

/** Does the work, unless as much of the same is being done already. @throws TooManyRequests */
export type AtOnce = <T>(of: string, work: () => Promise<T>) => Promise<T>

/** Seconds after which a place may be free. */
const TRY_AGAIN = 5

/** So much at once and no more, in this process: of each pharmacy, say. */
export function createAtOnce(limit: string, most: number): AtOnce {
  const busy = new Map<string, number>()
  return async (of, work) => {
    const others = busy.get(of) ?? 0
    if (others >= most) throw new TooManyRequests(limit, TRY_AGAIN)
    busy.set(of, others + 1)
    try {
      return await work()
    } finally {
      const left = (busy.get(of) ?? 1) - 1
      if (left === 0) busy.delete(of)
      else busy.set(of, left)
    }
  }
}
