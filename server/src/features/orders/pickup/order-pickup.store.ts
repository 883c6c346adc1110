import type { HandlerResult } from '@bancone/contract/endpoint'
import { orderLines } from '@bancone/contract/order-lines'
import type {
  changeOrderLine,
  changeOrdersPickup,
  PickupChange,
  PickupSettings,
} from '@bancone/contract/order-pickup'
import { ReadyStatus } from '@bancone/contract/order-pickup'
import { OrderPickup } from '@bancone/contract/orders'
import { sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { createAudit } from '../../../platform/audit.ts'
import { enqueuePushes } from '../changes/order-changes.store.ts'
import { currentRecordId } from '../records/order-actors.store.ts'
import { lockOrder, updateOrder } from '../records/order-locks.store.ts'
import type { Author } from '../records/orders-owner.ts'

/** Of a pharmacy that has chosen no other number. `first_overdue_day` has it as well. */
const OVERDUE_DAYS = 3

export type OrderPickupStore = ReturnType<typeof createOrderPickupStore>

const now = sql<string>`clock_timestamp()`

/** The moments of an order in a state. One that it had before stays. */
const moments = {
  none: { ready_at: null, collected_at: null, put_back_at: null, kept_until: null },
  ready: {
    ready_at: sql<string>`coalesce(ready_at, ${now})`,
    collected_at: null,
    put_back_at: null,
  },
  collected: { collected_at: now, put_back_at: null },
  put_back: { put_back_at: now, collected_at: null },
}

/** The columns that every change by an author writes: who it was, and that the order was seen. */
const changedBy = ({ from, userId, sessionId }: Author) => ({
  changed_from: from,
  changed_by: userId,
  changed_in: sessionId,
  seen_at: sql<string>`coalesce(seen_at, ${now})`,
})

export type LineChange = { place: number; text: string; isThere: boolean }

/** Called in the transaction that has changed the pickup state of these orders. */
export type OnPickup = (tx: Database, pharmacyId: string, orderIds: string[]) => Promise<void>

/** When orders are ready for their customers, and when they are collected. */
export function createOrderPickupStore(db: Database, onPickup: OnPickup) {
  const audit = createAudit(db)

  async function settings(tx: Database, pharmacyId: string): Promise<PickupSettings> {
    const row = await tx
      .selectFrom('order_pickup_settings')
      .select(['ready_status', 'overdue_days'])
      .where('pharmacy_id', '=', pharmacyId)
      .executeTakeFirst()
    return {
      readyStatus: row?.ready_status ? ReadyStatus.parse(row.ready_status) : null,
      overdueDays: row?.overdue_days ?? OVERDUE_DAYS,
    }
  }

  async function setDay(
    pharmacyId: string,
    recordId: string,
    day: { kept_until: string | null } | { expected_on: string | null },
  ): Promise<void> {
    const changed = await db
      .updateTable('pharmacy_orders')
      .set(day)
      .where('pharmacy_id', '=', pharmacyId)
      .where('airtable_order_id', '=', currentRecordId(pharmacyId, recordId))
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw new AppError('orders.not_found')
  }

  return {
    /** Changes each order independently. Of two changes of the same order the last one counts. */
    change(
      pharmacyId: string,
      wanted: readonly PickupChange[],
      author: Author,
    ): Promise<HandlerResult<typeof changeOrdersPickup>> {
      const changes = new Map(wanted.map((change) => [change.recordId, change]))
      return db.transaction().execute(async (tx) => {
        const found = await lockOrders(tx, pharmacyId, [...changes.keys()])
        const answer: HandlerResult<typeof changeOrdersPickup> = { changed: [], left: [] }
        const ids: Record<OrderPickup, string[]> = {
          none: [],
          ready: [],
          collected: [],
          put_back: [],
        }
        for (const { recordId, to, was } of changes.values()) {
          const order = found.get(recordId)
          const from = order?.pickup ?? null
          if (!order || from === null) answer.left.push({ recordId, now: null })
          else if (from === to) answer.changed.push({ recordId, from, to })
          else if (was !== undefined && was !== from) answer.left.push({ recordId, now: from })
          else {
            ids[to].push(order.id)
            answer.changed.push({ recordId, from, to })
          }
        }
        for (const to of OrderPickup.options) {
          if (ids[to].length === 0) continue
          await tx
            .updateTable('pharmacy_orders')
            .set({ ...moments[to], ...changedBy(author) })
            .where('pharmacy_id', '=', pharmacyId)
            .where('id', 'in', ids[to])
            .execute()
        }
        await enqueueWaiting(tx, pharmacyId, Object.values(ids).flat())
        await onPickup(tx, pharmacyId, Object.values(ids).flat())
        return answer
      })
    },

    /** @throws AppError `orders.not_found`, `orders.lines_changed` */
    changeLine(
      pharmacyId: string,
      recordId: string,
      { place, text, isThere }: LineChange,
      author: Author,
    ): Promise<HandlerResult<typeof changeOrderLine>> {
      return db.transaction().execute(async (tx) => {
        const order = (await lockOrders(tx, pharmacyId, [recordId])).get(recordId)
        if (!order) throw new AppError('orders.not_found')
        const { id, pickup: from, details, there } = order
        const lines = orderLines(details ?? '')
        const hasLeft = from === 'collected' || from === 'put_back'
        if (hasLeft || lines.find((line) => line.place === place)?.text !== text)
          throw new AppError('orders.lines_changed')
        const wasThere = (line: number) => from === 'ready' || there.includes(line)
        const after = lines
          .map((line) => line.place)
          .filter((line) => (line === place ? isThere : wasThere(line)))
        const to = after.length === lines.length ? 'ready' : 'none'
        if (wasThere(place) === isThere && from === to) return { from, to }
        await updateOrder(tx, pharmacyId, id)
          .set({
            ...moments[to],
            // What was there before the last line remains, for when the order is not ready after all.
            ...(to === 'none' && { lines_there: after.length > 0 ? after : null }),
            ...changedBy(author),
          })
          .execute()
        await enqueueWaiting(tx, pharmacyId, [id])
        await onPickup(tx, pharmacyId, [id])
        return { from, to }
      })
    },

    /** @throws AppError `orders.not_found` */
    keepUntil: (pharmacyId: string, recordId: string, until: string | null) =>
      setDay(pharmacyId, recordId, { kept_until: until }),

    /** @throws AppError `orders.not_found` */
    expectOn: (pharmacyId: string, recordId: string, day: string | null) =>
      setDay(pharmacyId, recordId, { expected_on: day }),

    settings: (pharmacyId: string) => settings(db, pharmacyId),

    /** Orders that have the status already stay as they are. */
    changeSettings(pharmacyId: string, chosen: PickupSettings): Promise<PickupSettings> {
      return db.transaction().execute(async (tx) => {
        const before = await settings(tx, pharmacyId)
        const row = { ready_status: chosen.readyStatus, overdue_days: chosen.overdueDays }
        await tx
          .insertInto('order_pickup_settings')
          .values({ pharmacy_id: pharmacyId, ...row })
          .onConflict((of) => of.column('pharmacy_id').doUpdateSet(row))
          .execute()
        await audit.recordChange(tx, {
          action: 'pickup_settings_changed',
          pharmacyId,
          target: { type: 'pharmacy', id: pharmacyId },
          before,
          after: chosen,
        })
        return chosen
      })
    },
  }
}

/**
 * The customer of an order was served at the counter, or that was taken back. Its moment of being ready stays.
 *
 * @param tx the transaction that changes the priority session, and has not locked it yet: orders are locked first
 */
export async function followPrioritySession(
  tx: Database,
  pharmacyId: string,
  recordId: string,
  { isServed, userId }: { isServed: boolean; userId: string },
): Promise<void> {
  const changed = await tx
    .updateTable('pharmacy_orders')
    .set({
      collected_at: isServed ? now : null,
      changed_from: 'person',
      changed_by: userId,
      changed_in: null,
    })
    .where('pharmacy_id', '=', pharmacyId)
    .where('airtable_order_id', '=', recordId)
    .where('collected_at', isServed ? 'is' : 'is not', null)
    .returning('id')
    .execute()
  await enqueueWaiting(
    tx,
    pharmacyId,
    changed.map(({ id }) => id),
  )
}

/** Adds the jobs that write the changed moments of these orders to Airtable, where the pharmacy has columns for them. */
async function enqueueWaiting(tx: Database, pharmacyId: string, orderIds: readonly string[]) {
  if (orderIds.length === 0) return
  const waiting = await tx
    .selectFrom('order_pickup_changes')
    .select('order_id')
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`order_id = any(${orderIds}::bigint[])`)
    .execute()
  if (waiting.length === 0) return
  await enqueuePushes(
    tx,
    pharmacyId,
    waiting.map((row) => row.order_id),
  )
}

type LockedOrder = {
  id: string
  pickup: OrderPickup
  details: string | null
  /** The places of the lines that are there, unless the order is ready. */
  there: readonly number[]
}

/** Locks the orders with these record ids, which may be aliases. */
async function lockOrders(
  tx: Database,
  pharmacyId: string,
  recordIds: readonly string[],
): Promise<Map<string, LockedOrder>> {
  const found = await lockCurrent(tx, pharmacyId, recordIds)
  const missing = recordIds.filter((id) => !found.has(id))
  // An order that got its record id from Airtable while this waited for its lock is now found by its alias.
  const late = missing.length > 0 ? await lockCurrent(tx, pharmacyId, missing) : []
  return new Map([...found, ...late])
}

async function lockCurrent(tx: Database, pharmacyId: string, recordIds: readonly string[]) {
  const rows = await tx
    .selectFrom(sql<{ id: string }>`unnest(${recordIds}::text[])`.as<'asked'>(sql`asked(id)`))
    .leftJoin('order_aliases as alias', (join) =>
      join.onRef('alias.alias', '=', 'asked.id').on('alias.pharmacy_id', '=', pharmacyId),
    )
    .innerJoin('pharmacy_orders as record', (join) =>
      join
        .on('record.pharmacy_id', '=', pharmacyId)
        .on('record.airtable_order_id', '=', sql<string>`coalesce(alias.record_id, asked.id)`),
    )
    .select(['asked.id as requested', 'record.id', 'record.order_details as details'])
    .select('record.lines_there as there')
    .select(
      sql<string>`order_pickup(record.ready_at, record.collected_at, record.put_back_at)`.as(
        'pickup',
      ),
    )
    .orderBy(lockOrder)
    .forNoKeyUpdate('record')
    .execute()
  return new Map(
    rows.map(({ requested, pickup, there, ...order }) => [
      requested,
      { ...order, there: there ?? [], pickup: OrderPickup.parse(pickup) },
    ]),
  )
}
