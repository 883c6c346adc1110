import { getAdminStatistics, getOwnAdministrator } from '@bancone/contract/administrators'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import type { AppModule } from '../../http/app-module.ts'
import { type AdministratorsStore, createAdministratorsStore } from './administrators.store.ts'

export function wireAdministrators(db: Database): AppModule & { store: AdministratorsStore } {
  const store = createAdministratorsStore(db)
  return {
    store,
    routes({ serve }) {
      serve(getOwnAdministrator, async (_input, { userId }) => {
        const own = await store.own(userId)
        if (!own) throw new AppError('access.denied')
        return own
      })

      serve(getAdminStatistics, store.statistics)
    },
  }
}
