import { z } from 'zod/mini'
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
  'user-agent': z._default(z.string(), ''),
  authorization: z.optional(z.string()),
  dnt: z.optional(z.string()),
  'sec-gpc': z.optional(z.string()),
  purpose: z.optional(z.string()),
  'sec-purpose': z.optional(z.string()),
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
  audit: { none: 'visitors without an account' },
  headers: VisitHeaders,
  body: z.strictObject({
    /** The readable code. */
    pharmacyId: z.string().check(z.minLength(1), z.maxLength(100)),
    kind: VisitKind,
    offerIds: z._default(z.array(z.uuid()).check(z.maxLength(MAX_SEEN_OFFERS)), []),
    /** The referrer of the page, of which its origin is kept. */
    referrer: z._default(z.nullable(z.string().check(z.maxLength(10_000))), null),
    /** As in the link; unknown ones count as none. */
    tag: z._default(z.catch(z.nullable(z.enum(VISIT_TAGS)), null), null),
    /** The code in the text of an order, if it has one. */
    code: z._default(z.nullable(z.string().check(z.regex(ORDER_CODE))), null),
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
