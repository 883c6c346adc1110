import { publicPrice } from '@bancone/contract/public-offers'
import type { OrderList } from './use-order-list.ts'

/** Cents of all that is on the list. */
export function listTotal(lines: OrderList['lines']): number {
  return lines.reduce((sum, { offer, quantity }) => sum + publicPrice(offer).cents * quantity, 0)
}
