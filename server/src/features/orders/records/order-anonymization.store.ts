import type { OrderStatus } from '@bancone/contract/orders'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { isOnAirtable } from '../../../database/on-airtable.ts'
import { attributeContent } from './order-history.store.ts'
import type { OrderHooks } from './order-hooks.ts'
import { deleteImagesOf } from './order-image-files.store.ts'
import { deleteNotesOf } from './order-notes.store.ts'
import { statusBefore } from './order-upsert.store.ts'
import type { Author } from './orders-owner.ts'

const WAITING: OrderStatus = 'In attesa'
const CANCELLED: OrderStatus = 'Annullato'

const SYSTEM: Author = { from: 'system', userId: null, sessionId: null }

export type AnonymizedOrder = { id: string; recordId: string }

/** What other parts keep of the customers of orders. */
export type CustomerTraces = {
  /** @returns the ids of those orders whose customer was in contact with the pharmacy in the last days, or is expected */
  inContact(
    tx: Database,
    pharmacyId: string,
    orders: readonly AnonymizedOrder[],
    days: number,
  ): Promise<string[]>
  remove(tx: Database, pharmacyId: string, orders: readonly AnonymizedOrder[]): Promise<void>
  onStatus: OrderHooks['onStatus']
}

/** Ids of a base that are missing may be missing for a moment: its last reading counts, too. */
export const isInDatabaseOnly = sql<boolean>`(pharmacies.deleted_at is null and (
  pharmacies.orders_phase = 'retired'
  or not ${isOnAirtable('pharmacies')} and not exists (
    select from order_copies
    where order_copies.pharmacy_id = pharmacies.id and order_copies.read_at > now() - interval '30 days'
  )
))`

/** `record` is the alias of `pharmacy_orders`. */
export const hasCustomer = sql<boolean>`num_nonnulls(
  record.customer_name, record.customer_phone, record.address, record.order_details, record.image_url, record.wa_id
) > 0`

/**
 * Removes the customer's data of orders that are in the database only. What remains is the pharmacy, the record id, the
 * number, the times and the status; one that waits is cancelled.
 *
 * @param tx a transaction that has locked the orders
 */
export async function anonymizeOrders(
  tx: Database,
  pharmacyId: string,
  orders: readonly AnonymizedOrder[],
  traces: Omit<CustomerTraces, 'inContact'>,
): Promise<void> {
  const ids = orders.map(({ id }) => id)
  const recordIds = orders.map(({ recordId }) => recordId)
  const cancelled = await strip(tx, pharmacyId, ids)
  if (cancelled.length > 0) await traces.onStatus(tx, pharmacyId, cancelled)
  await attributeContent(tx, pharmacyId, recordIds, SYSTEM)
  await deleteNotesOf(tx, pharmacyId, recordIds)
  await deleteImagesOf(tx, pharmacyId, ids)
  await traces.remove(tx, pharmacyId, orders)
}

/** The number of WhatsApp that stays is the pharmacy's. @returns the orders that are cancelled by it */
async function strip(tx: Database, pharmacyId: string, ids: readonly string[]) {
  const rows = await tx
    .updateTable('pharmacy_orders')
    .set({
      customer_name: null,
      customer_phone: null,
      address: null,
      order_details: null,
      image_url: null,
      image_ref: null,
      image_kept: false,
      attachments: null,
      wa_id: null,
      // Of the order's content; without it, a later reading of the order source writes the order again.
      content_hash: null,
      status: sql<string>`case status when ${WAITING} then ${CANCELLED} else status end`,
      changed_from: sql<string>`case status when ${WAITING} then 'system' else changed_from end`,
      changed_by: sql<string | null>`case when status <> ${WAITING} then changed_by end`,
      changed_in: sql<string | null>`case when status <> ${WAITING} then changed_in end`,
      seen_at: sql<string>`coalesce(seen_at, now())`,
    })
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .returning(['id as orderId', 'airtable_order_id as recordId', 'status as to', statusBefore])
    .execute()
  return rows.filter(({ from, to }) => from !== to)
}
