import {
  type CurrentNotice,
  initialSettings,
  type PlatformSettings,
  type SettingChange,
  type SettingKey,
  settingSchemas,
} from '@bancone/contract/settings'
import { type Expression, sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { createAudit } from '../../platform/audit.ts'

type SettingValue<Key extends SettingKey> = PlatformSettings[Key]['value']

/** The email of a user; null when the account is gone. */
export function emailOf(userId: Expression<string | null>) {
  return sql<string | null>`(select email from auth_users where id = ${userId})`
}

/** The only writer of `platform_settings` and `notice_dismissals`. */
export function createSettingsStore(db: Database) {
  const audit = createAudit(db)

  /** A stored value that an older version wrote, and that is not valid any more, counts as never saved. */
  function parse<Key extends SettingKey>(key: Key, stored: unknown): SettingValue<Key> {
    const parsed = settingSchemas[key].safeParse(stored)
    return parsed.success ? parsed.data : initialSettings[key]
  }

  const store = {
    async all(): Promise<PlatformSettings> {
      const rows = await db
        .selectFrom('platform_settings')
        .select(['key', 'value', 'version', 'updated_at'])
        .select(({ ref }) => emailOf(ref('updated_by')).as('updated_by'))
        .execute()
      const of = <Key extends SettingKey>(key: Key) => {
        const row = rows.find((each) => each.key === key)
        return {
          value: parse(key, row?.value),
          version: row?.version ?? 0,
          updatedAt: row?.updated_at ?? null,
          updatedBy: row?.updated_by ?? null,
        }
      }
      return {
        support: of('support'),
        retention: of('retention'),
        order_retention: of('order_retention'),
        plan_defaults: of('plan_defaults'),
        notice: of('notice'),
      }
    },

    async value<Key extends SettingKey>(key: Key): Promise<SettingValue<Key>> {
      const row = await db
        .selectFrom('platform_settings')
        .select('value')
        .where('key', '=', key)
        .executeTakeFirst()
      return parse(key, row?.value)
    },

    /**
     * Replaces a value that is still of the version, and records the change.
     * @throws AppError `settings.changed_meanwhile`
     */
    change({ key, version, value }: SettingChange, userId: string): Promise<void> {
      return db.transaction().execute(async (tx) => {
        const json = JSON.stringify(value)
        const before = await tx
          .selectFrom('platform_settings')
          .select(['value', 'version'])
          .where('key', '=', key)
          .forUpdate()
          .executeTakeFirst()
        if ((before?.version ?? 0) !== version) throw new AppError('settings.changed_meanwhile')
        const written = await tx
          .insertInto('platform_settings')
          .values({ key, value: json, updated_by: userId })
          .onConflict((conflict) =>
            conflict
              .column('key')
              .doUpdateSet({
                value: json,
                version: version + 1,
                updated_at: sql<string>`now()`,
                updated_by: userId,
              })
              // A row that another transaction has inserted meanwhile has version 1.
              .where('platform_settings.version', '=', version),
          )
          .executeTakeFirst()
        if (written.numInsertedOrUpdatedRows !== 1n) {
          throw new AppError('settings.changed_meanwhile')
        }
        await audit.recordChange(tx, {
          action: 'setting_changed',
          pharmacyId: null,
          target: { type: 'setting', id: key },
          before: parse(key, before?.value) ?? {},
          after: value ?? {},
        })
      })
    },

    /** The notice that the user is to see, and when that changes. @param now milliseconds since 1970 */
    async notice(userId: string, now: number): Promise<CurrentNotice> {
      const row = await db
        .selectFrom('platform_settings as setting')
        .leftJoin('notice_dismissals as dismissal', (join) =>
          join
            .on('dismissal.user_id', '=', userId)
            .onRef('dismissal.version', '>=', 'setting.version'),
        )
        .select(['setting.value', 'setting.version', 'dismissal.user_id as dismissed_by'])
        .select([romeTime('from').as('starts_at'), romeTime('until').as('ends_at')])
        .where('setting.key', '=', 'notice')
        .executeTakeFirst()
      const notice = row && parse('notice', row.value)
      const none: CurrentNotice = { notice: null, changesInSeconds: null }
      if (!notice || row.starts_at === null || row.ends_at === null) return none
      const secondsTo = (time: string) => Math.ceil((Date.parse(time) - now) / 1000)
      const starts = secondsTo(row.starts_at)
      const ends = secondsTo(row.ends_at)
      if (ends <= 0 || row.dismissed_by !== null) return none
      if (starts > 0) return { notice: null, changesInSeconds: starts }
      const { text, severity } = notice
      return { notice: { version: row.version, text, severity }, changesInSeconds: ends }
    },

    async dismissNotice(userId: string, version: number): Promise<void> {
      await db
        .insertInto('notice_dismissals')
        .values({ user_id: userId, version })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ version }))
        .execute()
    },
  }
  return store
}

/** A time of the notice, which is stored by the clock in Rome. */
function romeTime(field: 'from' | 'until') {
  return sql<string | null>`from_rome_time((setting.value ->> ${field})::timestamp)`
}
