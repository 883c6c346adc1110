import type { OrderStatus } from '@bancone/contract/orders'
import { createOrderChangesStore } from '../src/features/orders/changes/order-changes.store.ts'
import type { ChangedOrder } from '../src/features/orders/changes/order-statuses.store.ts'
import { noHooks } from '../src/features/orders/records/order-hooks.ts'
import type { Author } from '../src/features/orders/records/orders-owner.ts'
import type { TestDatabase } from './database.ts'

/** An author for changes where it does not matter. */
export const somebody: Author = { from: 'system', userId: null, sessionId: null }

/** Changes an order and records the change to be pushed; undefined when there is no such order. */
export async function recordChange(
  { db }: Pick<TestDatabase, 'db'>,
  pharmacyId: string,
  recordId: string,
  Stato: OrderStatus,
): Promise<(ChangedOrder & { version: string }) | undefined> {
  const changes = createOrderChangesStore(db, noHooks)
  const [order] = await changes.change(pharmacyId, [{ recordId, Stato }], somebody, true)
  if (!order) return undefined
  const noted = await db
    .selectFrom('order_changes')
    .select('version')
    .where('order_id', '=', order.orderId)
    .executeTakeFirst()
  return { ...order, version: noted?.version ?? '' }
}
