/** Between the first two readings while news rain; each of the next pauses is twice as long, up to the last. */
const FIRST_GAP_MS = 300
const LAST_GAP_MS = 2_400

type Read = () => Promise<unknown>

/**
 * Reads when it is told of news: at once, and then one reading after the other, with
 * growing pauses while there are more. News that come while a reading is on its way may have missed it, so there is one more.
 */
export function createRefresh() {
  let next: Read | null = null
  let busy = false

  async function work() {
    busy = true
    let gap = FIRST_GAP_MS
    while (next !== null) {
      const read = next
      next = null
      const pause = new Promise((resolve) => setTimeout(resolve, gap))
      gap = Math.min(gap * 2, LAST_GAP_MS)
      await Promise.allSettled([read(), pause])
    }
    busy = false
  }

  return (read: Read) => {
    next = read
    if (!busy) void work()
  }
}
