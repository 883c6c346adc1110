import type { Http } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import { administratorRoutes } from './administrators.routes.ts'
import { createAdministratorsStore } from './administrators.store.ts'

/** Wires the administrators of the platform. */
export function wireAdministrators(db: Database) {
  const store = createAdministratorsStore(db)
  return { store, routes: ({ serve }: Http) => administratorRoutes(serve, store) }
}
