import type { OrderStatus } from '@bancone/contract/orders'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { isStatementTimeout } from '../../../database/errors.ts'
import { lockPharmacy } from '../../../database/row-limit.ts'
import type { Audit } from '../../../platform/audit.ts'
import { enqueue, enqueueAll } from '../../../platform/jobs.ts'
import {
  type AnonymizedOrder,
  anonymizeOrders,
  type CustomerTraces,
  hasCustomer,
  isInDatabaseOnly,
} from '../records/order-anonymization.store.ts'
import { isHeld } from '../records/order-holds.store.ts'
import { lockOrder } from '../records/order-locks.store.ts'
import { lockNotesSince } from '../records/order-notes.store.ts'
import { ownDays } from './order-retention.store.ts'

export const EXPIRY_OF_PHARMACY_TASK = 'orders.expire_pharmacy'

/** Lower than other jobs: the first night of a large pharmacy takes a while. */
const EXPIRY_PRIORITY = 20

/** Orders that are read in one transaction. */
const BATCH_SIZE = 500

/** Additional days for orders that still wait: after these they count as closed. */
const WAITING_DAYS = 180

/** More orders are not counted before the setting is saved, nor for longer than this. */
const MAX_COUNTED = 10_000
const COUNT_TIMEOUT_MS = 5_000

const WAITING: OrderStatus = 'In attesa'

/** The order after which the next batch begins. `created` has microseconds. */
export type ExpiryPlace = { created: string; id: string }

type Dependencies = { audit: Pick<Audit, 'record'>; traces: CustomerTraces }

export type OrderExpiryStore = ReturnType<typeof createOrderExpiryStore>

/** Anonymizes old orders that are in the database only. */
export function createOrderExpiryStore(db: Database, { audit, traces }: Dependencies) {
  return {
    /**
     * Enqueues a job for each pharmacy whose orders are in the database only.
     * @param platformDays null: only for pharmacies that have chosen a period
     */
    enqueue(platformDays: number | null): Promise<void> {
      return db.transaction().execute(async (tx) => {
        const rows = await tx
          .selectFrom('pharmacies')
          .select('id')
          .where(isInDatabaseOnly)
          .$if(platformDays === null, (query) => query.where(hasOwnDays))
          .orderBy('id')
          .execute()
        const jobs = rows.map(({ id }) => ({
          payload: { pharmacyId: id },
          key: `${EXPIRY_OF_PHARMACY_TASK}:${id}`,
          delaySeconds: 0,
        }))
        await enqueueAll(tx, EXPIRY_OF_PHARMACY_TASK, jobs, { priority: EXPIRY_PRIORITY })
      })
    },

    /** Enqueues the rest of a pharmacy, after those of other pharmacies and other jobs. */
    async continueLater(pharmacyId: string, after: ExpiryPlace): Promise<void> {
      await enqueue(
        db,
        EXPIRY_OF_PHARMACY_TASK,
        { pharmacyId, after },
        { key: `${EXPIRY_OF_PHARMACY_TASK}:${pharmacyId}`, priority: EXPIRY_PRIORITY },
      )
    },

    /**
     * How many orders of the pharmacies that have chosen no period the next night would anonymize, with those whose
     * customers are in contact.
     *
     * @returns null when there are too many to be counted quickly
     */
    count: (days: number) => countOld(days, sql`not ${hasOwnDays}`),

    /** As `count`, of one pharmacy. */
    countOf: (pharmacyId: string, days: number) =>
      countOld(days, sql`record.pharmacy_id = ${pharmacyId}`),

    /**
     * Removes the customer's data of orders whose last change is so many days ago. What remains is the pharmacy, the
     * record id, the number, the times and the status; one that waits is cancelled. Orders of a pharmacy that is on
     * Airtable by now are left alone.
     *
     * @param platformDays the days for a pharmacy that has chosen none; null: as long as the order
     */
    expire(pharmacyId: string, platformDays: number | null, after: ExpiryPlace | undefined) {
      return db.transaction().execute(async (tx) => {
        // The phase of the migration, the chosen days and what is held stay as they are.
        await lockPharmacy(tx, pharmacyId)
        const days = (await ownDays(tx, pharmacyId)) ?? platformDays
        if (days === null) return { expired: 0, next: undefined }
        const old = await selectOld(tx, pharmacyId, days, after)
        const orders = await lockExpired(tx, pharmacyId, days, old)
        const expired = await withoutContact(tx, pharmacyId, days, orders)
        if (expired.length > 0) {
          await anonymizeOrders(tx, pharmacyId, expired, traces)
          const details = { orders: expired.length }
          const event = { action: 'orders_expired', userId: null, pharmacyId } as const
          await audit.record({ ...event, role: 'system', details }, tx)
        }
        return {
          expired: expired.length,
          next: old.length < BATCH_SIZE ? undefined : old.at(-1),
        }
      })
    },
  }

  async function countOld(days: number, condition: RawBuilder<unknown>): Promise<number | null> {
    try {
      return await db.transaction().execute(async (tx) => {
        await sql`set local statement_timeout = ${sql.lit(COUNT_TIMEOUT_MS)}`.execute(tx)
        const { rows } = await sql<{ orders: number }>`
          select count(*)::int as orders from (
            select from pharmacy_orders as record
            join pharmacies on pharmacies.id = record.pharmacy_id
            where ${condition} and ${isInDatabaseOnly} and ${isOld(days)} and ${canExpire}
            limit ${MAX_COUNTED + 1}
          ) as old`.execute(tx)
        const orders = rows[0]?.orders ?? 0
        return orders > MAX_COUNTED ? null : orders
      })
    } catch (error) {
      if (isStatementTimeout(error)) return null
      throw error
    }
  }

  async function withoutContact(
    tx: Database,
    pharmacyId: string,
    days: number,
    orders: readonly AnonymizedOrder[],
  ): Promise<AnonymizedOrder[]> {
    if (orders.length === 0) return []
    const kept = new Set([
      ...(await lockNotesSince(tx, pharmacyId, orders, days)),
      ...(await traces.inContact(tx, pharmacyId, orders, days)),
    ])
    return orders.filter(({ id }) => !kept.has(id))
  }
}

const hasOwnDays = sql<boolean>`exists (
  select from order_retention_periods as period where period.pharmacy_id = pharmacies.id
)`

/** `record` is the alias of `pharmacy_orders`. The creation is compared because there is an index of it. */
function isOld(days: number): RawBuilder<boolean> {
  const before = (by: number) => sql`now() - make_interval(days => ${by}::integer)`
  return sql<boolean>`(record.airtable_created < ${before(days)} and record.airtable_last < ${before(days)}
    and (record.status <> ${WAITING} or record.airtable_last < ${before(days + WAITING_DAYS)}))`
}

/** Also those to which something was added after their customer's data had expired. */
const canExpire = sql<boolean>`not ${isHeld()} and (${hasCustomer} or record.status = ${WAITING} or exists (
  select from order_notes as note
  where note.pharmacy_id = record.pharmacy_id and note.record_id = record.airtable_order_id
))`

/** Anonymized orders too: a batch is bounded by what it reads. */
function selectOld(tx: Database, pharmacyId: string, days: number, after: ExpiryPlace | undefined) {
  return tx
    .selectFrom('pharmacy_orders as record')
    .innerJoin('pharmacies', 'pharmacies.id', 'record.pharmacy_id')
    .select(['record.id', sql<string>`record.airtable_created::text`.as('created')])
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
function lockExpired(tx: Database, pharmacyId: string, days: number, old: readonly ExpiryPlace[]) {
  return tx
    .selectFrom('pharmacy_orders as record')
    .select(['record.id', 'record.airtable_order_id as recordId'])
    .where('record.pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`record.id = any(${old.map(({ id }) => id)}::bigint[])`)
    .where(isOld(days))
    .where(canExpire)
    .orderBy(lockOrder)
    .forUpdate('record')
    .execute()
}
