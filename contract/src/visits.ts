import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ORDER_CODE } from './order-codes.ts'
import { VISIT_TAGS } from './visit-tags.ts'

/**
 * What happens on a public page. `view`: the page is opened. `offer_seen`: offers were on the screen for a second.
 * `staff`: the browser is signed in, so that the view counts among those that are left out.
 */
export const VisitKind = z.enum([
  'view',
  'offer_seen',
  'offer_opened',
  'whatsapp_tapped',
  'call_tapped',
  'staff',
])
export type VisitKind = z.infer<typeof VisitKind>

/** Views of a page by one visitor within this time count once. */
export const VIEW_DEDUPLICATION_SECONDS = 30

/** A visit ends after this time without a view. */
export const VISIT_MINUTES = 30

/** Days after which order codes are removed. */
export const ORDER_CODE_DAYS = 60

/** The most offers of one visit. */
export const MAX_SEEN_OFFERS = 100

/** The request headers by which bots, staff, prefetches and visitors who opted out (DNT, GPC) are excluded. */
export const VisitHeaders = z.object({
  'user-agent': z.string().default(''),
  authorization: z.string().optional(),
  dnt: z.string().optional(),
  'sec-gpc': z.string().optional(),
  purpose: z.string().optional(),
  'sec-purpose': z.string().optional(),
})
export type VisitHeaders = z.infer<typeof VisitHeaders>

/**
 * Sent as a beacon. The response is the same whether or not the visit was counted. Nothing in it identifies the browser:
 * the server tells visitors apart.
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
    kind: VisitKind,
    offerIds: z.array(z.uuid()).max(MAX_SEEN_OFFERS).default([]),
    /** The referrer of the page, of which its origin is kept. */
    referrer: z.string().max(10_000).nullable().default(null),
    /** As in the link; unknown ones count as none. */
    tag: z.enum(VISIT_TAGS).nullable().catch(null).default(null),
    /** The code in the text of an order, if it has one. */
    code: z.string().regex(ORDER_CODE).nullable().default(null),
  }),
  response: z.object({}),
  errors: ['visits.too_many'],
})

/** What the page that explains the counting is made of. */
export type CountingPage = {
  pharmacyName: string
  /** The readable code. */
  pharmacyCode: string
  isCounting: boolean
  hasOrderCodes: boolean
  /** Days for which single visits are kept. */
  visitDays: number
  /** The most that is counted of a network: `visits` in so many minutes, and `visitors` in a day. */
  limit: { visits: number; minutes: number; visitors: number }
}
