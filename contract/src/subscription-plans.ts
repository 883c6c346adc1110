import { z } from 'zod/mini'
import { Feature } from './access.ts'
import { endpoint } from './endpoint.ts'
import { optionalText } from './optional-text.ts'

/** The number of active offers of a new plan, and of a pharmacy whose plan says nothing. */
export const DEFAULT_MAX_OFFERS = 10

/** Days after the last day of a plan until which its features remain. */
export const PLAN_GRACE_DAYS = 14

/** The features of a new plan, and of a pharmacy without a plan. */
export const defaultFeatures: readonly Feature[] = ['offers', 'whatsapp_integration']

/** The most active offers of a pharmacy; null for any number. */
export const MaxOffers = z.nullable(z.int().check(z.minimum(0), z.maximum(100_000)))

/** What a plan grants, with the names of its columns. */
export const PlanFields = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  description: optionalText(1_000),
  max_offers: MaxOffers,
  /** Euros, with two decimals at most. */
  price: z.number().check(z.minimum(0), z.maximum(99_999.99), z.multipleOf(0.01)),
  features: z.array(Feature).check(z.maxLength(Feature.options.length)),
})
export type PlanFields = z.infer<typeof PlanFields>

/** A plan. Times are ISO 8601. */
export const SubscriptionPlan = z.object({
  ...PlanFields.shape,
  description: z.nullable(z.string()),
  id: z.uuid(),
  created_at: z.string(),
  /** The number of pharmacies that have the plan, deleted ones included while they can be restored. */
  pharmacies: z.int(),
})
export type SubscriptionPlan = z.infer<typeof SubscriptionPlan>

const params = z.object({ planId: z.uuid() })

export const listSubscriptionPlans = endpoint({
  method: 'GET',
  path: '/api/admin/subscription-plans',
  summary: 'List the subscription plans by price',
  access: 'admin',
  response: z.object({ plans: z.array(SubscriptionPlan) }),
  errors: [],
})

export const createSubscriptionPlan = endpoint({
  method: 'POST',
  path: '/api/admin/subscription-plans',
  summary: 'Create a subscription plan',
  access: 'admin',
  audit: 'plan_created',
  body: PlanFields,
  response: z.object({ plan: SubscriptionPlan }),
  status: 201,
  errors: ['plans.name_taken'],
})

/** Pharmacies with the plan get its new values at once, except where they deviate from it. */
export const changeSubscriptionPlan = endpoint({
  method: 'PUT',
  path: '/api/admin/subscription-plans/:planId',
  summary: 'Change a subscription plan',
  access: 'admin',
  audit: 'plan_changed',
  params,
  body: PlanFields,
  response: z.object({ plan: SubscriptionPlan }),
  errors: ['plans.not_found', 'plans.name_taken'],
})

/** What a change of a plan would mean for the pharmacies that have it. */
export const PlanEffects = z.object({
  pharmacies: z.int(),
  /** The number of pharmacies that would gain or lose each feature. Features that none gains or loses are absent. */
  gained: z.partialRecord(Feature, z.int()),
  lost: z.partialRecord(Feature, z.int()),
  /** The number of pharmacies whose limit of offers would change. */
  limitChanged: z.int(),
  /** Pharmacies with more active offers than their new limit. Their offers stay active. At most 20, by name. */
  aboveLimit: z.array(z.object({ id: z.uuid(), name: z.string(), used: z.int() })),
  aboveLimitCount: z.int(),
  /** Pharmacies that deviate from the plan in some way, and keep their own values there. */
  deviating: z.int(),
})
export type PlanEffects = z.infer<typeof PlanEffects>

export const previewSubscriptionPlan = endpoint({
  method: 'POST',
  path: '/api/admin/subscription-plans/:planId/effects',
  summary: 'Tell what a change of a plan would mean for its pharmacies',
  access: 'admin',
  audit: { none: 'reads' },
  params,
  body: PlanFields,
  response: PlanEffects,
  errors: ['plans.not_found'],
})

/** Refused with the number of pharmacies, `details: { pharmacies }`, while any has the plan. */
export const removeSubscriptionPlan = endpoint({
  method: 'DELETE',
  path: '/api/admin/subscription-plans/:planId',
  summary: 'Delete a subscription plan',
  access: 'admin',
  audit: 'plan_deleted',
  params,
  response: z.object({}),
  errors: ['plans.not_found', 'plans.in_use'],
})
