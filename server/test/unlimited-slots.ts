import type { RequestSlots } from '../src/ports/request-slots.ts'

/** Request slots without a limit. Pauses end by a clock that the test moves. */
export function unlimitedSlots(now = () => 0): RequestSlots {
  const pauses = new Map<string, number>()
  return {
    async take(limits) {
      const until = Math.max(...limits.map(({ key }) => pauses.get(key) ?? 0))
      if (until > now()) return { outcome: 'paused', pausedMs: until - now() }
      return { outcome: 'taken', slot: 'a slot' }
    },
    async release() {},
    async pause(key, ms) {
      pauses.set(key, now() + ms)
    },
  }
}
