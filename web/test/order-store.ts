import { changeOrdersStatus, selectOrders } from '@bancone/contract/bulk-changes'
import { searchOrders } from '@bancone/contract/order-search'
import { changeOrderStatus, listOrders, type OrderRecord } from '@bancone/contract/orders'
import { foundPage, pageOf } from './fixtures.ts'
import { serverWith } from './render-app.tsx'
import { failure } from './stub-api.ts'

/** A stub that applies changes of orders, and skips orders that were changed meanwhile. */
export function orderStore(orders: OrderRecord[]) {
  let stored = orders
  /** How many more bulk changes succeed; null when all do. */
  let successes: number | null = null

  function put(recordId: string, Stato: string): OrderRecord | undefined {
    stored = stored.map((order) =>
      order.id === recordId ? { ...order, fields: { ...order.fields, Stato } } : order,
    )
    return find(recordId)
  }

  function find(recordId: string): OrderRecord | undefined {
    return stored.find(({ id }) => id === recordId)
  }

  const api = serverWith(orders)
    .on(listOrders, ({ query }) => pageOf(stored, query))
    .on(searchOrders, ({ body }) => foundPage(stored, body))
    .on(selectOrders, ({ body: { stato } }) => ({
      orders: stored
        .filter(({ fields }) => stato?.some((word) => word === fields.Stato) ?? true)
        .map(({ id, fields }) => ({ recordId: id, status: fields.Stato })),
      more: false,
    }))
    .on(changeOrderStatus, ({ params: { recordId }, query: { was }, body }) => {
      const now = find(recordId)?.fields.Stato
      if (now !== undefined && was !== undefined && now !== was) {
        return failure('orders.changed_meanwhile')
      }
      return put(recordId, body.fields.Stato) ?? failure('orders.not_found')
    })
    .on(changeOrdersStatus, ({ body: { changes } }) => {
      if (successes === 0) return failure('internal')
      if (successes !== null) successes -= 1
      const changed = []
      const left = []
      for (const { recordId, Stato, was } of changes) {
        const from = find(recordId)?.fields.Stato
        if (from === undefined) left.push({ recordId, now: null })
        else if (was !== undefined && was !== from && from !== Stato)
          left.push({ recordId, now: from })
        else {
          put(recordId, Stato)
          changed.push({ recordId, from, to: Stato })
        }
      }
      return { changed, left }
    })

  return {
    api,
    statusOf: (order: OrderRecord) => find(order.id)?.fields.Stato,
    /** Changes the order on behalf of another user. */
    put: (order: OrderRecord, Stato: string) => void put(order.id, Stato),
    failAfter(count: number | null) {
      successes = count
    },
    remove(order: OrderRecord) {
      stored = stored.filter(({ id }) => id !== order.id)
    },
  }
}
