import {
  type AnalyticsSettings,
  type changeAnalyticsSettings,
  initialAnalyticsSettings,
} from '@bancone/contract/analytics-settings'
import type { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { lockPharmacy } from '../../database/row-limit.ts'
import { createAudit } from '../../platform/audit.ts'
import { enqueueAll } from '../../platform/jobs.ts'

type Changes = z.output<typeof changeAnalyticsSettings.body>

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

  const subscribed = db
    .selectFrom('pharmacies as pharmacy')
    .innerJoin('analytics_settings as settings', 'settings.pharmacy_id', 'pharmacy.id')
    .where('settings.has_weekly_mail', '=', true)
    .where('pharmacy.is_active', '=', true)
    .where('pharmacy.deleted_at', 'is', null)

  return {
    of,

    /** Changes the given settings only. */
    change(pharmacyId: string, changes: Changes): Promise<AnalyticsSettings> {
      return db.transaction().execute(async (tx) => {
        // Of concurrent changes, each is recorded with what it replaced, and none is lost.
        await lockPharmacy(tx, pharmacyId)
        const before = await of(pharmacyId, tx)
        const settings = {
          isCounting: changes.isCounting ?? before.isCounting,
          hasOrderCodes: changes.hasOrderCodes ?? before.hasOrderCodes,
          hasWeeklyMail: changes.hasWeeklyMail ?? before.hasWeeklyMail,
        }
        const row = {
          is_counting: settings.isCounting,
          has_order_codes: settings.hasOrderCodes,
          has_weekly_mail: settings.hasWeeklyMail,
        }
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

    /** Adds a job for each pharmacy that gets a mail each week. */
    async enqueueWeeklyMails(task: string, delaySeconds: number): Promise<void> {
      const rows = await subscribed.select('pharmacy.id').execute()
      const jobs = rows.map(({ id }) => ({
        payload: { pharmacyId: id },
        key: `${task} ${id}`,
        delaySeconds,
      }))
      await enqueueAll(db, task, jobs, { priority: 0 })
    },

    /** Whom a weekly mail is for; undefined when the pharmacy gets none any more. */
    weeklyRecipient(pharmacyId: string) {
      return subscribed
        .select(['pharmacy.email', 'pharmacy.name', 'pharmacy.pharmacy_id as code'])
        .where('pharmacy.id', '=', pharmacyId)
        .executeTakeFirst()
    },
  }
}
