import {
  changeSubscriptionPlan,
  createSubscriptionPlan,
  listSubscriptionPlans,
  type PlanEffects,
  type PlanFields,
  previewSubscriptionPlan,
  removeSubscriptionPlan,
} from '@bancone/contract/subscription-plans'
import type { Serve } from '../../http/serve.ts'
import type { SubscriptionPlansStore } from './subscription-plans.store.ts'

type Effects = (planId: string, plan: PlanFields) => Promise<PlanEffects>

export function subscriptionPlanRoutes(
  serve: Serve,
  plans: SubscriptionPlansStore,
  effects: Effects,
) {
  serve(listSubscriptionPlans, async () => ({ plans: await plans.list() }))

  serve(createSubscriptionPlan, async ({ body }) => ({ plan: await plans.insert(body) }))

  serve(changeSubscriptionPlan, async ({ params, body }) => ({
    plan: await plans.update(params.planId, body),
  }))

  serve(previewSubscriptionPlan, ({ params, body }) => effects(params.planId, body))

  serve(removeSubscriptionPlan, async ({ params }) => {
    await plans.remove(params.planId)
    return {}
  })
}
