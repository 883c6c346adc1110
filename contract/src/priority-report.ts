import { z } from 'zod'
import { Day } from './dates.ts'
import { endpoint } from './endpoint.ts'

/**
 * Arrivals of a period of days. Waits are from the arrival to the call, in seconds; null where there were none. `noShows`
 * are the customers who were not there at least once, whether or not they came back.
 */
export const PriorityReport = z.object({
  arrivals: z.number().int(),
  called: z.number().int(),
  noShows: z.number().int(),
  medianWait: z.number().nullable(),
  p90Wait: z.number().nullable(),
  /** The 24 hours of the day in Rome. */
  hours: z.array(
    z.object({
      hour: z.number().int().min(0).max(23),
      arrivals: z.number().int(),
      medianWait: z.number().nullable(),
    }),
  ),
})
export type PriorityReport = z.infer<typeof PriorityReport>

/** At most 366 days. */
export const getPriorityReport = endpoint({
  method: 'GET',
  path: '/api/priority/report',
  summary: 'Get the arrivals and waits of a period',
  access: 'pharmacy',
  feature: 'priority_access',
  query: z.object({ dal: Day, al: Day }),
  response: PriorityReport,
  errors: [],
})
