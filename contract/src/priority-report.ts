import { z } from 'zod/mini'
import { Day } from './dates.ts'
import { endpoint } from './endpoint.ts'

/**
 * Arrivals of a period of days. Waits are from the arrival to the call, in seconds; null where there were none. `noShows`
 * are the customers who were not there at least once, whether or not they came back.
 */
export const PriorityReport = z.object({
  arrivals: z.int(),
  called: z.int(),
  noShows: z.int(),
  medianWait: z.nullable(z.number()),
  p90Wait: z.nullable(z.number()),
  /** The 24 hours of the day in Rome. */
  hours: z.array(
    z.object({
      hour: z.int().check(z.minimum(0), z.maximum(23)),
      arrivals: z.int(),
      medianWait: z.nullable(z.number()),
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
