import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { NewSourceOrder, SourceLocation } from '../../../ports/order-source.ts'
import type { Sharer } from '../copy/order-owner.rules.ts'
import { sharersOf } from '../copy/order-sharers.store.ts'
import { noHooks, type OrderHooks } from '../copy/order-writing.store.ts'
import type { MadeOrder } from './new-orders.rules.ts'
import { createOrderBirthsStore } from './order-births.store.ts'

export const CREATE_TASK = 'orders.create'

/** Seconds a process may take for one attempt before another may try. */
const CLAIM_SECONDS = 30

/** Seconds within which a request comes to pass that has not been answered, if it does. */
const UNSURE_SECONDS = 30

/** Orders of which one will say what the pharmacy goes by in its table. */
const NEWEST = 20

export type ClaimedCreation = {
  pharmacyId: string
  /** Tells this claim from a later one, when it is given back. */
  claim: string
  order: Omit<NewSourceOrder, 'pharmaWa'> & MadeOrder
  /**
   * `recently`: the store was asked and did not answer, and may yet make it; `before`: that is so long ago
   * that it has it or has it not.
   */
  asked: 'never' | 'recently' | 'before'
  /** Null when the orders are kept in our database alone, be it only since it was made. */
  location: SourceLocation | null
  /** The pharmacies of that table. */
  sharers: Sharer[]
  /** What the pharmacy's newest order of the store has in `PharmaWA`. */
  usedWord: string | null
}

export type OrderCreationsStore = ReturnType<typeof createOrderCreationsStore>

/** The orders on their way to the order store: with what became of them the only writer of `order_creations`. */
export function createOrderCreationsStore(db: Database, hooks: OrderHooks = noHooks) {
  async function isWaiting(orderId: string): Promise<boolean> {
    const row = await db
      .selectFrom('order_creations')
      .select('order_id')
      .where('order_id', '=', orderId)
      .where('kept_here', '=', false)
      .executeTakeFirst()
    return row !== undefined
  }

  async function usedWord(pharmacyId: string): Promise<string | null> {
    const rows = await db
      .selectFrom('pharmacy_orders')
      .select('pharma_wa')
      .where('pharmacy_id', '=', pharmacyId)
      .orderBy('airtable_created', 'desc')
      .orderBy('id', 'desc')
      .limit(NEWEST)
      .execute()
    return rows.find(({ pharma_wa }) => pharma_wa !== null)?.pharma_wa ?? null
  }

  return {
    ...createOrderBirthsStore(db, hooks),

    /**
     * Reserves an order for this process.
     * @returns `claimed`: whoever has it may still be at it, or have died; `none`: it does not wait any more
     */
    async claim(orderId: string): Promise<ClaimedCreation | 'claimed' | 'none'> {
      const row = await db
        .updateTable('order_creations as creation')
        .from('pharmacy_orders as record')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'record.pharmacy_id')
        .set({
          claimed_until: sql<string>`now() + make_interval(secs => ${CLAIM_SECONDS})`,
          // Whoever had claimed it has died, and nobody knows how far it came.
          unsure_at: sql<string | null>`coalesce(creation.claimed_until, creation.unsure_at)`,
        })
        .where('creation.order_id', '=', orderId)
        .where('creation.kept_here', '=', false)
        .whereRef('record.id', '=', 'creation.order_id')
        .where((is) =>
          is.or([
            is('creation.claimed_until', 'is', null),
            is('creation.claimed_until', '<', sql<string>`now()`),
          ]),
        )
        .returning([
          sql<string>`creation.claimed_until::text`.as('claim'),
          'creation.pharmacy_id',
          'creation.created_at',
          'record.order_number',
          'record.customer_name',
          'record.customer_phone',
          'record.address',
          'record.order_details',
          'record.status',
          'pharmacy.airtable_base_id',
          'pharmacy.airtable_table_id',
          'pharmacy.use_supabase_orders',
          sql<ClaimedCreation['asked']>`case
            when creation.unsure_at is null then 'never'
            when creation.unsure_at > now() - make_interval(secs => ${UNSURE_SECONDS})
            then 'recently' else 'before' end`.as('asked'),
        ])
        .executeTakeFirst()
      if (!row) return (await isWaiting(orderId)) ? 'claimed' : 'none'
      const { airtable_base_id: baseId, airtable_table_id: tableId } = row
      const location = !row.use_supabase_orders && baseId && tableId ? { baseId, tableId } : null
      const sharers = location ? await sharersOf(db, location) : []
      return {
        pharmacyId: row.pharmacy_id,
        claim: row.claim,
        order: {
          orderNumber: row.order_number,
          customerName: row.customer_name ?? '',
          customerPhone: row.customer_phone,
          address: row.address,
          details: row.order_details ?? '',
          status: row.status,
          madeAt: row.created_at,
        },
        asked: row.asked,
        location,
        sharers,
        usedWord: sharers.length > 1 ? await usedWord(row.pharmacy_id) : null,
      }
    },

    /** Another may try: unless one does already, who took it that this one had died. */
    async release(orderId: string, claim: string): Promise<void> {
      await db
        .updateTable('order_creations')
        .set({ claimed_until: null })
        .where('order_id', '=', orderId)
        .where(sql<boolean>`claimed_until = ${claim}::timestamptz`)
        .execute()
    },

    /** The same; the store was asked, and did not answer: what was asked may come to pass all the same. */
    async doubt(orderId: string, claim: string): Promise<void> {
      await db
        .updateTable('order_creations')
        .set({
          claimed_until: sql<string | null>`nullif(claimed_until, ${claim}::timestamptz)`,
          unsure_at: sql<string>`clock_timestamp()`,
        })
        .where('order_id', '=', orderId)
        .execute()
    },

    /** The orders of a pharmacy that wait, oldest first. */
    async waiting(pharmacyId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('order_creations')
        .select('order_id')
        .where('pharmacy_id', '=', pharmacyId)
        .where('kept_here', '=', false)
        .orderBy('created_at')
        .orderBy('order_id')
        .execute()
      return rows.map((row) => row.order_id)
    },
  }
}
