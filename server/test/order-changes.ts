import type { OrderStatus } from '@bancone/contract/orders'
import { createOrderChangesStore } from '../src/features/orders/changes/order-changes.store.ts'
import type { ChangedOrder } from '../src/features/orders/changes/order-statuses.store.ts'
import type { Author } from '../src/features/orders/order-author.ts'
import type { TestDatabase } from './database.ts'

/** For changes of which it does not matter whose they are. */
export const somebody: Author = { from: 'system', userId: null, sessionId: null }

/** Changes an order here and notes that its store must follow; undefined when there is no such order. */
export async function recordChange(
  { db }: Pick<TestDatabase, 'db'>,
  pharmacyId: string,
  recordId: string,
  Stato: OrderStatus,
): Promise<(ChangedOrder & { version: string }) | undefined> {
  const changes = createOrderChangesStore(db)
  const [order] = await changes.record(pharmacyId, [{ recordId, Stato }], somebody)
  if (!order) return undefined
  const noted = await db
    .selectFrom('order_changes')
    .select('version')
    .where('order_id', '=', order.orderId)
    .executeTakeFirst()
  return { ...order, version: noted?.version ?? '' }
}
