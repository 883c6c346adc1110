import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import type { QueryClient } from '@tanstack/react-query'
import { FIRST_PAGE, pageQueryOptions } from '../features/orders/data/orders-cache.ts'
import { areEarlyAnswersComing } from '../lib/early-answers.ts'
import { endpointQueryOptions } from '../lib/endpoint-query.ts'
import { withTimeout } from '../lib/with-timeout.ts'

/** What has come while the application was loaded is read within this time. Longer, its frame is shown without rows. */
const LIMIT_MS = 100

/** Reads the first page of orders, where the document has asked for it, so that the first render shows its rows. */
export async function readEarlyRows(client: QueryClient): Promise<void> {
  if (!areEarlyAnswersComing()) return
  const reads = [
    client.prefetchQuery(pageQueryOptions(FIRST_PAGE)),
    client.prefetchQuery(endpointQueryOptions(getOwnPharmacy, {})),
  ]
  await withTimeout(LIMIT_MS, Promise.all(reads))
}
