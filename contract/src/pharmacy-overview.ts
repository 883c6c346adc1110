import { z } from 'zod'
import { Day } from './dates.ts'
import { endpoint } from './endpoint.ts'
import { SourceFailure } from './order-health.ts'
import { Light } from './pharmacy-attention.ts'
import { MaxOffers } from './subscription-plans.ts'

/** The state of a pharmacy for administrators. Times are ISO 8601 in UTC, sizes are in bytes. */
export const PharmacyOverview = z.object({
  id: z.uuid(),
  /** The readable code. */
  code: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  light: Light,
  /** Why the light is not green, in Italian, severe ones first. */
  reasons: z.array(z.string()),
  /** The last sign-in of its account or of a colleague. */
  lastSignInAt: z.string().nullable(),
  lastOrderAt: z.string().nullable(),
  ordersIn7Days: z.number().int(),
  source: z.enum(['airtable', 'database']),
  /** The last successful reading of Airtable. */
  lastReadAt: z.string().nullable(),
  /** Why the last reading failed; null when it succeeded. */
  copyError: z.object({ kind: SourceFailure, at: z.string() }).nullable(),
  /** Active offers that have not ended. */
  activeOffers: z.number().int(),
  maxOffers: MaxOffers,
  /** Pictures of offers, and files of programs. Pictures of orders are not counted. */
  storageBytes: z.number().int(),
  /** Background jobs that failed three times or more. They are still tried. */
  failedJobs: z.number().int(),
  planValidUntil: Day.nullable(),
  /** Days until the last day of the plan, negative after it; null for a plan without an end. */
  planDaysLeft: z.number().int().nullable(),
})
export type PharmacyOverview = z.infer<typeof PharmacyOverview>

export const listPharmacyOverview = endpoint({
  method: 'GET',
  path: '/api/admin/pharmacies/overview',
  summary: 'List the state of all pharmacies, those that need attention first',
  access: 'admin',
  response: z.object({ pharmacies: z.array(PharmacyOverview) }),
  errors: [],
})
