import type { AppModule } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import { administratorRoutes } from './administrators.routes.ts'
import { type AdministratorsStore, createAdministratorsStore } from './administrators.store.ts'

/** Wires the administrators of the platform. */
export function wireAdministrators(db: Database): AppModule & { store: AdministratorsStore } {
  const store = createAdministratorsStore(db)
  return { store, routes: ({ serve }) => administratorRoutes(serve, store) }
}
