import type { AppModule } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import { pharmacyRoutes } from './pharmacies.routes.ts'
import { createPharmaciesStore, type PharmaciesStore } from './pharmacies.store.ts'

/** Wires the pharmacies. */
export function wirePharmacies(db: Database): AppModule & { store: PharmaciesStore } {
  const store = createPharmaciesStore(db)
  return { store, routes: ({ serve }) => pharmacyRoutes(serve, store) }
}
