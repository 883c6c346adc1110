import { dayOf } from '@bancone/contract/dates'
import type { Task } from '../../platform/jobs.ts'
import type { Clock } from '../../ports/clock.ts'
import type { VisitorSaltsStore } from './visitor-salts.store.ts'

export const PAST_SALTS_TASK = 'visits.salts'

/** UTC: soon after midnight in Rome, in summer and in winter. */
export const dailyPastSalts = { task: PAST_SALTS_TASK, at: '23:17' }

type Dependencies = {
  salts: Pick<VisitorSaltsStore, 'removeBefore'>
  clock: Clock
  log: { info(details: object, message: string): void }
}

/** Deletes the salts of past days, which makes the pseudonyms of their visitors irreversible. */
export function pastSaltTasks({ salts, clock, log }: Dependencies): Record<string, Task> {
  return {
    async [PAST_SALTS_TASK]() {
      const removed = await salts.removeBefore(dayOf(clock.now()))
      log.info({ removed }, 'removed the salts of past days')
    },
  }
}
