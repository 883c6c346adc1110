import { publicPrice } from '@bancone/contract/public-offers'
import type { OrderList } from './use-order-list.ts'

/** Total of the list in cents. */
export function listTotal(lines: OrderList['lines']): number {
  return lines.reduce((sum, { offer, quantity }) => sum + publicPrice(offer).cents * quantity, 0)
}
