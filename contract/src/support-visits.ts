import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The request header with the id of a support visit. Then the request is one of the visit, or refused. */
export const SUPPORT_VISIT_HEADER = 'x-support-visit'

/** How long a visit lasts at most. */
export const SUPPORT_VISIT_MINUTES = 30

export const VisitReason = z.string().check(z.trim(), z.minLength(10), z.maxLength(500))

/** A visit in progress, as its administrator sees it. */
export const SupportVisit = z.object({
  id: z.uuid(),
  pharmacyId: z.uuid(),
  pharmacyName: z.string(),
  /** Until its end. */
  secondsLeft: z.int(),
})
export type SupportVisit = z.infer<typeof SupportVisit>

/**
 * Starts a visit: the administrator sees the pharmacy's pages for 30 minutes, read only and with personal data masked.
 * It ends an earlier visit of the same session, and is over when the session is.
 */
export const startSupportVisit = endpoint({
  method: 'POST',
  path: '/api/admin/support-visits',
  summary: 'Start a read-only visit to the pages of a pharmacy',
  access: 'admin',
  audit: 'support_visit_started',
  body: z.strictObject({ pharmacyId: z.uuid(), reason: VisitReason }),
  response: SupportVisit,
  status: 201,
  errors: [
    'pharmacies.not_found',
    'pharmacy.inactive',
    'support.administrator',
    'support.no_visit',
  ],
})

export const getCurrentVisit = endpoint({
  method: 'GET',
  path: '/api/admin/support-visits/current',
  summary: 'Get the visit in progress of this session',
  access: 'admin',
  response: z.object({ visit: z.nullable(SupportVisit) }),
  errors: [],
})

/** Succeeds when the visit is over already. */
export const endSupportVisit = endpoint({
  method: 'DELETE',
  path: '/api/admin/support-visits/:visitId',
  summary: 'End a visit',
  access: 'admin',
  audit: 'support_visit_ended',
  params: z.object({ visitId: z.uuid() }),
  response: z.object({}),
  errors: [],
})

/** A visit as the pharmacy sees it. Times are ISO 8601. */
export const ReceivedVisit = z.object({
  id: z.uuid(),
  /** The name of the administrator; null for one without a name. */
  administrator: z.nullable(z.string()),
  reason: z.string(),
  startedAt: z.string(),
  /** Null while it lasts. */
  endedAt: z.nullable(z.string()),
})
export type ReceivedVisit = z.infer<typeof ReceivedVisit>

/** The most visits listed. */
export const MAX_VISITS_LISTED = 100

export const listSupportVisits = endpoint({
  method: 'GET',
  path: '/api/support-visits',
  summary: 'List the visits of the support to the own pharmacy, the newest first, at most 100',
  access: 'pharmacy',
  role: 'owner',
  response: z.object({ visits: z.array(ReceivedVisit).check(z.maxLength(MAX_VISITS_LISTED)) }),
  errors: [],
})
