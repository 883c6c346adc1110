/** Between two readings while news rain. */
const GAP_MS = 300

type Read = () => Promise<unknown>

/**
 * Reads when it is told of news: at once, and then one reading after the other, at most one in 300 ms.
 * News that come while a reading is on its way may have missed it, so there is one more.
 */
export function createRefresh() {
  let next: Read | null = null
  let busy = false

  async function work() {
    busy = true
    while (next !== null) {
      const read = next
      next = null
      const pause = new Promise((resolve) => setTimeout(resolve, GAP_MS))
      await Promise.allSettled([read(), pause])
    }
    busy = false
  }

  return (read: Read) => {
    next = read
    if (!busy) void work()
  }
}
