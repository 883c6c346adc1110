import { dayOf } from '@bancone/contract/dates'
import type { HandlerResult } from '@bancone/contract/endpoint'
import type { Freshness } from '@bancone/contract/order-health'
import {
  MAX_SELECTED_ORDERS,
  type OrdersSearchFilter,
  type suggestSearch,
} from '@bancone/contract/order-search'
import {
  type OrderRecord,
  type OrdersFilter,
  OrdersPage,
  type OrdersQuery,
  type UnseenOrders,
} from '@bancone/contract/orders'
import { pagination } from '@bancone/contract/paging'
import { type findOrdersWithCode, MAX_WITH_CODE } from '@bancone/contract/scanned-codes'
import { AppError } from '../../../base/app-error.ts'
import { CachedJson } from '../../../http/serve-cached-json.ts'
import type { Audit } from '../../../platform/audit.ts'
import type { Caller } from '../../../platform/auth/auth-context.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { OrderNoticesStore } from '../records/order-notices.store.ts'
import { type AttachmentPath, type StoredRecord, toWireRecord } from '../records/order-rows.ts'
import {
  countOf,
  freshness,
  nothingCopied,
  type OrderCounts,
  statistics,
} from '../records/orders.rules.ts'
import type { OrdersOwner } from '../records/orders-owner.ts'
import {
  countOfFilter,
  countsOf,
  isCounted,
  lateBefore,
  type ResolvedFilter,
  resolveFilter,
} from '../search/order-filter.rules.ts'
import type { OrderSearchStore } from '../search/order-search.store.ts'
import { nearestTexts } from '../search/order-suggestions.rules.ts'
import { hasCode, scannedCode } from '../search/scanned-codes.rules.ts'
import type { OrderCopy } from '../sync/order-copy.ts'
import { createOrderPageCache } from './order-page-cache.ts'
import type { ListCursor, OrdersState, OrdersStore } from './orders.store.ts'

type PageOwner = Pick<OrdersOwner, 'id' | 'pageSource'>

type Dependencies = {
  store: OrdersStore
  search: OrderSearchStore
  notices: Pick<OrderNoticesStore, 'list'>
  copy: OrderCopy
  /** URL path of the stored picture of an order. */
  picturePath: AttachmentPath
  /** Changes whenever the paths of pictures do. */
  picturePeriod(): number
  /** Finds a pharmacy by its id or its code. */
  findOwner(named: string): Promise<OrdersOwner | undefined>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

export type OrdersService = ReturnType<typeof createOrders>

/** Records of the whole list that are read, parsed and sent together. */
const BATCH_SIZE = 500

/** So few orders with the wanted statuses can be sorted instead of using an index. */
const FEW_ORDERS = 2_000

/** Maximum number of notices in a page. */
const MAX_NOTICES = 20

export function createOrders(dependencies: Dependencies) {
  const { store, search, notices, copy, audit, clock } = dependencies
  const shown = (record: StoredRecord) => toWireRecord(record, dependencies.picturePath)
  const pages = createOrderPageCache(
    { ...search, ...store },
    (records) => new CachedJson(OrdersPage.shape.records, records.map(shown)),
  )

  async function* batches(pharmacyId: string): AsyncGenerator<OrderRecord[]> {
    let place: ListCursor | null = null
    do {
      const batch: Awaited<ReturnType<OrdersStore['listAfter']>> = await store.listAfter(
        pharmacyId,
        place,
        BATCH_SIZE,
      )
      yield batch.records.map(shown)
      place = batch.place
    } while (place)
  }

  async function unseenOf(pharmacyId: string, state: { unseen: number; version: string }) {
    if (state.unseen === 0) return { count: 0, recordIds: [] }
    return { count: state.unseen, ...(await pages.unseen(pharmacyId, state.version)) }
  }

  function pageOf(
    pharmacyId: string,
    { counts, version }: OrdersState,
    filter: ResolvedFilter,
    { page, pageSize, ordina = 'recenti' }: Omit<OrdersQuery, keyof OrdersFilter>,
  ) {
    const request = { filter, sort: ordina, page, pageSize, few: isFew(counts, filter) }
    return pages.read(pharmacyId, `${version} ${dependencies.picturePeriod()}`, request)
  }

  /** The numbers of late and of overdue orders. Those that are not yet are counted: they are few. */
  async function lateAndOverdue(pharmacyId: string, state: OrdersState) {
    const { counts, version, overdueDays } = state
    const pending = counts.byStatus['In attesa']
    const { toCollect } = counts
    if (pending === 0 && toCollect === 0) return { late: 0, overdue: 0 }
    const now = clock.now()
    const collecting = toCollect === 0 ? undefined : { today: dayOf(now), overdueDays }
    const inTime = await pages.countInTime(pharmacyId, version, lateBefore(now), collecting)
    return {
      late: Math.max(0, pending - inTime.pending),
      overdue: Math.max(0, toCollect - inTime.toCollect),
    }
  }

  /** The number of matching orders; undefined where only the search itself can tell. */
  async function totalOf(pharmacyId: string, state: OrdersState, filter: ResolvedFilter) {
    if (isCounted(filter)) {
      if (filter.lateBefore !== null) return (await lateAndOverdue(pharmacyId, state)).late
      if (filter.overdueOn !== null) return (await lateAndOverdue(pharmacyId, state)).overdue
      return filter.isToCollect ? state.counts.toCollect : countOf(state.counts, filter.statuses)
    }
    if (filter.words !== null) return undefined
    return countOfFilter(await countsWith(pharmacyId, state, filter), filter)
  }

  function countsWith(pharmacyId: string, { version }: OrdersState, filter: ResolvedFilter) {
    return pages.countByStatus(
      pharmacyId,
      version,
      filter,
      lateBefore(clock.now()),
      dayOf(clock.now()),
    )
  }

  async function refreshed(owner: PageOwner, read: OrderCopy['refresh']): Promise<Freshness> {
    const outcome = owner.pageSource && (await read(owner.id, owner.pageSource))
    const { copied } = outcome ? await store.stateOfCopy(owner.id) : { copied: nothingCopied }
    return freshness(outcome, copied, clock.now())
  }

  return {
    async list(owner: OrdersOwner, query: OrdersQuery & { q?: string }) {
      const lastRefresh = owner.pageSource && (await copy.ensureFresh(owner.id, owner.pageSource))
      const { state, copied } = owner.pageSource
        ? await store.stateOfCopy(owner.id)
        : { state: await store.state(owner.id), copied: nothingCopied }
      const filter = resolveFilter(query, clock.now())
      const [page, total, { late, overdue }, unseen, told] = await Promise.all([
        pageOf(owner.id, state, filter, query),
        totalOf(owner.id, state, filter),
        lateAndOverdue(owner.id, state),
        unseenOf(owner.id, state),
        copied.notices > 0 ? notices.list(owner.id, MAX_NOTICES) : [],
      ])
      return {
        records: page.records,
        pagination: {
          ...pagination(query.page, query.pageSize, total ?? page.known),
          counted: total !== undefined || page.counted,
        },
        counts: state.counts.byStatus,
        statistics: statistics(state.counts, late, overdue),
        freshness: freshness(lastRefresh, copied, clock.now()),
        unseen,
        notices: told,
      }
    },

    /** Search texts like this one, for when it finds nothing. */
    async suggest({ id }: OrdersOwner, q: string): Promise<HandlerResult<typeof suggestSearch>> {
      const { typed, vocabulary } = await search.vocabulary(id, q)
      return { suggestions: nearestTexts(typed, vocabulary) }
    },

    /** The orders of a scanned code, as they are copied: a customer waits at the counter. */
    async withCode(
      { id }: OrdersOwner,
      scanned: string,
    ): Promise<HandlerResult<typeof findOrdersWithCode>> {
      const code = scannedCode(scanned)
      const found = await search.withCode(id, code)
      const orders = found.filter(
        ({ hasNumber, record }) => hasNumber || hasCode(record.fields.Ordine ?? '', code.text),
      )
      return { orders: orders.slice(0, MAX_WITH_CODE).map(({ record }) => shown(record)) }
    },

    /** The number of matching orders. */
    async count(owner: Pick<OrdersOwner, 'id'>, query: OrdersSearchFilter) {
      const state = await store.state(owner.id)
      const filter = resolveFilter(query, clock.now())
      if (isCounted(filter)) {
        const { counts } = state
        const total = (await totalOf(owner.id, state, filter)) ?? counts.total
        const { late, overdue } = await lateAndOverdue(owner.id, state)
        const { toCollect } = counts
        return { total, all: counts.total, counts: counts.byStatus, late, toCollect, overdue }
      }
      const counts = await countsWith(owner.id, state, filter)
      return {
        total: countOfFilter(counts, filter),
        all: countOfFilter(counts, {
          statuses: undefined,
          lateBefore: null,
          isToCollect: false,
          overdueOn: null,
        }),
        counts: countsOf(counts),
        late: counts.late,
        toCollect: counts.toCollect,
        overdue: counts.overdue,
      }
    },

    /** The newest matching orders. */
    async select(owner: OrdersOwner, query: OrdersSearchFilter) {
      const state = await store.state(owner.id)
      const filter = resolveFilter(query, clock.now())
      const { records, known } = await search.list(owner.id, {
        filter,
        sort: 'recenti',
        page: 1,
        pageSize: MAX_SELECTED_ORDERS,
        few: isFew(state.counts, filter),
      })
      return {
        orders: records.map(({ id, fields }) => ({ recordId: id, status: fields.Stato })),
        more: known > MAX_SELECTED_ORDERS,
      }
    },

    /**
     * All orders of the caller's pharmacy, or of the one named by an administrator, newest first. Access is checked
     * before the first record is streamed. An administrator's reading is recorded in the audit log.
     *
     * @param caller `pharmacy` is null for an administrator without one
     */
    async all(
      caller: { userId: string; pharmacy: OrdersOwner | null; isAdmin: boolean } & Caller,
      named: string | undefined,
    ): Promise<AsyncIterable<OrderRecord[]>> {
      const { userId: actorId, address, agent } = caller
      const found = named === undefined ? caller.pharmacy : await dependencies.findOwner(named)
      if (!found) throw new AppError(named === undefined ? 'pharmacy.not_named' : missing(caller))
      if (found.id !== caller.pharmacy?.id) {
        if (!caller.isAdmin) throw new AppError('access.denied')
        const action = 'orders_read_by_administrator'
        await audit.record({ action, userId: found.id, actorId, address, agent })
      }
      if (found.pageSource) await copy.ensureFresh(found.id, found.pageSource)
      return batches(found.id)
    },

    refresh: (owner: PageOwner): Promise<Freshness> => refreshed(owner, copy.refresh),

    /** Updates the copy as for a page of the list. */
    ensureFresh: (owner: PageOwner): Promise<Freshness> => refreshed(owner, copy.ensureFresh),

    async markSeen(owner: OrdersOwner, recordIds: readonly string[]): Promise<UnseenOrders> {
      await store.markSeen(owner.id, recordIds)
      return unseenOf(owner.id, await store.state(owner.id))
    },
  }
}

function isFew(counts: OrderCounts, { statuses }: ResolvedFilter): boolean {
  return statuses !== undefined && countOf(counts, statuses) <= FEW_ORDERS
}

/** A pharmacy must not learn which others exist. */
function missing({ isAdmin }: { isAdmin: boolean }) {
  return isAdmin ? 'pharmacy.not_found' : 'access.denied'
}
