import type { OrderAttachment, OrderPickup, OrderRecord } from '@bancone/contract/orders'
import { webLink } from '../../../lib/links.ts'

/** An order with plain field names, and null for empty columns. */
export type OrderView = {
  recordId: string
  /** The order number, or the record id without one. */
  number: string
  customer: string | null
  status: string
  phone: string | null
  address: string | null
  created: string
  updated: string
  product: string | null
  image: string | null
  /** All of them, where there are several or one is no picture. */
  attachments: OrderAttachment[]
  pickup: OrderPickup
  /** When the order got this state; null without one. */
  pickupAt: string | null
  /** The day until which it is kept for its customer. */
  keptUntil: string | null
}

function filled(text: string | undefined): string | null {
  return text?.trim() ? text.trim() : null
}

/** The order number, or the record id without one. */
export function orderNumber({ id, fields }: Pick<OrderRecord, 'id' | 'fields'>): string {
  return filled(fields['ID Ordine']?.toString()) ?? id
}

export const pickupNames: Record<OrderPickup, string> = {
  none: 'Non pronto',
  ready: 'Pronto',
  collected: 'Ritirato',
  put_back: 'Rimesso a posto',
}

type Moments = Pick<OrderRecord, 'readyAt' | 'collectedAt' | 'putBackAt' | 'keptUntil'>

function viewPickup({ readyAt, collectedAt, putBackAt, keptUntil }: Moments) {
  const pickup: OrderPickup = collectedAt
    ? 'collected'
    : putBackAt
      ? 'put_back'
      : readyAt
        ? 'ready'
        : 'none'
  return {
    pickup,
    pickupAt: collectedAt ?? putBackAt ?? readyAt ?? null,
    keptUntil: keptUntil ?? null,
  }
}

/** @param status shown instead of the stored status while a change is pending */
export function viewOrder(
  { id, fields, attachments = [], ...moments }: OrderRecord,
  status = fields.Stato,
): OrderView {
  return {
    recordId: id,
    number: orderNumber({ id, fields }),
    customer: filled(fields.Cliente),
    status,
    phone: filled(fields['Phone Number']),
    address: filled(fields.Indirizzo),
    created: fields.Created,
    updated: fields.Last,
    product: filled(fields.Ordine),
    image: webLink(fields.Image),
    attachments,
    ...viewPickup(moments),
  }
}

/** Whether the order has data of its customer. */
export function hasCustomer({ customer, phone, product, address, image }: OrderView): boolean {
  return [customer, phone, product, address, image].some((value) => value !== null)
}
