import type { Tasks } from '../../platform/jobs.ts'
import type { Clock } from '../../ports/clock.ts'
import type { VisitsStore } from './visits.store.ts'

export const OLD_VISITS_TASK = 'visits.forget'

type Dependencies = {
  visits: Pick<VisitsStore, 'removeBefore'>
  /** Days for which visits are kept. */
  retentionDays(): Promise<number>
  clock: Clock
  log: { info(details: object, message: string): void }
}

/** Deletes visits that are older than the retention period. */
export function oldVisitTasks({ visits, retentionDays, clock, log }: Dependencies): Tasks {
  return {
    [OLD_VISITS_TASK]: {
      lane: 'maintenance',
      async run(_payload, signal) {
        const days = await retentionDays()
        const before = new Date(clock.now() - days * 86_400_000).toISOString()
        let removed = 0
        for (;;) {
          signal?.throwIfAborted()
          const batch = await visits.removeBefore(before)
          if (batch === 0) break
          removed += batch
        }
        log.info({ removed }, 'removed old visits')
      },
    },
  }
}
