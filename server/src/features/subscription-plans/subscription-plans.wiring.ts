import { dayOf } from '@bancone/contract/dates'
import {
  changeSubscriptionPlan,
  createSubscriptionPlan,
  listSubscriptionPlans,
  previewSubscriptionPlan,
  removeSubscriptionPlan,
} from '@bancone/contract/subscription-plans'
import type { Database } from '../../database/database.ts'
import type { Http } from '../../http/app-module.ts'
import { createAudit } from '../../platform/audit.ts'
import type { Clock } from '../../ports/clock.ts'
import { createSubscriptionPlansStore } from './subscription-plans.store.ts'

export function wireSubscriptionPlans({ db, clock }: { db: Database; clock: Clock }) {
  const plans = createSubscriptionPlansStore(db, createAudit(db))
  return {
    plans,
    routes({ serve }: Http) {
      serve(listSubscriptionPlans, async () => ({ plans: await plans.list() }))

      serve(createSubscriptionPlan, async ({ body }) => ({ plan: await plans.insert(body) }))

      serve(changeSubscriptionPlan, async ({ params, body }) => ({
        plan: await plans.update(params.planId, body),
      }))

      serve(previewSubscriptionPlan, ({ params, body }) =>
        plans.effects(params.planId, body, dayOf(clock.now())),
      )

      serve(removeSubscriptionPlan, async ({ params }) => {
        await plans.remove(params.planId)
        return {}
      })
    },
  }
}
