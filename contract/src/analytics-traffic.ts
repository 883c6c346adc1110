import { z } from 'zod/mini'
import {
  AnalyticsPeriod,
  AnalyticsQuery,
  ExclusionReason,
  PageViewDevice,
  PageViewSource,
} from './analytics.ts'
import { endpoint } from './endpoint.ts'

const count = z.int()

export const OfferFunnel = z.object({
  offerId: z.uuid(),
  /** Null of an offer that is gone. */
  name: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  state: z.enum(['active', 'planned', 'ended', 'inactive', 'gone']),
  /** The picture cannot be shown any more. */
  lostPicture: z.boolean(),
  seen: count,
  opened: count,
  whatsappTaps: count,
  /** Orders with the code of a message; null while the pharmacy has no order codes. */
  ordered: z.nullable(count),
})
export type OfferFunnel = z.infer<typeof OfferFunnel>

/** The most offers of one answer. */
export const MAX_FUNNEL_OFFERS = 50

export const Traffic = z.object({
  period: AnalyticsPeriod,
  /** Views by weekday, Monday first, and hour of the day in Rome. */
  weekHours: z.array(z.array(count).check(z.length(24))).check(z.length(7)),
  /** Null, as the other parts are, where the figures cannot be read: single page views do not tell. */
  sources: z.nullable(z.array(z.object({ source: PageViewSource, views: count }))),
  devices: z.nullable(z.array(z.object({ device: PageViewDevice, views: count }))),
  excluded: z.nullable(z.array(z.object({ reason: ExclusionReason, amount: count }))),
  /** Of all offers together. */
  funnel: z.object({
    views: count,
    opened: count,
    whatsappTaps: count,
    ordered: z.nullable(count),
  }),
  /** Those that were seen most, at most `MAX_FUNNEL_OFFERS`. */
  offers: z.nullable(z.array(OfferFunnel)),
  /**
   * Those that have ended, or whose picture cannot be shown any more; the most seen first, at most `MAX_FUNNEL_OFFERS`.
   * Not all of them are among `offers`.
   */
  attention: z.nullable(z.array(OfferFunnel)),
})
export type Traffic = z.infer<typeof Traffic>

export const getTraffic = endpoint({
  method: 'GET',
  path: '/api/analytics/traffic',
  summary: 'Get the page views of a period: hours, sources, devices, offers',
  access: 'pharmacy',
  feature: 'analytics',
  supportSession: 'shown',
  query: AnalyticsQuery,
  response: Traffic,
  errors: ['analytics.failed'],
})
