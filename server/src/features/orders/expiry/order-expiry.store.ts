import type { OrderStatus } from '@bancone/contract/orders'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { isOnAirtable } from '../../../database/on-airtable.ts'
import { lockPharmacy } from '../../../database/pharmacy-lock.ts'
import { lockOrder } from '../copy/order-upsert.store.ts'
import { attributeRemovals } from '../details/order-history.store.ts'
import { deleteNotesOf, ordersWithNotesSince } from '../details/order-notes.store.ts'
import { forgetExamples } from '../migration/migration-runs.store.ts'

/** Orders that are read in one transaction. */
const BATCH_SIZE = 500

/** Additional days for orders that still wait: after these they count as closed. */
const WAITING_DAYS = 180

const WAITING: OrderStatus = 'In attesa'
const CANCELLED: OrderStatus = 'Annullato'

export type ExpiringOrder = { id: string; recordId: string }

/** What other features keep of the customers of orders. */
export type CustomerTraces = {
  /** @returns the ids of those orders whose customer was in contact with the pharmacy in the last days, or is expected */
  inContact(
    tx: Database,
    pharmacyId: string,
    orders: readonly ExpiringOrder[],
    days: number,
  ): Promise<string[]>
  remove(tx: Database, pharmacyId: string, orders: readonly ExpiringOrder[]): Promise<void>
}

/** The order after which the next batch begins. */
export type ExpiryPlace = { created: string; id: string }

export type ExpiredBatch = {
  expired: number
  /** Undefined: there are no more. */
  next: ExpiryPlace | undefined
}

export type OrderExpiryStore = ReturnType<typeof createOrderExpiryStore>

/** Anonymizes old orders that are in the database only. */
export function createOrderExpiryStore(db: Database, traces: CustomerTraces) {
  return {
    async pharmacyIds(): Promise<string[]> {
      const rows = await db
        .selectFrom('pharmacies')
        .select('id')
        .where(isInDatabaseOnly)
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    /** How many orders the next night would anonymize, with those whose customers are in contact. */
    async count(days: number): Promise<{ orders: number; pharmacies: number }> {
      const { rows } = await sql<{ orders: number; pharmacies: number }>`
        select count(*)::int as orders, count(distinct record.pharmacy_id)::int as pharmacies
        from pharmacy_orders as record join pharmacies on pharmacies.id = record.pharmacy_id
        where ${isInDatabaseOnly} and ${isOld(days)} and ${hasCustomer}`.execute(db)
      return rows[0] ?? { orders: 0, pharmacies: 0 }
    },

    /**
     * Removes the customer's data of orders whose last change is so many days ago. What remains is the pharmacy, the
     * record id, the number, the times and the status; one that waits is cancelled. Orders of a pharmacy that is on
     * Airtable by now are left alone.
     */
    expire(
      pharmacyId: string,
      days: number,
      after: ExpiryPlace | undefined,
    ): Promise<ExpiredBatch> {
      return db.transaction().execute(async (tx) => {
        // The phase of the migration stays as it is.
        await lockPharmacy(tx, pharmacyId)
        const old = await selectOld(tx, pharmacyId, days, after)
        const orders = await lockExpired(tx, pharmacyId, days, old)
        const kept = new Set([
          ...(await ordersWithNotesSince(tx, pharmacyId, orders, days)),
          ...(await traces.inContact(tx, pharmacyId, orders, days)),
        ])
        const expired = orders.filter(({ id }) => !kept.has(id))
        const last = old.length < BATCH_SIZE ? undefined : old.at(-1)
        const next = last && { created: last.created, id: last.id }
        if (expired.length > 0) {
          await strip(
            tx,
            pharmacyId,
            expired.map(({ id }) => id),
          )
          const recordIds = expired.map(({ recordId }) => recordId)
          await attributeRemovals(tx, pharmacyId, recordIds)
          await deleteNotesOf(tx, pharmacyId, recordIds)
          await forgetExamples(tx, pharmacyId)
          await traces.remove(tx, pharmacyId, expired)
        }
        return { expired: expired.length, next }
      })
    },
  }
}

const isInDatabaseOnly = sql<boolean>`(not ${isOnAirtable('pharmacies')} and pharmacies.deleted_at is null)`

/** `record` is the alias of `pharmacy_orders`. The creation is compared because there is an index of it. */
function isOld(days: number): RawBuilder<boolean> {
  const before = (by: number) => sql`now() - make_interval(days => ${by}::integer)`
  return sql<boolean>`(record.airtable_created < ${before(days)} and record.airtable_last < ${before(days)}
    and (record.status <> ${WAITING} or record.airtable_last < ${before(days + WAITING_DAYS)}))`
}

const hasCustomer = sql<boolean>`num_nonnulls(
  record.customer_name, record.customer_phone, record.address, record.order_details, record.image_url, record.wa_id,
  record.pharma_wa
) > 0`

/** Anonymized orders too: a batch is bounded by what it reads. */
function selectOld(
  tx: Database,
  pharmacyId: string,
  days: number,
  after: ExpiryPlace | undefined,
): Promise<ExpiryPlace[]> {
  return tx
    .selectFrom('pharmacy_orders as record')
    .innerJoin('pharmacies', 'pharmacies.id', 'record.pharmacy_id')
    .select(['record.id', 'record.airtable_created as created'])
    .where('record.pharmacy_id', '=', pharmacyId)
    .where(isInDatabaseOnly)
    .where(isOld(days))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(record.airtable_created, record.id)
          > (${after?.created}::timestamptz, ${after?.id}::bigint)`,
      ),
    )
    .orderBy('record.airtable_created')
    .orderBy('record.id')
    .limit(BATCH_SIZE)
    .execute()
}

/** Those that are still old when they are locked. */
function lockExpired(
  tx: Database,
  pharmacyId: string,
  days: number,
  old: readonly ExpiryPlace[],
): Promise<ExpiringOrder[]> {
  return tx
    .selectFrom('pharmacy_orders as record')
    .select(['record.id', 'record.airtable_order_id as recordId'])
    .where('record.pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`record.id = any(${old.map(({ id }) => id)}::bigint[])`)
    .where(isOld(days))
    .where(hasCustomer)
    .orderBy(lockOrder)
    .forUpdate()
    .execute()
}

async function strip(tx: Database, pharmacyId: string, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('pharmacy_orders')
    .set({
      customer_name: null,
      customer_phone: null,
      address: null,
      order_details: null,
      image_url: null,
      image_ref: null,
      wa_id: null,
      pharma_wa: null,
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
    .execute()
}
