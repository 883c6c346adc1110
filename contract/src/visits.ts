import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MOST_ORDERED } from './whatsapp-order.ts'

/** What visitors of a public page do. `view` is the page itself. */
export const VisitKind = z.enum(['view', 'offer_opened', 'whatsapp_tapped', 'call_tapped'])
export type VisitKind = z.infer<typeof VisitKind>

/** Signs of an address or of a browser's name that are kept. */
export const MOST_VISIT_TEXT = 500

/** Seconds in which a page is counted once for a session. */
export const VIEW_ONCE_SECONDS = 30

/** What a browser says of a visit besides: by it bots, staff and who asks not to be counted are left out. */
export const VisitHeaders = z.object({
  'user-agent': z.string().default(''),
  authorization: z.string().optional(),
  dnt: z.string().optional(),
  'sec-gpc': z.string().optional(),
  purpose: z.string().default(''),
  'sec-purpose': z.string().default(''),
})
export type VisitHeaders = z.infer<typeof VisitHeaders>

/**
 * Sent as a beacon: nobody waits for its answer, which is the same whether anything was written or not. Bots are
 * left out; a page is counted once in 30 seconds for a session.
 */
export const recordVisit = endpoint({
  method: 'POST',
  path: '/api/public/visits',
  summary: 'Counts a visit of a public page',
  access: 'public',
  headers: VisitHeaders,
  mostBodyBytes: 16 * 1024,
  body: z.strictObject({
    /** The readable code. */
    pharmacyId: z.string().min(1).max(100),
    /** Of the browser's session, made by the page. */
    sessionId: z.uuid(),
    kind: VisitKind,
    offerIds: z.array(z.uuid()).max(MOST_ORDERED).default([]),
    /** Where the visitor came from; longer ones are cut. */
    referrer: z.string().max(10_000).nullable().default(null),
  }),
  response: z.object({}),
  errors: ['visits.too_many'],
})
