import {
  checkAirtableAccess,
  getAirtableLoad,
  getPharmacyAirtable,
  removeAirtableToken,
  setAirtableToken,
} from '@bancone/contract/airtable'
import type { Serve } from '../../http/serve.ts'
import type { AirtableLoad } from './airtable-load.store.ts'
import type { AirtableTokens } from './airtable-tokens.service.ts'

export function airtableRoutes(serve: Serve, tokens: AirtableTokens, load: AirtableLoad) {
  serve(getPharmacyAirtable, ({ params }) => tokens.get(params.pharmacyId))

  serve(setAirtableToken, ({ params, body }, _session, { signal }) =>
    tokens.set(params.pharmacyId, body.token, signal),
  )

  serve(removeAirtableToken, ({ params }) => tokens.remove(params.pharmacyId))

  serve(checkAirtableAccess, ({ params }, _session, { signal }) =>
    tokens.check(params.pharmacyId, signal),
  )

  serve(getAirtableLoad, load)
}
