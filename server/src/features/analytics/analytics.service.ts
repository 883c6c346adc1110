import { type Feature, hasFeature } from '@bancone/contract/access'
import type {
  Analytics,
  AnalyticsQuery,
  getAnalytics,
  OrderAnalytics,
} from '@bancone/contract/analytics'
import type { Traffic } from '@bancone/contract/analytics-traffic'
import { type Day, dayOf } from '@bancone/contract/dates'
import { italianHolidays } from '@bancone/contract/italian-holidays'
import type { Freshness } from '@bancone/contract/order-health'
import type { PriorityReport } from '@bancone/contract/priority-report'
import type { z } from 'zod'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import {
  arrivalFigures,
  bucketOf,
  comparedSpan,
  daysOf,
  firstDayOf,
  funnelOf,
  notesOf,
  offersOf,
  periodOf,
  pointsOf,
  previousOf,
  sharesOf,
  summaryOf,
  weekOf,
  withoutOrders,
} from './analytics.rules.ts'
import type { Days } from './analytics-buckets.store.ts'
import type { AnalyticsSettingsStore } from './analytics-settings.store.ts'
import { createFiguresReader } from './figures-reader.ts'
import type { NotesStore } from './notes.store.ts'
import { readOrderWaits } from './order-figures.store.ts'
import { readPickups } from './pickup-figures.store.ts'

export type AnalyticsOwner = {
  id: string
  features: readonly Feature[]
  pageSource: { baseId: string; tableId: string } | null
}

type Query = z.output<typeof AnalyticsQuery>

export type AnalyticsDependencies = {
  db: Database
  /** Adds what is queued to the figures. */
  fold(): Promise<void>
  /** How long those who arrived with priority access waited, as long as their priority sessions are kept. */
  priorityReport(pharmacyId: string, from: Day, to: Day): Promise<PriorityReport>
  /** Makes the copy of the orders fresh, where they are in Airtable. */
  refreshOrders(owner: AnalyticsOwner): Promise<Freshness>
  clock: Clock
  log: Pick<Log, 'warn'>
}

export type AnalyticsService = ReturnType<typeof createAnalytics>

/** Answers from the folded figures; where they cannot be read, from the page views and orders themselves. */
export function createAnalytics(
  dependencies: AnalyticsDependencies,
  notes: NotesStore,
  settings: AnalyticsSettingsStore,
) {
  const { db, clock, log } = dependencies
  const figures = createFiguresReader(dependencies)

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
      figures.prepare(id, query.aggiorna === 'true'),
    ])
    const [visited, ordered, noted] = await Promise.all([
      figures.pageViews(id, spans, hasFigures),
      figures.orders(id, spans, hasFigures),
      readNotes(id, days),
    ])
    const [current, before] = visited.map((counted, n) => ({
      pageViews: counted,
      orders: ordered?.[n] ?? withoutOrders(counted),
    }))
    if (!current || !before) throw new Error('there are figures of each span')
    const bucket = bucketOf(days)
    const previous = previousOf(before.pageViews, before.orders, compared, first)
    const hasViews = previous !== null && previous.totalPageViews !== null
    return {
      period: periodOf(query),
      ...copied,
      ordersFailed: ordered === null,
      isLive: !hasFigures,
      updatedAt: new Date(now).toISOString(),
      bucket,
      points: pointsOf(bucket, current.pageViews, current.orders),
      compared: { dal: compared.from, al: compared.to, until: compared.until },
      previousPoints: hasViews ? pointsOf(bucket, before.pageViews, before.orders) : [],
      summary: summaryOf(current.pageViews, current.orders, first.pageViews),
      previous,
      notes: noted,
      firstDay: firstDayOf(first),
    }
  }

  /**
   * Arrivals stay counted after their priority sessions are deleted; how long they waited is known of those that are
   * kept.
   */
  async function arrivalsOf(pharmacyId: string, days: Days): Promise<OrderAnalytics['priority']> {
    const [counted, report] = await Promise.all([
      figures.arrivals(pharmacyId, days),
      dependencies.priorityReport(pharmacyId, days.from, days.to),
    ])
    return { ...report, ...arrivalFigures(days, counted) }
  }

  return {
    overview: reported(overview),

    traffic: reported(async ({ id }: AnalyticsOwner, query: Query): Promise<Traffic> => {
      requirePast(query)
      const days = daysOf(query)
      const { hasFigures } = await figures.prepare(id)
      const [[visited], week, shares, offers, { hasOrderCodes }] = await Promise.all([
        figures.pageViews(id, [{ ...days, until: null }], hasFigures),
        figures.weekHours(id, days, hasFigures),
        figures.shares(id, days, hasFigures),
        figures.offers(id, days, dayOf(clock.now()), hasFigures),
        settings.of(id),
      ])
      return {
        period: periodOf(query),
        weekHours: weekOf(week),
        funnel: funnelOf(visited?.days ?? [], hasOrderCodes),
        ...sharesOf(shares),
        ...offersOf(offers, hasOrderCodes),
      }
    }),

    orders: reported(
      async ({ id, features }: AnalyticsOwner, query: Query): Promise<OrderAnalytics> => {
        requirePast(query)
        const days = daysOf(query)
        const now = clock.now()
        const compared = comparedSpan(query, now)
        const [waits, pickups, priority] = await Promise.all([
          readOrderWaits(db, id, days),
          readPickups(db, id, { days, compared, today: dayOf(now) }),
          hasFeature({ features }, 'priority_access') ? arrivalsOf(id, days) : null,
        ])
        return { period: periodOf(query), waits, pickups, priority }
      },
    ),

    present: (pharmacyId: string) =>
      figures.present(pharmacyId, new Date(clock.now()).toISOString()),
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
