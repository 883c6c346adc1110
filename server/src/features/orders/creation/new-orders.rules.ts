import type { NewOrderFields } from '@bancone/contract/new-orders'
import type { SourceOrder } from '../../../ports/order-source.ts'

/** The fields of a new order, as stored. */
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

/** The fields that identify an order in the source, when the source may have created it without a response. */
export type CreatedOrder = Pick<NewOrder, 'customerName' | 'customerPhone' | 'details'> & {
  /** ISO 8601. */
  createdAt: string
}

/** Maximum difference of the source's clock from ours, which may run on an office computer. */
const MAX_CLOCK_SKEW_MS = 10 * 60_000

/** The earliest time at which the source may have created it. */
export function createdSince({ createdAt }: Pick<CreatedOrder, 'createdAt'>): string {
  return new Date(Date.parse(createdAt) - MAX_CLOCK_SKEW_MS).toISOString()
}

/**
 * Whether a record of the source is that order: all identifying fields are equal. The caller compares the creation
 * times by the source's clock: the record's own date may be a column without a time.
 */
export function isSameOrder(record: SourceOrder, created: CreatedOrder): boolean {
  return (
    plain(record.customerName) === plain(created.customerName) &&
    plain(record.customerPhone) === plain(created.customerPhone) &&
    plain(record.details) === plain(created.details)
  )
}

/** Sources may change the line breaks. */
function plain(text: string | null): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').trim()
}
