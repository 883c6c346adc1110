import { z } from 'zod'
import {
  AnalyticsPeriod,
  AnalyticsQuery,
  ExclusionReason,
  VisitDevice,
  VisitSource,
} from './analytics.ts'
import { endpoint } from './endpoint.ts'

const count = z.number().int()

export const OfferFunnel = z.object({
  offerId: z.uuid(),
  /** Null of an offer that is gone. */
  name: z.string().nullable(),
  imageUrl: z.string().nullable(),
  state: z.enum(['active', 'planned', 'ended', 'inactive', 'gone']),
  /** The picture cannot be shown any more. */
  lostPicture: z.boolean(),
  seen: count,
  opened: count,
  whatsappTaps: count,
  /** Orders with the code of a message; null while the pharmacy has no order codes. */
  ordered: count.nullable(),
})
export type OfferFunnel = z.infer<typeof OfferFunnel>

/** The most offers of one answer. */
export const MAX_FUNNEL_OFFERS = 50

export const Traffic = z.object({
  period: AnalyticsPeriod,
  /** Views by weekday, Monday first, and hour of the day in Rome. */
  weekHours: z.array(z.array(count).length(24)).length(7),
  /** Null, as the other parts are, where the figures cannot be read: single visits do not tell. */
  sources: z.array(z.object({ source: VisitSource, views: count })).nullable(),
  devices: z.array(z.object({ device: VisitDevice, views: count })).nullable(),
  excluded: z.array(z.object({ reason: ExclusionReason, amount: count })).nullable(),
  /** Of all offers together. */
  funnel: z.object({
    views: count,
    opened: count,
    whatsappTaps: count,
    ordered: count.nullable(),
  }),
  /** Those that were seen most, at most `MAX_FUNNEL_OFFERS`. */
  offers: z.array(OfferFunnel).nullable(),
  /**
   * Those that have ended, or whose picture cannot be shown any more; the most seen first, at most `MAX_FUNNEL_OFFERS`.
   * Not all of them are among `offers`.
   */
  attention: z.array(OfferFunnel).nullable(),
})
export type Traffic = z.infer<typeof Traffic>

export const getTraffic = endpoint({
  method: 'GET',
  path: '/api/analytics/traffic',
  summary: 'Get the visits of a period: hours, sources, devices, offers',
  access: 'pharmacy',
  feature: 'analytics',
  query: AnalyticsQuery,
  response: Traffic,
  errors: ['analytics.failed'],
})
