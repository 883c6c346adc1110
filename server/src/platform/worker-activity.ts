import type { WorkerEvents } from 'graphile-worker'

export type WorkerActivity = ReturnType<typeof createWorkerActivity>

/**
 * Knows when the workers of this process last asked for a job. Idle workers ask every half minute.
 *
 * @param now the clock, in milliseconds
 */
export function createWorkerActivity(now: () => number = () => performance.now()) {
  const lanes: (() => number)[] = []
  return {
    /** @param events those of the workers of one lane */
    follow(events: WorkerEvents): void {
      let askedAt = now()
      let running = 0
      const change = (by: number) => () => {
        askedAt = now()
        running += by
      }
      events.on('worker:getJob:empty', change(0))
      events.on('job:start', change(1))
      events.on('job:complete', change(-1))
      events.on('worker:fatalError', change(-1))
      lanes.push(() => (running > 0 ? 0 : now() - askedAt))
    },
    /** Milliseconds since the lane that has been silent for longest asked for a job; 0 while all run one. */
    silentMs: () => Math.max(0, ...lanes.map((silent) => silent())),
  }
}
