import { getAdminStatistics, getOwnAdministrator } from '@bancone/contract/administrators'
import { AppError } from '../../app-error.ts'
import type { Serve } from '../../http/serve.ts'
import type { AdministratorsStore } from './administrators.store.ts'

export function administratorRoutes(serve: Serve, administrators: AdministratorsStore) {
  serve(getOwnAdministrator, async (_input, { userId }) => {
    const own = await administrators.own(userId)
    if (!own) throw new AppError('access.denied')
    return own
  })

  serve(getAdminStatistics, administrators.statistics)
}
