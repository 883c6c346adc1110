import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { LINK_TAGS } from './link-tags.ts'
import { ORDER_CODE } from './order-codes.ts'

/**
 * What happens on a public page. `view`: the page is opened. `offer_seen`: offers were on the screen for a second.
 * `staff`: the browser is signed in, so that the view counts among those that are left out.
 */
export const PageEventKind = z.enum([
  'view',
  'offer_seen',
  'offer_opened',
  'whatsapp_tapped',
  'call_tapped',
  'staff',
])
export type PageEventKind = z.infer<typeof PageEventKind>

/** Views of a page by one visitor within this time count once. */
export const VIEW_DEDUPLICATION_SECONDS = 30

/** A visit ends after this time without a view. */
export const VISIT_MINUTES = 30

/** Days after which order codes are removed. */
export const ORDER_CODE_DAYS = 60

/** The most offers of one event. */
export const MAX_SEEN_OFFERS = 100

/** The request headers by which bots, staff, prefetches and visitors who opted out (DNT, GPC) are excluded. */
export const PageEventHeaders = z.object({
  'user-agent': z._default(z.string(), ''),
  authorization: z.optional(z.string()),
  dnt: z.optional(z.string()),
  'sec-gpc': z.optional(z.string()),
  purpose: z.optional(z.string()),
  'sec-purpose': z.optional(z.string()),
})
export type PageEventHeaders = z.infer<typeof PageEventHeaders>

/**
 * Sent as a beacon. The response is the same whether or not the event was counted. Nothing in it identifies the
 * browser: the server tells visitors apart.
 */
export const recordPageEvent = endpoint({
  method: 'POST',
  path: '/api/public/page-events',
  summary: 'Record what happens on a public page',
  access: 'public',
  audit: { none: 'visitors without an account' },
  headers: PageEventHeaders,
  body: z.strictObject({
    /** The readable code. */
    pharmacyCode: z.string().check(z.minLength(1), z.maxLength(100)),
    kind: PageEventKind,
    offerIds: z._default(z.array(z.uuid()).check(z.maxLength(MAX_SEEN_OFFERS)), []),
    /** The referrer of the page, of which its origin is kept. */
    referrer: z._default(z.nullable(z.string().check(z.maxLength(10_000))), null),
    /** As in the link; unknown ones count as none. */
    tag: z._default(z.catch(z.nullable(z.enum(LINK_TAGS)), null), null),
    /** The code in the text of an order, if it has one. */
    code: z._default(z.nullable(z.string().check(z.regex(ORDER_CODE))), null),
  }),
  response: z.object({}),
  errors: ['page_events.too_many'],
})

/** What the page that explains the counting is made of. */
export type CountingPage = {
  pharmacyName: string
  /** The readable code. */
  pharmacyCode: string
  isCounting: boolean
  hasOrderCodes: boolean
  /** Days for which single page views are kept. */
  pageViewDays: number
  /** The most that is counted of a network: `events` in so many minutes, and `visitors` in a day. */
  limit: { events: number; minutes: number; visitors: number }
}
