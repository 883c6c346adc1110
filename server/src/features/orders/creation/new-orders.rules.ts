import type { NewOrderFields } from '@bancone/contract/new-orders'
import type { CorrectedFields, ShownFields } from '@bancone/contract/order-corrections'
import type { SourceCorrection, SourceOrder } from '../../../ports/order-source.ts'

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

/** Sources may change white space. */
function plain(text: string | null): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').trim()
}

/** A pending order, read after it was locked. Times are ISO 8601. */
export type PendingOrder = {
  origin: string
  /** When its creation was requested. */
  requestedAt: string
  /** The creator's request has been answered with success. */
  answered: boolean
  /** No user has seen it: `seen_at` still has its first value, `created_at`. */
  isUnseen: boolean
  /** When a user first changed its status. */
  statusChangedAt: string | null
}

/**
 * Whether the record that the source returned for a pending order belongs to the order that has it already. Otherwise a
 * reading copied the record before it was matched, and both orders are one.
 */
export function isOfAnother(
  { requestedAt }: Pick<PendingOrder, 'requestedAt'>,
  holder: { origin: string; createdAt: string },
): boolean {
  return holder.origin !== 'store' || holder.createdAt < requestedAt
}

/**
 * Whether an order that has become final is announced as new: once, if it was created by an API key and no user has
 * seen or changed it.
 */
export function isNew({ answered, origin, isUnseen, statusChangedAt }: PendingOrder): boolean {
  return !answered && origin === 'api' && isUnseen && statusChangedAt === null
}

/** The content of an order that can be corrected. */
export type OrderContent = {
  orderNumber: string | null
  customerName: string | null
  customerPhone: string | null
  address: string | null
  details: string | null
}

/** Whether an order is as the caller has seen it. */
export function isAsShown(order: OrderContent, shown: ShownFields): boolean {
  return (
    plain(order.orderNumber) === plain(shown['ID Ordine']) &&
    plain(order.customerName) === plain(shown.Cliente) &&
    plain(order.customerPhone) === plain(shown['Phone Number']) &&
    plain(order.address) === plain(shown.Indirizzo) &&
    plain(order.details) === plain(shown.Ordine)
  )
}

/** What Airtable has to write: the number only where it changes, because bases may number orders themselves. */
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
