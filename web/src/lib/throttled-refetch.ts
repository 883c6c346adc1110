/** Pause between the first two refetches; each following pause doubles, up to the maximum. */
const FIRST_PAUSE_MS = 300
const MAX_PAUSE_MS = 2_400

type Refetch = () => Promise<unknown>

/**
 * Refetches immediately, and during many events one fetch after the other with growing pauses. An event during a
 * fetch causes one more, since the fetch may have missed it.
 */
export function createThrottledRefetch() {
  let next: Refetch | null = null
  let busy = false

  async function work() {
    busy = true
    let gap = FIRST_PAUSE_MS
    while (next !== null) {
      const refetch = next
      next = null
      const pause = new Promise((resolve) => setTimeout(resolve, gap))
      gap = Math.min(gap * 2, MAX_PAUSE_MS)
      await Promise.allSettled([refetch(), pause])
    }
    busy = false
  }

  return (refetch: Refetch) => {
    next = refetch
    if (!busy) void work()
  }
}
