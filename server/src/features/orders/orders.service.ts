import { setTimeout as pause } from 'node:timers/promises'
import type {
  Freshness,
  OrderRecord,
  OrderStatus,
  OrdersPage,
  OrdersQuery,
  Unseen,
} from '@bancone/contract/orders'
import { AppError } from '../../app-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SourceLocation } from '../../ports/order-source.ts'
import type { OrderChangesStore } from './changes/order-changes.store.ts'
import type { OrderNoticesStore } from './changes/order-notices.store.ts'
import type { OrderPush } from './changes/order-push.ts'
import type { OrderCopy } from './copy/order-copy.ts'
import { createOrderPages } from './order-pages.ts'
import type { KeptRecord } from './order-rows.ts'
import { countOf, freshness, nothingCopied, pagination, statistics } from './orders.rules.ts'
import type { OrdersStore, PlaceInList } from './orders.store.ts'

/** The pharmacy whose orders they are, and where they are kept besides our database. */
export type OrdersOwner = { id: string; orderSource: SourceLocation | null }

type Dependencies = {
  store: OrdersStore
  changes: OrderChangesStore
  notices: OrderNoticesStore
  copy: OrderCopy
  push: OrderPush
  /** The address of the picture that is kept of an order. */
  picturePath(orderId: string): string
  /** Finds a pharmacy by its id or its code. */
  findOwner(named: string): Promise<OrdersOwner | undefined>
  clock: Clock
  /** Milliseconds a change waits for the order store's word before it is left to the job. */
  pushPatience?: number | undefined
}

export type OrdersService = ReturnType<typeof createOrders>

/** Records of the whole list that are read, checked and sent at once. */
const PORTION = 500

/** Notices a page carries. */
const MOST_NOTICES = 20

export function createOrders(dependencies: Dependencies) {
  const { store, changes, notices, copy, push, clock, pushPatience = 3_000 } = dependencies
  const pages = createOrderPages(store)

  /** The record as it leaves: with the picture that we keep, where we do. */
  function shown({ picture, ...record }: KeptRecord): OrderRecord {
    if (picture === null) return record
    return { ...record, fields: { ...record.fields, Image: dependencies.picturePath(picture) } }
  }

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
    const recordIds = state.unseen > 0 ? await pages.unseen(pharmacyId, state.version) : []
    return { count: state.unseen, recordIds }
  }

  return {
    async list(owner: OrdersOwner, query: OrdersQuery): Promise<OrdersPage> {
      const freshened = owner.orderSource && (await copy.freshen(owner.id, owner.orderSource))
      const { state, copied } = owner.orderSource
        ? await store.stateOfCopy(owner.id)
        : { state: await store.state(owner.id), copied: nothingCopied }
      const [records, unseen, told] = await Promise.all([
        pages.read(owner.id, state.version, query),
        unseenOf(owner.id, state),
        copied.notices > 0 ? notices.list(owner.id, MOST_NOTICES) : [],
      ])
      return {
        records: records.map(shown),
        pagination: pagination(query.page, query.pageSize, countOf(state.counts, query.stato)),
        statistics: statistics(state.counts),
        freshness: freshness(freshened, copied, clock.now()),
        unseen,
        notices: told,
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

    async changeStatus(
      owner: OrdersOwner,
      recordId: string,
      status: OrderStatus,
    ): Promise<OrderRecord> {
      if (!owner.orderSource) {
        const record = await store.setStatus(owner.id, recordId, status)
        if (!record) throw new AppError('orders.not_found')
        return shown(record)
      }
      const change = await changes.record(owner.id, recordId, status)
      if (!change) throw new AppError('orders.not_found')
      // From here on the change is kept, whatever happens: a failure to push is not one to change.
      const outcome = await Promise.race([
        push.push(change.orderId).catch(() => 'waiting' as const),
        pause(pushPatience, 'waiting' as const, { ref: false }),
      ])
      if (outcome === 'refused') throw new AppError('orders.source_refused')
      if (outcome === 'conflict') throw new AppError('orders.conflict')
      if (outcome === 'gone') throw new AppError('orders.not_found')
      return shown(change.record)
    },
  }
}

/** A pharmacy is not told which others there are. */
function missing({ isAdmin }: { isAdmin: boolean }) {
  return isAdmin ? 'pharmacy.not_found' : 'access.denied'
}
