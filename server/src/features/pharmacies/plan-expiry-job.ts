import type { Tasks } from '../../platform/jobs.ts'
import type { AdminPharmaciesStore } from './admin-pharmacies.store.ts'

export const PLAN_EXPIRY_TASK = 'pharmacies.plan-expiry'

type Dependencies = {
  pharmacies: Pick<AdminPharmaciesStore, 'endPlans'>
  log: { info(details: object, message: string): void }
}

/** Ends the features of the plans whose days of grace have passed. */
export function planExpiryTasks({ pharmacies, log }: Dependencies): Tasks {
  return {
    [PLAN_EXPIRY_TASK]: {
      lane: 'maintenance',
      async run() {
        const ended = await pharmacies.endPlans()
        if (ended > 0)
          log.info({ pharmacies: ended }, 'the features of ended plans were switched off')
      },
    },
  }
}
