import type { Answer } from '@bancone/contract/endpoint'
import type { Freshness } from '@bancone/contract/order-health'
import {
  type countOrders,
  MOST_SELECTED,
  type OrdersSought,
  type selectOrders,
} from '@bancone/contract/order-search'
import type {
  OrderRecord,
  OrdersFilter,
  OrdersPage,
  OrdersQuery,
  Unseen,
} from '@bancone/contract/orders'
import { AppError } from '../../app-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SourceLocation } from '../../ports/order-source.ts'
import type { OrderNoticesStore } from './changes/order-notices.store.ts'
import type { OrderCopy } from './copy/order-copy.ts'
import { createOrderPages } from './order-pages.ts'
import { type KeptRecord, shownRecord } from './order-rows.ts'
import {
  countOf,
  freshness,
  nothingCopied,
  pagination,
  statistics,
  statusCounts,
} from './orders.rules.ts'
import type { OrdersState, OrdersStore, PlaceInList } from './orders.store.ts'
import type { OrderSearchStore } from './search/order-search.store.ts'
import {
  countOfStatuses,
  countsOf,
  isCounted,
  type Sought,
  soughtOf,
} from './search/orders-sought.rules.ts'

/** The pharmacy whose orders they are, and where they are kept besides our database. */
export type OrdersOwner = { id: string; orderSource: SourceLocation | null }

type Dependencies = {
  store: OrdersStore
  search: OrderSearchStore
  notices: OrderNoticesStore
  copy: OrderCopy
  /** The address of the picture that is kept of an order. */
  picturePath(orderId: string): string
  /** Finds a pharmacy by its id or its code. */
  findOwner(named: string): Promise<OrdersOwner | undefined>
  clock: Clock
}

export type OrdersService = ReturnType<typeof createOrders>

/** Records of the whole list that are read, checked and sent at once. */
const PORTION = 500

/** So many orders of some states are quickly looked through. */
const FEW = 2_000

/** Notices a page carries. */
const MOST_NOTICES = 20

export function createOrders(dependencies: Dependencies) {
  const { store, search, notices, copy, clock } = dependencies
  const pages = createOrderPages({ ...search, unseen: store.unseen })

  const shown = (record: KeptRecord) => shownRecord(record, dependencies.picturePath)

  async function* portions(pharmacyId: string): AsyncGenerator<OrderRecord[]> {
    let place: PlaceInList | null = null
    do {
      const portion: Awaited<ReturnType<OrdersStore['after']>> = await store.after(
        pharmacyId,
        place,
        PORTION,
      )
      yield portion.records.map(shown)
      place = portion.place
    } while (place)
  }

  async function unseenOf(
    pharmacyId: string,
    state: { unseen: number; version: string },
  ): Promise<Unseen> {
    if (state.unseen === 0) return { count: 0, recordIds: [] }
    const recordIds = await pages.unseen(pharmacyId, state.version)
    const formerly = await store.formerIds(pharmacyId, recordIds)
    return { count: state.unseen, recordIds, ...(Object.keys(formerly).length > 0 && { formerly }) }
  }

  function pageOf(
    pharmacyId: string,
    { counts, version }: OrdersState,
    sought: Sought,
    { page, pageSize, ordina = 'recenti' }: Omit<OrdersQuery, keyof OrdersFilter>,
  ) {
    const few = sought.statuses !== undefined && countOf(counts, sought.statuses) <= FEW
    return pages.read(pharmacyId, version, { sought, sort: ordina, page, pageSize, few })
  }

  /** How many orders those are; undefined where only a search can tell. */
  async function totalOf(pharmacyId: string, state: OrdersState, sought: Sought) {
    if (isCounted(sought)) return countOf(state.counts, sought.statuses)
    if (sought.words !== null) return undefined
    const byStatus = await pages.countByStatus(pharmacyId, state.version, sought)
    return countOfStatuses(byStatus, sought.statuses)
  }

  return {
    async list(owner: OrdersOwner, query: OrdersQuery & { q?: string }): Promise<OrdersPage> {
      const freshened = owner.orderSource && (await copy.freshen(owner.id, owner.orderSource))
      const { state, copied } = owner.orderSource
        ? await store.stateOfCopy(owner.id)
        : { state: await store.state(owner.id), copied: nothingCopied }
      const sought = soughtOf(query, clock.now())
      const [page, total, unseen, told] = await Promise.all([
        pageOf(owner.id, state, sought, query),
        totalOf(owner.id, state, sought),
        unseenOf(owner.id, state),
        copied.notices > 0 ? notices.list(owner.id, MOST_NOTICES) : [],
      ])
      return {
        records: page.records.map(shown),
        pagination: {
          ...pagination(query.page, query.pageSize, total ?? page.known),
          counted: total !== undefined || page.counted,
        },
        counts: statusCounts(state.counts),
        statistics: statistics(state.counts),
        freshness: freshness(freshened, copied, clock.now()),
        unseen,
        notices: told,
      }
    },

    /** How many orders there are of that kind. */
    async count(owner: OrdersOwner, asked: OrdersSought): Promise<Answer<typeof countOrders>> {
      const state = await store.state(owner.id)
      const sought = soughtOf(asked, clock.now())
      if (isCounted(sought)) {
        const total = countOf(state.counts, sought.statuses)
        return { total, all: state.counts.total, counts: statusCounts(state.counts) }
      }
      const byStatus = await pages.countByStatus(owner.id, state.version, sought)
      return {
        total: countOfStatuses(byStatus, sought.statuses),
        all: countOfStatuses(byStatus, undefined),
        counts: countsOf(byStatus),
      }
    },

    /** Which orders those are, the newest of them. */
    async select(owner: OrdersOwner, asked: OrdersSought): Promise<Answer<typeof selectOrders>> {
      const state = await store.state(owner.id)
      const sought = soughtOf(asked, clock.now())
      const { records, known } = await pageOf(owner.id, state, sought, {
        page: 1,
        pageSize: MOST_SELECTED,
      })
      return {
        orders: records.map(({ id, fields }) => ({ recordId: id, status: fields.Stato })),
        more: known > MOST_SELECTED,
      }
    },

    /**
     * All orders of the pharmacy itself, or of the one an administrator names, newest first. Nothing is
     * streamed before it is known whose they are.
     *
     * @param caller `own` is null for an administrator without a pharmacy
     */
    async all(
      caller: { own: OrdersOwner | null; isAdmin: boolean },
      named: string | undefined,
    ): Promise<AsyncIterable<OrderRecord[]>> {
      const found = named === undefined ? caller.own : await dependencies.findOwner(named)
      if (!found) throw new AppError(named === undefined ? 'pharmacy.not_named' : missing(caller))
      if (!caller.isAdmin && found.id !== caller.own?.id) throw new AppError('access.denied')
      if (found.orderSource) await copy.freshen(found.id, found.orderSource)
      return portions(found.id)
    },

    async refresh(owner: OrdersOwner): Promise<Freshness> {
      const refreshed = owner.orderSource && (await copy.refresh(owner.id, owner.orderSource))
      const { copied } = refreshed ? await store.stateOfCopy(owner.id) : { copied: nothingCopied }
      return freshness(refreshed, copied, clock.now())
    },

    async markSeen(owner: OrdersOwner, recordIds: readonly string[]): Promise<Unseen> {
      await store.markSeen(owner.id, recordIds)
      return unseenOf(owner.id, await store.state(owner.id))
    },

    async dismissNotice(owner: OrdersOwner, recordId: string): Promise<void> {
      await notices.dismiss(owner.id, recordId)
    },
  }
}

/** A pharmacy is not told which others there are. */
function missing({ isAdmin }: { isAdmin: boolean }) {
  return isAdmin ? 'pharmacy.not_found' : 'access.denied'
}
