import type { SourceLocation } from '../../../ports/order-source.ts'

/**
 * A pharmacy, and the location of its orders in the order source, if it has one. `pageSource` is null where pages come
 * from the database alone.
 */
export type OrdersOwner = {
  id: string
  orderSource: SourceLocation | null
  pageSource: SourceLocation | null
}
