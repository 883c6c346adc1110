import type { OrderStatus } from '@bancone/contract/orders'
import { initialPrioritySettings, type PrioritySettings } from '@bancone/contract/priority'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { lockPharmacy } from '../../database/row-limit.ts'
import { createAudit } from '../../platform/audit.ts'

export type PrioritySettingsStore = ReturnType<typeof createPrioritySettingsStore>

/** The only writer of `priority_settings`. */
export function createPrioritySettingsStore(db: Database) {
  const audit = createAudit(db)

  async function of(pharmacyId: string, at = db): Promise<PrioritySettings> {
    const row = await at
      .selectFrom('priority_settings')
      .select([
        'link_days as linkDays',
        sql<OrderStatus | null>`issue_on_status`.as('issueOnStatus'),
        'late_minutes as lateMinutes',
        'message',
      ])
      .where('pharmacy_id', '=', pharmacyId)
      .executeTakeFirst()
    return row ?? initialPrioritySettings
  }

  return {
    of,

    change(pharmacyId: string, settings: PrioritySettings): Promise<PrioritySettings> {
      const row = {
        link_days: settings.linkDays,
        issue_on_status: settings.issueOnStatus,
        late_minutes: settings.lateMinutes,
        message: settings.message,
      }
      return db.transaction().execute(async (tx) => {
        // Of concurrent changes, each is recorded with what it replaced.
        await lockPharmacy(tx, pharmacyId)
        const before = await of(pharmacyId, tx)
        await tx
          .insertInto('priority_settings')
          .values({ pharmacy_id: pharmacyId, ...row })
          .onConflict((conflict) => conflict.column('pharmacy_id').doUpdateSet(row))
          .execute()
        await audit.recordChange(tx, {
          action: 'priority_settings_changed',
          pharmacyId,
          target: { type: 'pharmacy', id: pharmacyId },
          before,
          after: settings,
        })
        return settings
      })
    },
  }
}
