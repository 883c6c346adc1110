import { MAX_VIEWS, type OrderView, ViewSearch } from '@bancone/contract/order-views'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { violatesConstraint } from '../../../database/errors.ts'
import { lockPharmacy } from '../../../database/pharmacy-lock.ts'

type ViewInput = Pick<OrderView, 'name' | 'search'>
type ViewChange = { [Part in keyof ViewInput]?: ViewInput[Part] | undefined }

const columns = ['id', 'name', 'search'] as const

export type OrderViewsStore = ReturnType<typeof createOrderViewsStore>

/** Saved views: the only writer of `order_views`. */
export function createOrderViewsStore(db: Database) {
  return {
    async list(pharmacyId: string): Promise<OrderView[]> {
      const rows = await db
        .selectFrom('order_views')
        .select(columns)
        .where('pharmacy_id', '=', pharmacyId)
        .orderBy(sql`lower(name)`)
        .execute()
      return rows.map(orderView)
    },

    /** Locks the pharmacy while its views are counted, so that concurrent calls respect the limit. */
    add(
      pharmacyId: string,
      { name, search }: ViewInput,
    ): Promise<OrderView | 'name taken' | 'too many'> {
      const adding = db.transaction().execute(async (tx) => {
        await lockPharmacy(tx, pharmacyId)
        const { kept } = await tx
          .selectFrom('order_views')
          .select((view) => view.fn.countAll<string>().as('kept'))
          .where('pharmacy_id', '=', pharmacyId)
          .executeTakeFirstOrThrow()
        if (Number(kept) >= MAX_VIEWS) return 'too many'
        const row = await tx
          .insertInto('order_views')
          .values({ pharmacy_id: pharmacyId, name, search: JSON.stringify(search) })
          .returning(columns)
          .executeTakeFirstOrThrow()
        return orderView(row)
      })
      return adding.catch(nameTaken)
    },

    /** @returns undefined when there is no such view */
    change(
      pharmacyId: string,
      viewId: string,
      { name, search }: ViewChange,
    ): Promise<OrderView | 'name taken' | undefined> {
      return db
        .updateTable('order_views')
        .set({
          name: sql<string>`coalesce(${name ?? null}, name)`,
          search: sql`coalesce(${search ? JSON.stringify(search) : null}::jsonb, search)`,
        })
        .where('id', '=', viewId)
        .where('pharmacy_id', '=', pharmacyId)
        .returning(columns)
        .executeTakeFirst()
        .then((row) => row && orderView(row))
        .catch(nameTaken)
    },

    /** @returns false when there is no such view */
    async remove(pharmacyId: string, viewId: string): Promise<boolean> {
      const removed = await db
        .deleteFrom('order_views')
        .where('id', '=', viewId)
        .where('pharmacy_id', '=', pharmacyId)
        .executeTakeFirst()
      return removed.numDeletedRows > 0n
    },
  }
}

function orderView(row: { id: string; name: string; search: unknown }): OrderView {
  return { id: row.id, name: row.name, search: ViewSearch.parse(row.search) }
}

function nameTaken(error: unknown): 'name taken' {
  if (violatesConstraint(error, 'order_views__name_taken')) return 'name taken'
  throw error
}
