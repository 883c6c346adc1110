import type { changeOrderRetention, OwnOrderRetention } from '@bancone/contract/order-retention'
import type { OrderRetention } from '@bancone/contract/settings'
import type { z } from 'zod'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { isOnAirtable } from '../../../database/on-airtable.ts'
import { lockPharmacy } from '../../../database/row-limit.ts'
import { createAudit } from '../../../platform/audit.ts'

type Days = OrderRetention['orderDays']

/** The days that a pharmacy has chosen; null: it has none. */
export async function ownDays(tx: Database, pharmacyId: string): Promise<Days> {
  const row = await tx
    .selectFrom('order_retention_periods')
    .select('order_days')
    .where('pharmacy_id', '=', pharmacyId)
    .executeTakeFirst()
  return row?.order_days ?? null
}

export type OrderRetentionStore = ReturnType<typeof createOrderRetentionStore>

/**
 * For how long the orders of a pharmacy keep their customers' data: the only writer of `order_retention_periods`.
 *
 * @param platformDays days of the platform; null: as long as the order
 */
export function createOrderRetentionStore(db: Database, platformDays: () => Promise<Days>) {
  const audit = createAudit(db)

  async function get(pharmacyId: string): Promise<OwnOrderRetention> {
    const row = await db
      .selectFrom('pharmacies')
      .leftJoin('order_retention_periods as period', 'period.pharmacy_id', 'pharmacies.id')
      .select(['period.order_days as orderDays', isOnAirtable('pharmacies').as('isOnAirtable')])
      .where('pharmacies.id', '=', pharmacyId)
      .executeTakeFirstOrThrow()
    return { ...row, platformDays: await platformDays() }
  }

  return {
    get,

    /** @throws AppError `order_retention.changed_meanwhile` */
    async change(
      pharmacyId: string,
      { seen, orderDays }: z.output<typeof changeOrderRetention.body>,
    ): Promise<OwnOrderRetention> {
      if (orderDays === null && seen.platformDays !== (await platformDays()))
        throw new AppError('order_retention.changed_meanwhile')
      await db.transaction().execute(async (tx) => {
        await lockPharmacy(tx, pharmacyId)
        const stored = await ownDays(tx, pharmacyId)
        // A request that is repeated after its response was lost.
        if (stored === orderDays) return
        if (stored !== seen.orderDays) throw new AppError('order_retention.changed_meanwhile')
        await tx
          .deleteFrom('order_retention_periods')
          .where('pharmacy_id', '=', pharmacyId)
          .execute()
        if (orderDays !== null) {
          await tx
            .insertInto('order_retention_periods')
            .values({ pharmacy_id: pharmacyId, order_days: orderDays })
            .execute()
        }
        await audit.recordChange(tx, {
          action: 'order_retention_changed',
          pharmacyId,
          target: { type: 'pharmacy', id: pharmacyId },
          before: { orderDays: stored },
          after: { orderDays },
        })
      })
      return get(pharmacyId)
    },
  }
}
