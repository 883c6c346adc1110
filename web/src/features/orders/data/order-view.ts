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
  /** The text of `product` as it is stored. */
  text: string
  image: string | null
  /** All of them, where there are several or one is no picture. */
  attachments: OrderAttachment[]
  pickup: OrderPickup
  /** When the order got this state; null without one. */
  pickupAt: string | null
} & Pick<OrderRecord, 'keptUntil' | 'partly' | 'expectedOn'>

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

const weekday = new Intl.DateTimeFormat('it-IT', {
  weekday: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** '2 di 3 pronti', of an order that is partly there. */
export const partlyText = ({ partly }: OrderView) =>
  partly && `${partly.there.length} di ${partly.total} pronti`

/** What is said in a list of where the order is. */
export function pickupTexts(order: OrderView): (string | undefined)[] {
  const { pickup, status, expectedOn } = order
  if (status === 'Annullato') return []
  if (pickup !== 'none') return [pickupNames[pickup]]
  return [partlyText(order), expectedOn && `atteso ${weekday.format(new Date(expectedOn))}`]
}

/** @param status shown instead of the stored status while a change is pending */
export function viewOrder(
  { id, fields, attachments = [], ...others }: OrderRecord,
  status = fields.Stato,
): OrderView {
  const { readyAt, collectedAt, putBackAt, keptUntil, partly, expectedOn } = others
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
    text: fields.Ordine ?? '',
    image: webLink(fields.Image),
    attachments,
    pickup: collectedAt ? 'collected' : putBackAt ? 'put_back' : readyAt ? 'ready' : 'none',
    pickupAt: collectedAt ?? putBackAt ?? readyAt ?? null,
    keptUntil,
    partly,
    expectedOn,
  }
}

/** Whether the order has data of its customer. */
export function hasCustomer({ customer, phone, product, address, image }: OrderView): boolean {
  return [customer, phone, product, address, image].some((value) => value !== null)
}
