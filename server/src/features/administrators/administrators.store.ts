import type { OwnAdministrator } from '@bancone/contract/administrators'
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

    async insert(userId: string): Promise<void> {
      await db.insertInto('admin_users').values({ user_id: userId }).execute()
    },
  }
}
