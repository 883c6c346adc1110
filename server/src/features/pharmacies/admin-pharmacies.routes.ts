import {
  type AirtableCheck,
  changePharmacy,
  checkAirtable,
  createPharmacy,
  getAdminPharmacy,
  listAdminPharmacies,
  removePharmacy,
  switchPharmacy,
} from '@bancone/contract/admin-pharmacies'
import type { Serve } from '../../http/serve.ts'
import type { SourceLocation } from '../../ports/order-source.ts'
import type { AdminPharmacies } from './admin-pharmacies.service.ts'
import type { AdminPharmaciesStore } from './admin-pharmacies.store.ts'

type Parts = {
  store: AdminPharmaciesStore
  pharmacies: AdminPharmacies
  checkConnection(location: SourceLocation, signal: AbortSignal): Promise<AirtableCheck>
}

export function adminPharmacyRoutes(serve: Serve, { store, pharmacies, checkConnection }: Parts) {
  serve(listAdminPharmacies, async ({ query }) => ({ pharmacies: await store.list(query.state) }))

  serve(getAdminPharmacy, async ({ params }) => ({ pharmacy: await store.find(params.pharmacyId) }))

  serve(createPharmacy, async ({ body }, session, call) => ({
    pharmacy: await pharmacies.create(session, body, call),
  }))

  serve(changePharmacy, async ({ params, body }, session, call) => ({
    pharmacy: await pharmacies.change(session, params.pharmacyId, body, call),
  }))

  serve(switchPharmacy, async ({ params, body }, session) => ({
    pharmacy: await pharmacies.switch(session, params.pharmacyId, body),
  }))

  serve(removePharmacy, async ({ query }, { userId }) => ({
    pharmacy: await store.remove(query.pharmacyId, userId),
  }))

  serve(checkAirtable, ({ body }, _session, { signal }) =>
    checkConnection({ baseId: body.airtable_base_id, tableId: body.airtable_table_id }, signal),
  )
}
