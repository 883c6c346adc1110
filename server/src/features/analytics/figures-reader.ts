import type { Day } from '@bancone/contract/dates'
import type { Database } from '../../database/database.ts'
import { firstDayOf } from './analytics.rules.ts'
import type { Days, Span } from './analytics-buckets.store.ts'
import { readArrivalFigures, readArrivals } from './arrival-figures.store.ts'
import { readOrderFigures, readOrders } from './order-figures.store.ts'
import { readPageViewFigures, readPageViews } from './page-view-figures.store.ts'
import { type CountedOffer, createTrafficStore, type Shares } from './traffic.store.ts'

/** The folded figures, and what they are made of. */
type Sources<Read> = Record<'figures' | 'live', Read>

type Dependencies = {
  db: Database
  /** Counts what has happened until now. */
  fold(): Promise<void>
  log: { warn(details: object, message: string): void }
}

/** Reads the folded figures; where they cannot be read, the page views, orders and arrivals themselves. */
export function createFiguresReader({ db, fold: foldAll, log }: Dependencies) {
  const traffic = createTrafficStore(db)
  const pageViews = { figures: readPageViewFigures(db), live: readPageViews(db) }
  const orders = { figures: readOrderFigures(db), live: readOrders(db) }

  /** The folded figures, or where there are none, or they cannot be read, what they are made of. */
  async function readingOf<T>(
    pharmacyId: string,
    what: string,
    hasFigures: boolean,
    { figures, live }: Sources<() => Promise<T>>,
  ): Promise<T> {
    if (!hasFigures) return live()
    try {
      return await figures()
    } catch (error) {
      log.warn({ err: error, pharmacyId }, `the figures of ${what} could not be read`)
      return live()
    }
  }

  async function fold(pharmacyId: string): Promise<boolean> {
    try {
      await foldAll()
      return true
    } catch (error) {
      log.warn({ err: error, pharmacyId }, 'what has happened could not be counted')
      return false
    }
  }

  return {
    /**
     * Where there are no figures yet, or on demand, what has happened is counted before. `hasFigures` is false where
     * the figures cannot be read, or lack everything because the counting fails.
     */
    async prepare(pharmacyId: string, mustFold = false) {
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

    pageViews(pharmacyId: string, spans: readonly Span[], hasFigures: boolean) {
      return readingOf(pharmacyId, 'page views', hasFigures, {
        figures: () => pageViews.figures(pharmacyId, spans),
        live: () => pageViews.live(pharmacyId, spans),
      })
    },

    /** @returns null when the orders cannot be read at all */
    async orders(pharmacyId: string, spans: readonly Span[], hasFigures: boolean) {
      try {
        return await readingOf(pharmacyId, 'orders', hasFigures, {
          figures: () => orders.figures(pharmacyId, spans),
          live: () => orders.live(pharmacyId, spans),
        })
      } catch (error) {
        log.warn({ err: error, pharmacyId }, 'the orders could not be read')
        return null
      }
    },

    /** Of arrivals there may be some where there are neither page views nor orders. */
    arrivals(pharmacyId: string, days: Days) {
      return readingOf(pharmacyId, 'arrivals', true, {
        figures: () => readArrivalFigures(db, pharmacyId, days),
        live: () => readArrivals(db, pharmacyId, days),
      })
    },

    weekHours(pharmacyId: string, days: Days, hasFigures: boolean) {
      return readingOf(pharmacyId, 'hours', hasFigures, {
        figures: () => traffic.weekHours(pharmacyId, days),
        live: () => traffic.liveWeekHours(pharmacyId, days),
      })
    },

    /** @returns null when they cannot be read: single page views do not keep where they came from */
    async shares(pharmacyId: string, days: Days, hasFigures: boolean) {
      return readingOf<Shares | null>(pharmacyId, 'sources', hasFigures, {
        figures: () => traffic.shares(pharmacyId, days),
        live: async () => null,
      })
    },

    /** @returns null when they cannot be read: that an offer was seen is not kept for each view */
    async offers(pharmacyId: string, days: Days, today: Day, hasFigures: boolean) {
      return readingOf<CountedOffer[] | null>(pharmacyId, 'offers', hasFigures, {
        figures: () => traffic.offers(pharmacyId, days, today),
        live: async () => null,
      })
    },

    /** Views and visitors of the last minutes before `now` (ISO 8601). */
    present: traffic.present,
  }
}
