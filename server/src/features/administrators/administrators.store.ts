import type { AdminStatistics, OwnAdministrator } from '@bancone/contract/administrators'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

export type AdministratorsStore = ReturnType<typeof createAdministratorsStore>

/** The only writer of `admin_users`: a user with a row in it is an administrator. */
export function createAdministratorsStore(db: Database) {
  return {
    async own(userId: string): Promise<OwnAdministrator | undefined> {
      const row = await db
        .selectFrom('admin_users as admin')
        .innerJoin('auth_users as user', 'user.id', 'admin.user_id')
        .select(['user.id', 'user.email'])
        .where('user.id', '=', userId)
        .executeTakeFirst()
      return row && { id: row.id, email: row.email ?? '' }
    },

    async includes(userId: string): Promise<boolean> {
      const row = await db
        .selectFrom('admin_users')
        .select('user_id')
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Deleted pharmacies are not counted. */
    async statistics(): Promise<AdminStatistics> {
      const { rows } = await sql<AdminStatistics>`
        select count(*)::int as pharmacies,
          (count(*) filter (where is_active))::int as "activePharmacies",
          (select count(*)::int from product_categories) as categories,
          (select count(*)::int from subscription_plans) as plans
        from pharmacies where deleted_at is null
      `.execute(db)
      if (!rows[0]) throw new Error('counts are one row')
      return rows[0]
    },

    /** The addresses of all administrators, for mails about the platform. */
    async emails(): Promise<string[]> {
      const rows = await db
        .selectFrom('admin_users as admin')
        .innerJoin('auth_users as user', 'user.id', 'admin.user_id')
        .select('user.email')
        .where('user.deleted_at', 'is', null)
        .where('user.email', 'is not', null)
        .orderBy('user.email')
        .execute()
      return rows.flatMap(({ email }) => (email === null ? [] : [email]))
    },

    async insert(userId: string): Promise<void> {
      await db.insertInto('admin_users').values({ user_id: userId }).execute()
    },
  }
}
