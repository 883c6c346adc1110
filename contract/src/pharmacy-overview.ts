import { z } from 'zod/mini'
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
  lastSignInAt: z.nullable(z.string()),
  lastOrderAt: z.nullable(z.string()),
  ordersIn7Days: z.int(),
  source: z.enum(['airtable', 'database']),
  /** The last successful reading of Airtable. */
  lastReadAt: z.nullable(z.string()),
  /** Why the last reading failed; null when it succeeded. */
  copyError: z.nullable(z.object({ kind: SourceFailure, at: z.string() })),
  /** Active offers that have not ended. */
  activeOffers: z.int(),
  maxOffers: MaxOffers,
  /** Pictures of offers, and files of programs. Pictures of orders are not counted. */
  storageBytes: z.int(),
  /** Background jobs that failed three times or more. They are still tried. */
  failedJobs: z.int(),
  planValidUntil: z.nullable(Day),
  /** Days until the last day of the plan, negative after it; null for a plan without an end. */
  planDaysLeft: z.nullable(z.int()),
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
