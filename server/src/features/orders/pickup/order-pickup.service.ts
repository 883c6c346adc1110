import type { HandlerResult } from '@bancone/contract/endpoint'
import type { getPickupColumns, PickupChange, PickupColumns } from '@bancone/contract/order-pickup'
import { AppError } from '../../../base/app-error.ts'
import { ORDER_COLUMNS, type OrderSource, SourceError } from '../../../ports/order-source.ts'
import type { Author, OrdersOwner } from '../records/orders-owner.ts'
import type { OrderCopy } from '../sync/order-copy.ts'
import type { LineChange, OrderPickupStore } from './order-pickup.store.ts'
import type { PickupColumnsStore } from './pickup-columns.store.ts'

/** How long saving waits for Airtable to say which columns there are, in milliseconds. */
const CHECK_MS = 3_000

type Dependencies = {
  store: OrderPickupStore
  columns: PickupColumnsStore
  source: OrderSource | null
  copy: Pick<OrderCopy, 'pushPending'>
}

export type OrderPickupService = ReturnType<typeof createOrderPickup>

/** When orders are ready and collected, and the columns of the base that say so too. */
export function createOrderPickup({ store, columns, source, copy }: Dependencies) {
  /** While Airtable does not answer no column is refused: the next push says it. */
  async function refusedOf({ orderSource }: OrdersOwner, names: readonly string[]) {
    if (!source || !orderSource || names.length === 0) return []
    try {
      return await source.columnsWithoutTimes(orderSource, names, AbortSignal.timeout(CHECK_MS))
    } catch (error) {
      if (error instanceof SourceError) return []
      throw error
    }
  }

  async function getColumns({
    id,
    orderSource,
  }: OrdersOwner): Promise<HandlerResult<typeof getPickupColumns>> {
    return orderSource ? columns.get(id) : { columns: null, refused: [] }
  }

  return {
    keepUntil: store.keepUntil,
    expectOn: store.expectOn,
    settings: store.settings,
    changeSettings: store.changeSettings,

    async change(
      { id, orderSource }: OrdersOwner,
      changes: readonly PickupChange[],
      author: Author,
    ) {
      const answer = await store.change(id, changes, author)
      if (orderSource) copy.pushPending(id)
      return answer
    },

    async changeLine(
      { id, orderSource }: OrdersOwner,
      recordId: string,
      line: LineChange,
      author: Author,
    ) {
      const answer = await store.changeLine(id, recordId, line, author)
      if (orderSource) copy.pushPending(id)
      return answer
    },

    columns: getColumns,

    /** @throws AppError `orders.column_in_use` */
    async changeColumns(owner: OrdersOwner, chosen: PickupColumns) {
      if (!owner.orderSource) throw new AppError('orders.not_on_airtable')
      const names = Object.values(chosen).filter((name) => name !== null)
      // Airtable has no two columns whose names differ in their case alone.
      const all = [...ORDER_COLUMNS, ...names].map((name) => name.toLowerCase())
      if (new Set(all).size < all.length) throw new AppError('orders.column_in_use')
      await columns.change(owner.id, chosen, await refusedOf(owner, names))
      return getColumns(owner)
    },
  }
}
