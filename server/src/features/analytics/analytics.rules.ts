import type {
  Analytics,
  AnalyticsPeriod,
  AnalyticsPoint,
  AnalyticsQuery,
  AnalyticsSummary,
} from '@bancone/contract/analytics'
import { rate } from '@bancone/contract/analytics-figures'
import type { AnalyticsNote } from '@bancone/contract/analytics-notes'
import {
  MAX_FUNNEL_OFFERS,
  type OfferFunnel,
  type Traffic,
} from '@bancone/contract/analytics-traffic'
import { addDays, DAY_MS, type Day, dayOf } from '@bancone/contract/dates'
import type { z } from 'zod'
import { romeOffset } from '../../platform/rome-time.ts'
import type { Days, Figures, Span } from './analytics-buckets.store.ts'
import type { ArrivalDay } from './arrival-figures.store.ts'
import type { OfferChanges } from './notes.store.ts'
import type { OrderDay, OrderHour } from './order-figures.store.ts'
import type { PageViewDay, PageViewHour } from './page-view-figures.store.ts'
import type { CountedOffer, FirstDays, Shares } from './traffic.store.ts'

export type PageViewFigures = Figures<PageViewDay, PageViewHour>
export type OrderFigures = Figures<OrderDay, OrderHour>

type Query = z.output<typeof AnalyticsQuery>

/** The most days of a period that is shown by days. */
const MAX_DAY_POINTS = 366

const WEEK_DAYS = 7
/** 52 weeks, so that the weekdays are the same. */
const YEAR_DAYS = 52 * WEEK_DAYS

export const daysOf = ({ dal, al }: Query): Days => ({ from: dal, to: al })

/** The period as answers state it. */
export const periodOf = ({ dal, al, confronto }: Query): AnalyticsPeriod => ({ dal, al, confronto })

export const lengthOf = ({ from, to }: Days) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

export function bucketOf(days: Days): Analytics['bucket'] {
  const length = lengthOf(days)
  if (length === 1) return 'hour'
  return length <= MAX_DAY_POINTS ? 'day' : 'month'
}

/** What a period is compared with. @param now milliseconds since 1970 */
export function comparedSpan({ dal, al, confronto }: Query, now: number): Span {
  const length = lengthOf({ from: dal, to: al })
  // A longer period than a year goes back by more weeks, so that no day is compared with itself.
  const yearBack = Math.max(YEAR_DAYS, Math.ceil(length / WEEK_DAYS) * WEEK_DAYS)
  const back = confronto === 'anno' ? yearBack : length
  const to = addDays(al, -back)
  return { from: addDays(dal, -back), to, until: al === dayOf(now) ? sameTimeOn(to, now) : null }
}

/** When the clocks in Rome show the time of `now` on another day. @returns ISO 8601 */
export function sameTimeOn(day: Day, now: number): string {
  const sinceMidnight = now + romeOffset(now) - Date.parse(dayOf(now))
  const shown = Date.parse(day) + sinceMidnight
  return new Date(shown - romeOffset(shown - romeOffset(now))).toISOString()
}

const noOrders = { total: 0, completed: 0, cancelled: 0, processing: 0 }

/** What is shown where the orders of these times could not be read. */
export function withoutOrders({ days, hours }: PageViewFigures): OrderFigures {
  return {
    days: days.map(({ at, day }) => ({ at, day, ...noOrders })),
    hours: hours && hours.map(({ at }) => ({ at, ...noOrders })),
  }
}

export function pointsOf(
  bucket: Analytics['bucket'],
  pageViews: PageViewFigures,
  orders: OrderFigures,
): AnalyticsPoint[] {
  const [pageViewRows, orderRows] =
    bucket === 'hour' ? [pageViews.hours ?? [], orders.hours ?? []] : [pageViews.days, orders.days]
  const ordersAt = new Map(orderRows.map((row) => [row.at, row]))
  const points = pageViewRows.map((row) => ({
    ...pointOf(row, ordersAt.get(row.at) ?? noOrders),
    uniqueVisitors: bucket === 'day' ? row.uniqueVisitors : null,
  }))
  return bucket === 'month' ? monthsOf(pageViews.days, points) : points
}

function pointOf(pageViews: PageViewHour, orders: Omit<OrderHour, 'at'>) {
  const { at, views, offersOpened, whatsappTaps } = pageViews
  const { total, completed, cancelled, processing } = orders
  const pending = total - completed - cancelled
  return {
    at,
    views,
    offersOpened,
    whatsappTaps,
    total,
    completed,
    cancelled,
    pending,
    processing,
  }
}

const additive = [
  'views',
  'offersOpened',
  'whatsappTaps',
  'total',
  'completed',
  'cancelled',
  'pending',
  'processing',
] as const

/** Days in a group for each month. */
function byMonth<Row extends { day: Day }>(days: readonly Row[]): Row[][] {
  const months = new Map<string, Row[]>()
  for (const row of days) {
    const name = row.day.slice(0, 7)
    months.set(name, [...(months.get(name) ?? []), row])
  }
  return [...months.values()]
}

/** The points of days, added up by month. The first month begins with the period. */
function monthsOf(
  days: readonly PageViewDay[],
  points: readonly AnalyticsPoint[],
): AnalyticsPoint[] {
  const ofDays = points.map((point, n) => ({ day: days[n]?.day ?? '', point }))
  return byMonth(ofDays).flatMap(([first, ...others]) => {
    if (!first) return []
    const month = { ...first.point }
    for (const { point } of others) for (const figure of additive) month[figure] += point[figure]
    return month
  })
}

/** Arrivals by day, or by month where the points of the period are months, and their sums. */
export function arrivalFigures(period: Days, days: readonly ArrivalDay[]) {
  const bucket = bucketOf(period) === 'month' ? ('month' as const) : ('day' as const)
  const sums = (rows: readonly ArrivalDay[]) => ({
    arrivals: sum(rows, (row) => row.arrivals),
    called: sum(rows, (row) => row.called),
    noShows: sum(rows, (row) => row.noShows),
  })
  const groups = bucket === 'month' ? byMonth(days) : days.map((day) => [day])
  const points = groups.map((group) => ({ at: group[0]?.at ?? '', ...sums(group) }))
  return { ...sums(days), bucket, points }
}

export function summaryOf(
  pageViews: PageViewFigures,
  orders: OrderFigures,
  firstPageViews: Day | null,
): AnalyticsSummary {
  const counted = (of: (day: PageViewDay) => number) => sum(pageViews.days, of)
  const ordered = (of: (day: OrderDay) => number) => sum(orders.days, of)
  const views = counted((day) => day.views)
  const total = ordered((day) => day.total)
  const completed = ordered((day) => day.completed)
  const known = pageViews.days.filter(({ day }) => isKnownOn(day, firstPageViews))
  const daily = sum(known, (day) => day.uniqueVisitors) / Math.max(1, known.length)
  return {
    totalPageViews: views,
    uniqueVisitors: Math.max(0, ...pageViews.days.map((day) => day.uniqueVisitors)),
    dailyVisitors: Math.round(daily * 10) / 10,
    visits: counted((day) => day.visits),
    offersOpened: counted((day) => day.offersOpened),
    whatsappTaps: counted((day) => day.whatsappTaps),
    callTaps: counted((day) => day.callTaps),
    excluded: counted((day) => day.excluded),
    totalOrders: total,
    completedOrders: completed,
    cancelledOrders: ordered((day) => day.cancelled),
    processingOrders: ordered((day) => day.processing),
    conversionRate: rate(total, views),
    completionRate: rate(completed, total),
  }
}

/** Whether something whose first day is `first` was counted on a day. */
const isKnownOn = (day: Day, first: Day | null) => first !== null && first <= day

/** The figures of the compared period, as far as they were counted from its first day on. */
export function previousOf(
  pageViews: PageViewFigures,
  orders: OrderFigures,
  { from }: Days,
  first: FirstDays,
): Analytics['previous'] {
  const hasPageViews = isKnownOn(from, first.pageViews)
  const hasOrders = isKnownOn(from, first.orders)
  if (!hasPageViews && !hasOrders) return null
  const summary = summaryOf(pageViews, orders, first.pageViews)
  return {
    totalPageViews: hasPageViews ? summary.totalPageViews : null,
    uniqueVisitors: hasPageViews ? summary.uniqueVisitors : null,
    totalOrders: hasOrders ? summary.totalOrders : null,
    conversionRate: hasPageViews && hasOrders ? summary.conversionRate : null,
  }
}

/** The first day with page views or orders. */
export function firstDayOf({ pageViews, orders }: FirstDays): Day | null {
  if (pageViews === null || orders === null) return pageViews ?? orders
  return pageViews < orders ? pageViews : orders
}

export function sum<Row>(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((all, row) => all + of(row), 0)
}

/** The notes of a period, by day: those of the pharmacy, what happened to its offers, and holidays. */
export function notesOf(
  own: readonly AnalyticsNote[],
  changes: readonly OfferChanges[],
  holidays: readonly { day: Day; name: string }[],
): AnalyticsNote[] {
  const notes: AnalyticsNote[] = [
    ...holidays.map(({ day, name }) => ({ id: null, day, kind: 'holiday' as const, text: name })),
    ...changes.map((change) => ({
      id: null,
      day: change.day,
      kind: change.kind,
      text: changeText(change),
    })),
    ...own,
  ]
  return notes.toSorted((one, other) => one.day.localeCompare(other.day))
}

function changeText({ kind, offers, name }: OfferChanges): string {
  const ofName = name === null ? '' : `: ${name}`
  if (kind === 'published')
    return offers === 1 ? `Offerta pubblicata${ofName}` : `${offers} offerte pubblicate`
  return offers === 1 ? `Prezzo cambiato${ofName}` : `${offers} prezzi cambiati`
}

/** The funnel of all offers together. */
export function funnelOf(days: readonly PageViewDay[], hasOrderCodes: boolean): Traffic['funnel'] {
  return {
    views: sum(days, (day) => day.views),
    opened: sum(days, (day) => day.offersOpened),
    whatsappTaps: sum(days, (day) => day.whatsappTaps),
    ordered: hasOrderCodes ? sum(days, (day) => day.codedOrders) : null,
  }
}

/** Seven lists of 24 hours, Monday first. */
export function weekOf(rows: readonly { weekday: number; hour: number; views: number }[]) {
  const week = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0))
  for (const { weekday, hour, views } of rows) {
    const day = week[weekday - 1]
    if (day) day[hour] = views
  }
  return week
}

/** @param shares null where they cannot be read */
export function sharesOf(shares: Shares | null): Pick<Traffic, 'sources' | 'devices' | 'excluded'> {
  if (shares === null) return { sources: null, devices: null, excluded: null }
  return {
    sources: shares.sources.map(({ value, amount }) => ({ source: value, views: amount })),
    devices: shares.devices.map(({ value, amount }) => ({ device: value, views: amount })),
    excluded: shares.excluded.map(({ value, amount }) => ({ reason: value, amount })),
  }
}

/** @param counted by their position; null where they cannot be read */
export function offersOf(
  counted: readonly CountedOffer[] | null,
  hasOrderCodes: boolean,
): Pick<Traffic, 'offers' | 'attention'> {
  if (counted === null) return { offers: null, attention: null }
  const shown = ({ position: _, ...offer }: CountedOffer): OfferFunnel =>
    hasOrderCodes ? offer : { ...offer, ordered: null }
  return {
    offers: counted.filter(({ position }) => position <= MAX_FUNNEL_OFFERS).map(shown),
    attention: counted.filter(needsAttention).slice(0, MAX_FUNNEL_OFFERS).map(shown),
  }
}

/** Customers looked at the offer, and it has ended, or they cannot see its picture any more. */
function needsAttention({ state, lostPicture }: OfferFunnel): boolean {
  return state === 'ended' || (lostPicture && state !== 'gone')
}
