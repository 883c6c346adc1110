import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MAX_ORDERED_PRODUCTS } from './whatsapp-order.ts'

/** An action of a visitor on a public page. `view` is opening the page. */
export const VisitKind = z.enum(['view', 'offer_opened', 'whatsapp_tapped', 'call_tapped'])
export type VisitKind = z.infer<typeof VisitKind>

/** Longer referrers and user agents are truncated to this length, in characters. */
export const MAX_VISIT_TEXT_LENGTH = 500

/** Views of the same page in one session within this time count once. */
export const VIEW_DEDUPLICATION_SECONDS = 30

/** The request headers by which bots, staff, prefetches and visitors who opted out (DNT, GPC) are excluded. */
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
 * Sent as a beacon. The response is the same whether or not the visit was counted. Bots are excluded, and a page counts
 * once per session in 30 seconds.
 */
export const recordVisit = endpoint({
  method: 'POST',
  path: '/api/public/visits',
  summary: 'Record a visit of a public page',
  access: 'public',
  headers: VisitHeaders,
  body: z.strictObject({
    /** The readable code. */
    pharmacyId: z.string().min(1).max(100),
    /** A random id of the browser session, created by the page. */
    sessionId: z.uuid(),
    kind: VisitKind,
    offerIds: z.array(z.uuid()).max(MAX_ORDERED_PRODUCTS).default([]),
    /** The referrer of the page; longer ones are truncated. */
    referrer: z.string().max(10_000).nullable().default(null),
  }),
  response: z.object({}),
  errors: ['visits.too_many'],
})
