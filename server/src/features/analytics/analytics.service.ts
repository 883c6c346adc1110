import { type Feature, hasFeature } from '@bancone/contract/access'
import type {
  Analytics,
  AnalyticsQuery,
  getAnalytics,
  OrderAnalytics,
} from '@bancone/contract/analytics'
import { MAX_FUNNEL_OFFERS, type Traffic } from '@bancone/contract/analytics-traffic'
import { type Day, dayOf } from '@bancone/contract/dates'
import { italianHolidays } from '@bancone/contract/italian-holidays'
import type { Freshness } from '@bancone/contract/order-health'
import type { PriorityReport } from '@bancone/contract/priority-report'
import type { z } from 'zod'
import { AppError } from '../../app-error.ts'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import {
  bucketOf,
  comparedSpan,
  daysOf,
  firstDayOf,
  funnelOf,
  needsAttention,
  notesOf,
  type OrderFigures,
  periodOf,
  pointsOf,
  previousOf,
  summaryOf,
  type VisitFigures,
  weekOf,
  withoutOrders,
} from './analytics.rules.ts'
import type { Days, ReadFigures, Span } from './analytics-buckets.store.ts'
import type { AnalyticsSettingsStore } from './analytics-settings.store.ts'
import type { NotesStore } from './notes.store.ts'
import type { OrderDay, OrderHour } from './order-figures.store.ts'
import type { FirstDays, TrafficStore } from './traffic.store.ts'
import type { VisitDay, VisitHour } from './visit-figures.store.ts'

export type AnalyticsOwner = {
  id: string
  features: readonly Feature[]
  pageSource: { baseId: string; tableId: string } | null
}

type Query = z.output<typeof AnalyticsQuery>

type Dependencies = {
  /** The folded figures of visits, and the visits themselves. */
  visits: Record<'figures' | 'live', ReadFigures<VisitDay, VisitHour>>
  /** The same of orders. */
  orders: Record<'figures' | 'live', ReadFigures<OrderDay, OrderHour>>
  traffic: TrafficStore
  notes: NotesStore
  settings: Pick<AnalyticsSettingsStore, 'of'>
  waits(pharmacyId: string, days: Days): Promise<OrderAnalytics['waits']>
  /** The arrivals with priority access. */
  arrivals(pharmacyId: string, from: Day, to: Day): Promise<PriorityReport>
  /** Makes the copy of the orders fresh, where they are in Airtable. */
  refreshOrders(owner: AnalyticsOwner): Promise<Freshness>
  /** Counts what has happened until now. */
  fold(): Promise<void>
  clock: Clock
  log: { warn(details: object, message: string): void }
}

export type AnalyticsService = ReturnType<typeof createAnalytics>

/** Answers from the folded figures; where they cannot be read, from the visits and orders themselves. */
export function createAnalytics(dependencies: Dependencies) {
  const { visits, orders, traffic, notes, settings, clock, log } = dependencies

  async function fold(pharmacyId: string): Promise<boolean> {
    try {
      await dependencies.fold()
      return true
    } catch (error) {
      log.warn({ err: error, pharmacyId }, 'what has happened could not be counted')
      return false
    }
  }

  /**
   * Where there are no figures yet, or on demand, what has happened is counted before. `hasFigures` is false where the
   * figures cannot be read, or lack everything because the counting fails.
   */
  async function prepare(
    pharmacyId: string,
    mustFold: boolean,
  ): Promise<{ first: FirstDays; hasFigures: boolean }> {
    try {
      const known = mustFold ? null : await traffic.firstDays(pharmacyId)
      if (known && firstDayOf(known) !== null) return { first: known, hasFigures: true }
      const isFolded = await fold(pharmacyId)
      const first = await traffic.firstDays(pharmacyId)
      if (isFolded || firstDayOf(first) !== null) return { first, hasFigures: true }
    } catch (error) {
      log.warn({ err: error, pharmacyId }, 'the first day of analytics could not be read')
    }
    return { first: await traffic.liveFirstDays(pharmacyId), hasFigures: false }
  }

  async function readVisits(
    pharmacyId: string,
    spans: readonly Span[],
    hasFigures = true,
  ): Promise<VisitFigures[]> {
    if (hasFigures) {
      try {
        return await visits.figures(pharmacyId, spans)
      } catch (error) {
        log.warn({ err: error, pharmacyId }, 'the figures of visits could not be read')
      }
    }
    return visits.live(pharmacyId, spans)
  }

  /** @returns null when the orders cannot be read at all */
  async function readOrders(
    pharmacyId: string,
    spans: readonly Span[],
    hasFigures: boolean,
  ): Promise<OrderFigures[] | null> {
    for (const read of hasFigures ? [orders.figures, orders.live] : [orders.live]) {
      try {
        return await read(pharmacyId, spans)
      } catch (error) {
        log.warn({ err: error, pharmacyId }, 'the figures of orders could not be read')
      }
    }
    return null
  }

  /** The orders are those of the copy where Airtable does not answer. */
  async function refresh(owner: AnalyticsOwner) {
    try {
      const { source, stale, syncedAt } = await dependencies.refreshOrders(owner)
      return { source, isStale: stale, syncedAt }
    } catch (error) {
      log.warn({ err: error, pharmacyId: owner.id }, 'the orders could not be read again')
      const isOnAirtable = owner.pageSource !== null
      const source = isOnAirtable ? ('airtable' as const) : ('database' as const)
      return { source, isStale: isOnAirtable, syncedAt: null }
    }
  }

  async function readNotes(pharmacyId: string, days: Days): Promise<Analytics['notes']> {
    const own = await notes.list(pharmacyId, days)
    const changes = await notes.offerChanges(pharmacyId, days)
    return notesOf(own, changes, italianHolidays(days.from, days.to))
  }

  /** @throws AppError `request.invalid` for a period that ends after today */
  function requirePast({ al }: Query): void {
    if (al > dayOf(clock.now())) throw new AppError('request.invalid')
  }

  async function overview(
    owner: AnalyticsOwner,
    query: Query & Partial<z.output<typeof getAnalytics.query>>,
  ): Promise<Analytics> {
    requirePast(query)
    const { id } = owner
    const now = clock.now()
    const days = daysOf(query)
    const compared = comparedSpan(query, now)
    const spans = [{ ...days, until: null }, compared]
    const [copied, { first, hasFigures }] = await Promise.all([
      refresh(owner),
      prepare(id, query.aggiorna === 'true'),
    ])
    const [visited, ordered, noted] = await Promise.all([
      readVisits(id, spans, hasFigures),
      readOrders(id, spans, hasFigures),
      readNotes(id, days),
    ])
    const [current, before] = visited.map((figures, n) => ({
      visits: figures,
      orders: ordered?.[n] ?? withoutOrders(figures),
    }))
    if (!current || !before) throw new Error('there are figures of each span')
    const bucket = bucketOf(days)
    const previous = previousOf(before.visits, before.orders, compared, first)
    const hasViews = previous !== null && previous.totalPageViews !== null
    return {
      period: periodOf(query),
      ...copied,
      ordersFailed: ordered === null,
      updatedAt: new Date(now).toISOString(),
      bucket,
      points: pointsOf(bucket, current.visits, current.orders),
      compared: { dal: compared.from, al: compared.to, until: compared.until },
      previousPoints: hasViews ? pointsOf(bucket, before.visits, before.orders) : [],
      summary: summaryOf(current.visits, current.orders, first.visits),
      previous,
      notes: noted,
      firstDay: firstDayOf(first),
    }
  }

  return {
    overview: reported(overview),

    traffic: reported(async ({ id }: AnalyticsOwner, query: Query): Promise<Traffic> => {
      requirePast(query)
      const days = daysOf(query)
      const [[figures], week, shares, offers, { hasOrderCodes }] = await Promise.all([
        readVisits(id, [{ ...days, until: null }]),
        traffic.weekHours(id, days),
        traffic.shares(id, days),
        traffic.offers(id, days, dayOf(clock.now())),
        settings.of(id),
      ])
      const shown = offers.map(({ position, ...offer }) => ({
        position,
        offer: hasOrderCodes ? offer : { ...offer, ordered: null },
      }))
      return {
        period: periodOf(query),
        weekHours: weekOf(week),
        sources: shares.sources.map(({ value, amount }) => ({ source: value, views: amount })),
        devices: shares.devices.map(({ value, amount }) => ({ device: value, views: amount })),
        excluded: shares.excluded.map(({ value, amount }) => ({ reason: value, amount })),
        funnel: funnelOf(figures?.days ?? [], hasOrderCodes),
        offers: shown
          .filter(({ position }) => position <= MAX_FUNNEL_OFFERS)
          .map(({ offer }) => offer),
        attention: shown
          .map(({ offer }) => offer)
          .filter(needsAttention)
          .slice(0, MAX_FUNNEL_OFFERS),
      }
    }),

    orders: reported(
      async ({ id, features }: AnalyticsOwner, query: Query): Promise<OrderAnalytics> => {
        requirePast(query)
        const [waits, priority] = await Promise.all([
          dependencies.waits(id, daysOf(query)),
          hasFeature({ features }, 'priority_access')
            ? dependencies.arrivals(id, query.dal, query.al)
            : null,
        ])
        return { period: periodOf(query), waits, priority }
      },
    ),

    present: (pharmacyId: string) =>
      traffic.present(pharmacyId, new Date(clock.now()).toISOString()),
  }
}

/** @throws AppError `analytics.failed` instead of errors that another try would meet again */
function reported<Owner, Asked, Answer>(read: (owner: Owner, query: Asked) => Promise<Answer>) {
  return async (owner: Owner, query: Asked): Promise<Answer> => {
    try {
      return await read(owner, query)
    } catch (error) {
      if (error instanceof AppError || isDatabaseUnavailable(error)) throw error
      throw new AppError('analytics.failed', { cause: error })
    }
  }
}
