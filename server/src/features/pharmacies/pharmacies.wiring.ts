import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import type { AppModule } from '../../http/app-module.ts'
import { createPharmaciesStore, type PharmaciesStore } from './pharmacies.store.ts'

export function wirePharmacies(db: Database): AppModule & { store: PharmaciesStore } {
  const store = createPharmaciesStore(db)
  return {
    store,
    routes({ serve }) {
      serve(getOwnPharmacy, async (_input, { pharmacy, userId }) => {
        const own = await store.own(pharmacy.id, userId)
        if (!own) throw new AppError('pharmacy.not_found')
        return own
      })
    },
  }
}
