import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { AppError } from '../../app-error.ts'
import type { Serve } from '../../http/serve.ts'
import type { PharmaciesStore } from './pharmacies.store.ts'

export function pharmacyRoutes(serve: Serve, pharmacies: PharmaciesStore) {
  serve(getOwnPharmacy, async (_input, { pharmacy, userId }) => {
    const own = await pharmacies.own(pharmacy.id, userId)
    if (!own) throw new AppError('pharmacy.not_found')
    return own
  })
}
