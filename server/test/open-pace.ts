import type { RequestPace } from '../src/ports/request-pace.ts'

/** A pace that has a place for everybody, but for the silences, which end by a clock the test moves. */
export function openPace(now = () => 0): RequestPace {
  const silences = new Map<string, number>()
  return {
    async take(limits) {
      const until = Math.max(...limits.map(({ key }) => silences.get(key) ?? 0))
      if (until > now()) return { outcome: 'silence', silentMs: until - now() }
      return { outcome: 'taken', place: 'a place' }
    },
    async release() {},
    async silence(key, ms) {
      silences.set(key, now() + ms)
    },
  }
}
