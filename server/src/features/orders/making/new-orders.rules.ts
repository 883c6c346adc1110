import type { NewOrderFields } from '@bancone/contract/new-orders'
import type { SourceOrder } from '../../../ports/order-source.ts'

/** What somebody wrote of an order, as it is kept. */
export type NewOrder = {
  orderNumber: string | null
  customerName: string
  customerPhone: string | null
  address: string | null
  details: string
  status: string
}

export function newOrder(fields: NewOrderFields): NewOrder {
  return {
    orderNumber: fields['ID Ordine'] ?? null,
    customerName: fields.Cliente,
    customerPhone: fields['Phone Number'] ?? null,
    address: fields.Indirizzo ?? null,
    details: fields.Ordine,
    status: fields.Stato,
  }
}

/** What an order is known by that the store may have made without saying so. */
export type MadeOrder = Pick<NewOrder, 'customerName' | 'customerPhone' | 'details'> & {
  /** ISO 8601. */
  madeAt: string
}

/** Milliseconds by which the store's clock may differ from ours, which may be that of somebody's desk. */
const CLOCKS_DIFFER_MS = 10 * 60_000

/** Since when the store may have it. */
export function madeSince({ madeAt }: Pick<MadeOrder, 'madeAt'>): string {
  return new Date(Date.parse(madeAt) - CLOCKS_DIFFER_MS).toISOString()
}

/**
 * Whether a record of the store can be that order: the same to the letter. That it is not older is for the
 * caller to know, by the store's own word: what a record says of it may be a column with the day alone.
 */
export function isSameOrder(record: SourceOrder, made: MadeOrder): boolean {
  return (
    plain(record.customerName) === plain(made.customerName) &&
    plain(record.customerPhone) === plain(made.customerPhone) &&
    plain(record.details) === plain(made.details)
  )
}

/** Stores have their own ways with the ends of lines. */
function plain(text: string | null): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').trim()
}
