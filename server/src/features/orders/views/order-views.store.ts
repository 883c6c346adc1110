import { MAX_VIEWS, type OrderView, ViewSearch } from '@bancone/contract/order-views'
import { sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { rethrowViolationAs } from '../../../database/errors.ts'
import { lockPharmacy, requireRoom } from '../../../database/row-limit.ts'
import { createAudit } from '../../../platform/audit.ts'

type ViewInput = Pick<OrderView, 'name' | 'search'>
type ViewChange = { [Part in keyof ViewInput]?: ViewInput[Part] | undefined }

const columns = ['id', 'name', 'search'] as const

export type OrderViewsStore = ReturnType<typeof createOrderViewsStore>

/** Saved views: the only writer of `order_views`. */
export function createOrderViewsStore(db: Database) {
  const audit = createAudit(db)
  const concerning = (pharmacyId: string, id: string) => ({
    pharmacyId,
    target: { type: 'view', id },
  })

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

    /** @throws AppError `views.too_many`, `views.name_taken` */
    add(pharmacyId: string, { name, search }: ViewInput): Promise<OrderView> {
      const adding = db.transaction().execute(async (tx) => {
        await lockPharmacy(tx, pharmacyId)
        await requireRoom({
          rows: tx.selectFrom('order_views').where('pharmacy_id', '=', pharmacyId),
          max: MAX_VIEWS,
          code: 'views.too_many',
        })
        const row = await tx
          .insertInto('order_views')
          .values({ pharmacy_id: pharmacyId, name, search: JSON.stringify(search) })
          .returning(columns)
          .executeTakeFirstOrThrow()
        const change = { action: 'order_view_added', after: { name, search } } as const
        await audit.recordChange(tx, { ...change, ...concerning(pharmacyId, row.id) })
        return orderView(row)
      })
      return adding.catch(nameTaken)
    },

    /** @throws AppError `views.not_found`, `views.name_taken` */
    change(pharmacyId: string, viewId: string, { name, search }: ViewChange): Promise<OrderView> {
      const changing = db.transaction().execute(async (tx) => {
        const before = await tx
          .selectFrom('order_views')
          .select(['name', 'search'])
          .where('id', '=', viewId)
          .where('pharmacy_id', '=', pharmacyId)
          .forUpdate()
          .executeTakeFirstOrThrow(() => new AppError('views.not_found'))
        const row = await tx
          .updateTable('order_views')
          .set({
            name: sql<string>`coalesce(${name ?? null}, name)`,
            search: sql`coalesce(${search ? JSON.stringify(search) : null}::jsonb, search)`,
          })
          .where('id', '=', viewId)
          .where('pharmacy_id', '=', pharmacyId)
          .returning(columns)
          .executeTakeFirstOrThrow()
        const after = { name: row.name, search: row.search }
        const change = { action: 'order_view_changed', before, after } as const
        await audit.recordChange(tx, { ...change, ...concerning(pharmacyId, viewId) })
        return orderView(row)
      })
      return changing.catch(nameTaken)
    },

    /** @throws AppError `views.not_found` */
    async remove(pharmacyId: string, viewId: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const before = await tx
          .deleteFrom('order_views')
          .where('id', '=', viewId)
          .where('pharmacy_id', '=', pharmacyId)
          .returning(['name', 'search'])
          .executeTakeFirstOrThrow(() => new AppError('views.not_found'))
        const change = { action: 'order_view_removed', before } as const
        await audit.recordChange(tx, { ...change, ...concerning(pharmacyId, viewId) })
      })
    },
  }
}

function orderView(row: { id: string; name: string; search: unknown }): OrderView {
  return { id: row.id, name: row.name, search: ViewSearch.parse(row.search) }
}

const nameTaken = rethrowViolationAs('views.name_taken', 'order_views__name_taken')
