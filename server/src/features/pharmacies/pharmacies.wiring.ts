import type { Http } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import { pharmacyRoutes } from './pharmacies.routes.ts'
import { createPharmaciesStore } from './pharmacies.store.ts'

/** Wires the pharmacies. */
export function wirePharmacies(db: Database) {
  const store = createPharmaciesStore(db)
  return { store, routes: ({ serve }: Http) => pharmacyRoutes(serve, store) }
}
