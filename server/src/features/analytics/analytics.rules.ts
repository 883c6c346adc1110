import type {
  Analytics,
  AnalyticsNote,
  AnalyticsPeriod,
  AnalyticsPoint,
  AnalyticsQuery,
  AnalyticsSummary,
} from '@bancone/contract/analytics'
import { rate } from '@bancone/contract/analytics-figures'
import type { OfferFunnel, Traffic } from '@bancone/contract/analytics-traffic'
import { addDays, type Day, dayOf } from '@bancone/contract/dates'
import type { z } from 'zod'
import { romeOffset } from '../../rome-time.ts'
import type { Days, Figures, Span } from './analytics-buckets.store.ts'
import type { OfferChanges } from './notes.store.ts'
import type { OrderDay, OrderHour } from './order-figures.store.ts'
import type { FirstDays } from './traffic.store.ts'
import type { VisitDay, VisitHour } from './visit-figures.store.ts'

export type VisitFigures = Figures<VisitDay, VisitHour>
export type OrderFigures = Figures<OrderDay, OrderHour>

type Query = z.output<typeof AnalyticsQuery>

const DAY_MS = 24 * 60 * 60_000

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
export function withoutOrders({ days, hours }: VisitFigures): OrderFigures {
  return {
    days: days.map(({ at, day }) => ({ at, day, ...noOrders })),
    hours: hours && hours.map(({ at }) => ({ at, ...noOrders })),
  }
}

export function pointsOf(
  bucket: Analytics['bucket'],
  visits: VisitFigures,
  orders: OrderFigures,
): AnalyticsPoint[] {
  const [visitRows, orderRows] =
    bucket === 'hour' ? [visits.hours ?? [], orders.hours ?? []] : [visits.days, orders.days]
  const ordersAt = new Map(orderRows.map((row) => [row.at, row]))
  const points = visitRows.map((row) => ({
    ...pointOf(row, ordersAt.get(row.at) ?? noOrders),
    uniqueVisitors: bucket === 'day' ? row.uniqueVisitors : null,
  }))
  return bucket === 'month' ? monthsOf(visits.days, points) : points
}

function pointOf(visits: VisitHour, orders: Omit<OrderHour, 'at'>) {
  const { at, views, offersOpened, whatsappTaps } = visits
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

/** The points of days, added up by month. The first month begins with the period. */
function monthsOf(days: readonly VisitDay[], points: readonly AnalyticsPoint[]): AnalyticsPoint[] {
  const months = new Map<string, AnalyticsPoint>()
  for (const [n, point] of points.entries()) {
    const name = days[n]?.day.slice(0, 7) ?? ''
    const month = months.get(name)
    if (!month) months.set(name, { ...point })
    else for (const figure of additive) month[figure] += point[figure]
  }
  return [...months.values()]
}

export function summaryOf(
  visits: VisitFigures,
  orders: OrderFigures,
  firstVisits: Day | null,
): AnalyticsSummary {
  const visited = (of: (day: VisitDay) => number) => sum(visits.days, of)
  const ordered = (of: (day: OrderDay) => number) => sum(orders.days, of)
  const views = visited((day) => day.views)
  const total = ordered((day) => day.total)
  const completed = ordered((day) => day.completed)
  const known = visits.days.filter(({ day }) => isKnownOn(day, firstVisits))
  const daily = sum(known, (day) => day.uniqueVisitors) / Math.max(1, known.length)
  return {
    totalPageViews: views,
    uniqueVisitors: Math.max(0, ...visits.days.map((day) => day.uniqueVisitors)),
    dailyVisitors: Math.round(daily * 10) / 10,
    visits: visited((day) => day.visits),
    offersOpened: visited((day) => day.offersOpened),
    whatsappTaps: visited((day) => day.whatsappTaps),
    callTaps: visited((day) => day.callTaps),
    excluded: visited((day) => day.excluded),
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
  visits: VisitFigures,
  orders: OrderFigures,
  { from }: Days,
  first: FirstDays,
): Analytics['previous'] {
  const hasVisits = isKnownOn(from, first.visits)
  const hasOrders = isKnownOn(from, first.orders)
  if (!hasVisits && !hasOrders) return null
  const summary = summaryOf(visits, orders, first.visits)
  return {
    totalPageViews: hasVisits ? summary.totalPageViews : null,
    uniqueVisitors: hasVisits ? summary.uniqueVisitors : null,
    totalOrders: hasOrders ? summary.totalOrders : null,
    conversionRate: hasVisits && hasOrders ? summary.conversionRate : null,
  }
}

/** The first day with visits or orders. */
export function firstDayOf({ visits, orders }: FirstDays): Day | null {
  if (visits === null || orders === null) return visits ?? orders
  return visits < orders ? visits : orders
}

function sum<Row>(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((all, row) => all + of(row), 0)
}

/** The funnel of all offers together. */
export function funnelOf(days: readonly VisitDay[], hasOrderCodes: boolean): Traffic['funnel'] {
  return {
    views: sum(days, (day) => day.views),
    opened: sum(days, (day) => day.offersOpened),
    whatsappTaps: sum(days, (day) => day.whatsappTaps),
    ordered: hasOrderCodes ? sum(days, (day) => day.codedOrders) : null,
  }
}

/** Customers looked at the offer, and it has ended, or they cannot see its picture any more. */
export function needsAttention({ state, lostPicture }: OfferFunnel): boolean {
  return state === 'ended' || (lostPicture && state !== 'gone')
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
