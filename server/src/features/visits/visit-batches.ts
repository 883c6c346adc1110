import type { StoredVisit } from './visits.store.ts'

/** Milliseconds for which the first visit of a batch waits for others, and the most visits of a batch. */
const WAIT_MS = 25
const MOST = 200

type Waiting = { visit: StoredVisit; resolve: () => void; reject: (reason: unknown) => void }

export type VisitBatches = ReturnType<typeof createVisitBatches>

/** Records visits in batches, one at a time: those that arrive meanwhile are the next. */
export function createVisitBatches(record: (visits: readonly StoredVisit[]) => Promise<void>) {
  const waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  async function recordAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST)
      try {
        await record(batch.map(({ visit }) => visit))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    running ??= recordAll().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    /** Resolves when the visit is stored. @throws when its batch could not be stored */
    add(visit: StoredVisit): Promise<void> {
      return new Promise((resolve, reject) => {
        waiting.push({ visit, resolve, reject })
        if (running) return
        if (waiting.length >= MOST) void flush()
        else timer ??= setTimeout(() => void flush(), WAIT_MS)
      })
    },

    /** Records what waits. */
    flush,
  }
}
