import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

export type DeliveryStatus = 'sent' | 'delivered' | 'read' | 'failed'

/** What Meta reports of a sent message, by its id of it. `at` is ISO 8601. */
export type DeliveryReport = {
  metaId: string
  status: DeliveryStatus
  at: string
  errorCode: number | null
}

/** Days for which the reports are kept, as long as the notices. */
const KEPT_DAYS = 365

/** Deletes what was reported of messages. Their ids, which Meta makes, contain the number of the customer. */
export async function deleteDeliveriesOf(
  tx: Database,
  pharmacyId: string,
  metaIds: readonly (string | null)[],
): Promise<void> {
  await tx
    .deleteFrom('whatsapp_deliveries')
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`message_id = any(${metaIds}::text[])`)
    .execute()
}

/** The only writer of `whatsapp_deliveries`. */
export function createDeliveriesStore(db: Database) {
  return {
    /**
     * Reports come repeatedly and in any order; the first time of each status is kept.
     *
     * @returns whether that status was not reported before, and the furthest one now
     */
    async report(
      tx: Database,
      pharmacyId: string,
      { metaId, status, at, errorCode }: DeliveryReport,
    ): Promise<{ isNew: boolean; furthest: DeliveryStatus }> {
      const column = `${status}_at` as const
      const before = await tx
        .selectFrom('whatsapp_deliveries')
        .select(column)
        .where('pharmacy_id', '=', pharmacyId)
        .where('message_id', '=', metaId)
        .forUpdate()
        .executeTakeFirst()
      const after = await tx
        .insertInto('whatsapp_deliveries')
        .values({
          pharmacy_id: pharmacyId,
          message_id: metaId,
          [column]: at,
          error_code: errorCode,
        })
        .onConflict((conflict) =>
          conflict.columns(['pharmacy_id', 'message_id']).doUpdateSet({
            [column]: sql`least(whatsapp_deliveries.${sql.ref(column)}, excluded.${sql.ref(column)})`,
            ...(errorCode !== null && { error_code: errorCode }),
            reported_at: sql<string>`now()`,
          }),
        )
        .returning(sql<DeliveryStatus>`status`.as('status'))
        .executeTakeFirstOrThrow()
      return { isNew: !before?.[column], furthest: after.status }
    },

    /** @returns the number of removed rows */
    async removeOld(): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('whatsapp_deliveries')
        .where('reported_at', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
