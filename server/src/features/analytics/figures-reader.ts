import type { Day } from '@bancone/contract/dates'
import { firstDayOf, type OrderFigures, type VisitFigures } from './analytics.rules.ts'
import type { Days, ReadFigures, Span } from './analytics-buckets.store.ts'
import type { ArrivalDay } from './arrival-figures.store.ts'
import type { OrderDay, OrderHour } from './order-figures.store.ts'
import type { CountedOffer, FirstDays, Shares, TrafficStore } from './traffic.store.ts'
import type { VisitDay, VisitHour } from './visit-figures.store.ts'

/** The folded figures, and what they are made of. */
type Sources<Read> = Record<'figures' | 'live', Read>

export type FiguresDependencies = {
  visits: Sources<ReadFigures<VisitDay, VisitHour>>
  orders: Sources<ReadFigures<OrderDay, OrderHour>>
  arrivals: Sources<(pharmacyId: string, days: Days) => Promise<ArrivalDay[]>>
  traffic: TrafficStore
  /** Counts what has happened until now. */
  fold(): Promise<void>
  log: { warn(details: object, message: string): void }
}

/** Reads the folded figures; where they cannot be read, the visits, orders and arrivals themselves. */
export function createFiguresReader(dependencies: FiguresDependencies) {
  const { visits, orders, arrivals, traffic, log } = dependencies

  /** The first result of these readings. @throws what the last one throws */
  async function firstOf<T>(
    pharmacyId: string,
    what: string,
    [read, ...others]: readonly [() => Promise<T>, ...(() => Promise<T>)[]],
  ): Promise<T> {
    const [next, ...rest] = others
    if (!next) return read()
    try {
      return await read()
    } catch (error) {
      log.warn({ err: error, pharmacyId }, `the figures of ${what} could not be read`)
      return firstOf(pharmacyId, what, [next, ...rest])
    }
  }

  async function fold(pharmacyId: string): Promise<boolean> {
    try {
      await dependencies.fold()
      return true
    } catch (error) {
      log.warn({ err: error, pharmacyId }, 'what has happened could not be counted')
      return false
    }
  }

  const none = async () => null

  return {
    /**
     * Where there are no figures yet, or on demand, what has happened is counted before. `hasFigures` is false where the
     * figures cannot be read, or lack everything because the counting fails.
     */
    async prepare(
      pharmacyId: string,
      mustFold = false,
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
    },

    visits(
      pharmacyId: string,
      spans: readonly Span[],
      hasFigures: boolean,
    ): Promise<VisitFigures[]> {
      const live = () => visits.live(pharmacyId, spans)
      const figures = () => visits.figures(pharmacyId, spans)
      return firstOf(pharmacyId, 'visits', hasFigures ? [figures, live] : [live])
    },

    /** @returns null when the orders cannot be read at all */
    orders(
      pharmacyId: string,
      spans: readonly Span[],
      hasFigures: boolean,
    ): Promise<OrderFigures[] | null> {
      const live = () => orders.live(pharmacyId, spans)
      const figures = () => orders.figures(pharmacyId, spans)
      return firstOf<OrderFigures[] | null>(
        pharmacyId,
        'orders',
        hasFigures ? [figures, live, none] : [live, none],
      )
    },

    /** Of arrivals there may be some where there are neither visits nor orders. */
    arrivals(pharmacyId: string, days: Days): Promise<ArrivalDay[]> {
      return firstOf(pharmacyId, 'arrivals', [
        () => arrivals.figures(pharmacyId, days),
        () => arrivals.live(pharmacyId, days),
      ])
    },

    weekHours(pharmacyId: string, days: Days, hasFigures: boolean) {
      const live = () => traffic.liveWeekHours(pharmacyId, days)
      const figures = () => traffic.weekHours(pharmacyId, days)
      return firstOf(pharmacyId, 'hours', hasFigures ? [figures, live] : [live])
    },

    /** @returns null when they cannot be read: single visits do not keep where they came from */
    async shares(pharmacyId: string, days: Days, hasFigures: boolean) {
      if (!hasFigures) return null
      return firstOf<Shares | null>(pharmacyId, 'sources', [
        () => traffic.shares(pharmacyId, days),
        none,
      ])
    },

    /** @returns null when they cannot be read: that an offer was seen is not kept for each visit */
    async offers(pharmacyId: string, days: Days, today: Day, hasFigures: boolean) {
      if (!hasFigures) return null
      return firstOf<CountedOffer[] | null>(pharmacyId, 'offers', [
        () => traffic.offers(pharmacyId, days, today),
        none,
      ])
    },
  }
}
