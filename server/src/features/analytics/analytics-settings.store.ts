import {
  type AnalyticsSettings,
  initialAnalyticsSettings,
} from '@bancone/contract/analytics-settings'
import type { Database } from '../../database/database.ts'
import { lockPharmacy } from '../../database/pharmacy-lock.ts'
import { createAudit } from '../../platform/audit.ts'

export type AnalyticsSettingsStore = ReturnType<typeof createAnalyticsSettingsStore>

/** The only writer of `analytics_settings`. */
export function createAnalyticsSettingsStore(db: Database) {
  const audit = createAudit(db)

  async function of(pharmacyId: string, at = db): Promise<AnalyticsSettings> {
    const row = await at
      .selectFrom('analytics_settings')
      .select([
        'is_counting as isCounting',
        'has_order_codes as hasOrderCodes',
        'has_weekly_mail as hasWeeklyMail',
      ])
      .where('pharmacy_id', '=', pharmacyId)
      .executeTakeFirst()
    return row ?? initialAnalyticsSettings
  }

  return {
    of,

    change(pharmacyId: string, settings: AnalyticsSettings): Promise<AnalyticsSettings> {
      const row = {
        is_counting: settings.isCounting,
        has_order_codes: settings.hasOrderCodes,
        has_weekly_mail: settings.hasWeeklyMail,
      }
      return db.transaction().execute(async (tx) => {
        // Of concurrent changes, each is recorded with what it replaced.
        await lockPharmacy(tx, pharmacyId)
        const before = await of(pharmacyId, tx)
        await tx
          .insertInto('analytics_settings')
          .values({ pharmacy_id: pharmacyId, ...row })
          .onConflict((conflict) => conflict.column('pharmacy_id').doUpdateSet(row))
          .execute()
        await audit.recordChange(tx, {
          action: 'analytics_settings_changed',
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
