import { setTimeout as pause } from 'node:timers/promises'
import PQueue from 'p-queue'

export type PaceOptions = {
  /** Requests that may arrive there within a second. */
  perSecond: number
  /** Milliseconds of that second. */
  secondMs: number
}

export type Pace = ReturnType<typeof createPace>

/**
 * Lets so many requests arrive in any second, however long each of them is on its way: one gives its place
 * to another a second after it was answered. Counted from when they leave, those held up on the way
 * would arrive together with the next ones.
 */
export function createPace({ perSecond, secondMs }: PaceOptions) {
  const queue = new PQueue({ concurrency: perSecond })
  return {
    /**
     * Writes go before reads: somebody waits for them.
     *
     * @param signal ends the waiting, and rejects with its reason; work that has begun ends by itself
     */
    run<T>(kind: 'read' | 'write', work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const waiting = new AbortController()
      const leave = () => waiting.abort(signal?.reason)
      if (signal?.aborted) leave()
      signal?.addEventListener('abort', leave)
      return new Promise((resolve, reject) => {
        const turn = async () => {
          signal?.removeEventListener('abort', leave)
          await work().then(resolve, reject)
          await pause(secondMs)
        }
        const priority = kind === 'write' ? 1 : 0
        queue.add(turn, { priority, signal: waiting.signal }).catch(reject)
      })
    },
  }
}
