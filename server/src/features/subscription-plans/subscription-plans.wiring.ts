import { dayOf } from '@bancone/contract/dates'
import type { Http } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import { createAudit } from '../../platform/audit.ts'
import type { Clock } from '../../ports/clock.ts'
import { planEffects } from './plan-effects.store.ts'
import { subscriptionPlanRoutes } from './subscription-plans.routes.ts'
import { createSubscriptionPlansStore } from './subscription-plans.store.ts'

/** Wires the subscription plans. */
export function wireSubscriptionPlans({ db, clock }: { db: Database; clock: Clock }) {
  const plans = createSubscriptionPlansStore(db, createAudit(db))
  return {
    plans,
    routes: ({ serve }: Http) =>
      subscriptionPlanRoutes(serve, plans, async (planId, plan) => {
        await plans.find(planId)
        return planEffects(db, planId, plan, dayOf(clock.now()))
      }),
  }
}
