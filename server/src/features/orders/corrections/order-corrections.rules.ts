import type { CorrectedFields, ShownFields } from '@bancone/contract/order-corrections'
import type { SourceCorrection } from '../../../ports/order-source.ts'

/** The content of an order that can be corrected. */
export type OrderContent = {
  orderNumber: string | null
  customerName: string | null
  customerPhone: string | null
  address: string | null
  details: string | null
}

/** Whether an order is as the caller has seen it. Stores may change white space. */
export function isAsShown(order: OrderContent, shown: ShownFields): boolean {
  return (
    plain(order.orderNumber) === plain(shown['ID Ordine']) &&
    plain(order.customerName) === plain(shown.Cliente) &&
    plain(order.customerPhone) === plain(shown['Phone Number']) &&
    plain(order.address) === plain(shown.Indirizzo) &&
    plain(order.details) === plain(shown.Ordine)
  )
}

function plain(text: string | null): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').trim()
}

/** What the store has to write: the number only where it changes, because stores may number orders themselves. */
export function correctionOf(before: OrderContent, fields: CorrectedFields): SourceCorrection {
  const number = fields['ID Ordine']
  return {
    ...(number !== undefined && number !== before.orderNumber && { orderNumber: number }),
    customerName: fields.Cliente,
    customerPhone: fields['Phone Number'] ?? null,
    address: fields.Indirizzo ?? null,
    details: fields.Ordine,
  }
}
