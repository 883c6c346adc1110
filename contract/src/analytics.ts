import { z } from 'zod/mini'
import { AnalyticsNote } from './analytics-notes.ts'
import { Day } from './dates.ts'
import { endpoint } from './endpoint.ts'
import { ExportFormat } from './order-exports.ts'
import { PriorityReport } from './priority-report.ts'

const guard = { access: 'pharmacy', feature: 'analytics' } as const

/** No figures before this day. */
export const FIRST_DAY: Day = '2020-01-01'

/** Where a view came from: the tag of a link that the pharmacy gave out, or else the referring page. */
export const PageViewSource = z.enum([
  'flyer',
  'poster',
  'link',
  'share',
  'whatsapp',
  'social',
  'search',
  'site',
  'direct',
])
export type PageViewSource = z.infer<typeof PageViewSource>

export const PageViewDevice = z.enum(['phone', 'tablet', 'computer'])
export type PageViewDevice = z.infer<typeof PageViewDevice>

/** Why a view was not counted. `privacy`: Do Not Track or Global Privacy Control. */
export const ExclusionReason = z.enum(['bot', 'preview', 'staff', 'privacy', 'limit'])
export type ExclusionReason = z.infer<typeof ExclusionReason>

/**
 * What a period is compared with: the days just before it, as many as it has, or the same weekdays a year earlier; of a
 * period longer than 364 days the nearest same weekdays before it. Of today only the hours that have passed are
 * compared.
 */
export const Comparison = z.enum(['precedente', 'anno'])
export type Comparison = z.infer<typeof Comparison>

/** Days in Rome, both included. Not before `FIRST_DAY` and not after today. */
export const AnalyticsQuery = z
  .object({ dal: Day, al: Day, confronto: z._default(Comparison, 'precedente') })
  .check(z.refine(({ dal, al }) => FIRST_DAY <= dal && dal <= al))

/** The period of an answer: its days in Rome, both included, and what it is compared with. */
export const AnalyticsPeriod = z.object({ dal: Day, al: Day, confronto: Comparison })
export type AnalyticsPeriod = z.infer<typeof AnalyticsPeriod>

const count = z.int()

/** The orders of a time, by their present status. `processing` are the booked ones, which are among `completed`. */
const OrderCounts = z.object({
  total: count,
  completed: count,
  cancelled: count,
  pending: count,
  processing: count,
})

/** The figures of an hour, a day or a month. */
export const AnalyticsPoint = z.extend(OrderCounts, {
  /** The beginning, ISO 8601. A day has 23 or 25 hours when the clocks change. */
  at: z.string(),
  views: count,
  /** Visitors of a day; null for hours and months, whose visitors cannot be told apart. */
  uniqueVisitors: z.nullable(count),
  offersOpened: count,
  whatsappTaps: count,
})
export type AnalyticsPoint = z.infer<typeof AnalyticsPoint>

export const AnalyticsSummary = z.object({
  totalPageViews: count,
  /** The visitors of the day that had the most. */
  uniqueVisitors: count,
  /** The mean of the visitors of each day since the first with page views, with one decimal. */
  dailyVisitors: z.number(),
  visits: count,
  offersOpened: count,
  whatsappTaps: count,
  callTaps: count,
  /** Page views that were not counted; also of a compared day always those of the whole day. */
  excluded: count,
  totalOrders: count,
  completedOrders: count,
  cancelledOrders: count,
  processingOrders: count,
  /** Orders for each hundred views, with two decimals. */
  conversionRate: z.number(),
  /** Completed orders for each hundred orders, with two decimals. */
  completionRate: z.number(),
})
export type AnalyticsSummary = z.infer<typeof AnalyticsSummary>

/** The figures of the compared period. Null where page views or orders were not counted yet when it began. */
const PreviousSummary = z.object({
  totalPageViews: z.nullable(count),
  uniqueVisitors: z.nullable(count),
  totalOrders: z.nullable(count),
  conversionRate: z.nullable(z.number()),
})

export const Analytics = z.object({
  period: AnalyticsPeriod,
  /** Where the orders come from: the badge reads 'Supabase DB' or 'Airtable'. */
  source: z.enum(['database', 'airtable']),
  /** When the orders were last read from Airtable; null where they are not, or never were. */
  syncedAt: z.nullable(z.string()),
  /** Airtable did not answer: the orders are those of `syncedAt`. */
  isStale: z.boolean(),
  /** The orders could not be read: they are zero. */
  ordersFailed: z.boolean(),
  /** The figures could not be read: what is still kept of page views and orders was counted. */
  isLive: z.boolean(),
  /** When the figures were read, ISO 8601. */
  updatedAt: z.string(),
  /** Hours for a single day, months for more than 366 days. */
  bucket: z.enum(['hour', 'day', 'month']),
  /** One for each bucket of the period, also for those to come. */
  points: z.array(AnalyticsPoint),
  /**
   * The days that the period is compared with. `until`: the time (ISO 8601) up to which the last of them counts, where
   * the period ends today; null where it counts as a whole.
   */
  compared: z.object({ dal: Day, al: Day, until: z.nullable(z.string()) }),
  /**
   * The compared period, bucket by bucket; it may have more or fewer. Its last day counts until `compared.until`, but
   * the hours of a single day are all there. Empty where its views are unknown.
   */
  previousPoints: z.array(z.pick(AnalyticsPoint, { at: true, views: true, total: true })),
  summary: AnalyticsSummary,
  /** Null where neither page views nor orders were counted yet when the compared period began. */
  previous: z.nullable(PreviousSummary),
  notes: z.array(AnalyticsNote),
  /** The first day with page views or orders; null where there are none. */
  firstDay: z.nullable(Day),
})
export type Analytics = z.infer<typeof Analytics>

export const getAnalytics = endpoint({
  method: 'GET',
  path: '/api/analytics',
  summary: 'Get the figures of a period',
  ...guard,
  supportSession: 'masked',
  query: z.safeExtend(AnalyticsQuery, {
    /** Counts what has happened until now first, instead of a minute ago. */
    aggiorna: z.optional(z.literal('true')),
  }),
  response: Analytics,
  errors: ['analytics.failed'],
})

/** How long orders waited until they were confirmed or booked, in whole minutes. */
export const OrderWaits = z.object({
  confirmed: count,
  /** Minutes; null without confirmed orders. */
  medianMinutes: z.nullable(z.number()),
  p90Minutes: z.nullable(z.number()),
  /** By the hour in Rome at which the order was created. */
  hours: z
    .array(z.object({ hour: count, confirmed: count, medianMinutes: z.nullable(z.number()) }))
    .check(z.length(24)),
})

/** The orders that became ready in a time, without those that were cancelled instead of collected. In whole minutes. */
export const PickupFigures = z.object({
  ready: count,
  /** From the order until it was ready; null without ready orders. */
  readyMedian: z.nullable(count),
  readyP90: z.nullable(count),
  collected: count,
  /** From ready until collected; null without collected orders. */
  collectedMedian: z.nullable(count),
  collectedP90: z.nullable(count),
  /** Put back, or overdue now. Of the others customers still have time. */
  notCollected: count,
})
export type PickupFigures = z.infer<typeof PickupFigures>

export const OrderPickups = z.extend(PickupFigures, {
  /** By the day in Rome on which they became ready, Monday first. */
  weekdays: z.array(PickupFigures).check(z.length(7)),
  /**
   * Of the compared period; null where no order was ready yet when it began. What was collected is not compared: it
   * had more time.
   */
  previous: z.nullable(z.pick(PickupFigures, { ready: true, readyMedian: true })),
  /** Whether any order of the pharmacy was ever ready. */
  hasBegun: z.boolean(),
})
export type OrderPickups = z.infer<typeof OrderPickups>

/** The arrivals with priority access of a day or a month. */
export const ArrivalPoint = z.extend(
  z.pick(PriorityReport, {
    arrivals: true,
    called: true,
    noShows: true,
  }),
  {
    at: z.string(),
  },
)
export type ArrivalPoint = z.infer<typeof ArrivalPoint>

export const OrderAnalytics = z.object({
  period: AnalyticsPeriod,
  waits: OrderWaits,
  pickups: OrderPickups,
  /** Null for a pharmacy without priority access. The waits are those of priority sessions that are still kept. */
  priority: z.nullable(
    z.extend(PriorityReport, {
      bucket: z.enum(['day', 'month']),
      points: z.array(ArrivalPoint),
    }),
  ),
})
export type OrderAnalytics = z.infer<typeof OrderAnalytics>

export const getOrderAnalytics = endpoint({
  method: 'GET',
  path: '/api/analytics/orders',
  summary:
    'Get how long orders and arrived customers of a period waited, and how soon orders were collected',
  ...guard,
  supportSession: 'shown',
  query: AnalyticsQuery,
  response: OrderAnalytics,
  errors: ['analytics.failed'],
})

/** The last minutes that count as now. */
export const NOW_MINUTES = 5

export const getPresentVisitors = endpoint({
  method: 'GET',
  path: '/api/analytics/now',
  summary: 'Count the visitors of the last five minutes',
  ...guard,
  supportSession: 'shown',
  response: z.object({ visitors: count, views: count }),
  errors: [],
})

/**
 * The tables that can be downloaded.
 * - `panoramica`: page views and orders by hour, day or month
 * - `ore`: views by weekday and hour
 * - `provenienza`: sources, devices and exclusions
 * - `offerte`: the funnel of each offer
 * - `ordini`: orders by status, by hour, day or month
 * - `arrivi`: arrivals with priority access, by day or month
 * - `attese`: how long orders and arrived customers waited, by the hour of the day
 * - `ritiro`: how soon orders were ready and collected, by weekday
 */
export const AnalyticsTable = z.enum([
  'panoramica',
  'ore',
  'provenienza',
  'offerte',
  'ordini',
  'arrivi',
  'attese',
  'ritiro',
])
export type AnalyticsTable = z.infer<typeof AnalyticsTable>

/** The file contains neither customers nor what they ordered. */
export const downloadAnalytics = endpoint({
  method: 'GET',
  path: '/api/analytics/export',
  summary: 'Download a table of a period',
  ...guard,
  query: z.safeExtend(AnalyticsQuery, { tabella: AnalyticsTable, formato: ExportFormat }),
  response: z.string().check(z.meta({ contentMediaType: 'application/octet-stream' })),
  errors: ['analytics.failed'],
})
