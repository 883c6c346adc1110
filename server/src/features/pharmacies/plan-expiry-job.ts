import type { Tasks } from '../../platform/jobs.ts'

export const PLAN_EXPIRY_TASK = 'pharmacies.plan-expiry'

type Dependencies = {
  /** @returns the number of pharmacies */
  endPlans(): Promise<number>
  log: { info(details: object, message: string): void }
}

/** Ends the features of the plans whose days of grace have passed. */
export function planExpiryTasks({ endPlans, log }: Dependencies): Tasks {
  return {
    [PLAN_EXPIRY_TASK]: {
      lane: 'maintenance',
      async run() {
        const ended = await endPlans()
        if (ended > 0)
          log.info({ pharmacies: ended }, 'the features of ended plans were switched off')
      },
    },
  }
}
