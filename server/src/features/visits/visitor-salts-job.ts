import { dayOf } from '@bancone/contract/dates'
import type { Tasks } from '../../platform/jobs.ts'
import type { Clock } from '../../ports/clock.ts'
import { PAST_SALTS_TASK, SALT_REMAINS_MS, type VisitorSaltsStore } from './visitor-salts.store.ts'

type Dependencies = {
  salts: Pick<VisitorSaltsStore, 'removeBefore'>
  clock: Clock
  log: { info(details: object, message: string): void }
}

/** Deletes the salts of past days, which makes the pseudonyms of their visitors irreversible. */
export function pastSaltTasks({ salts, clock, log }: Dependencies): Tasks {
  return {
    [PAST_SALTS_TASK]: {
      lane: 'maintenance',
      async run() {
        const removed = await salts.removeBefore(dayOf(clock.now() - SALT_REMAINS_MS))
        log.info({ removed }, 'removed the salts of past days')
      },
    },
  }
}
