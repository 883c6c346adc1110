import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import type { QueryClient } from '@tanstack/react-query'
import { FIRST_PAGE, pageQueryOptions } from '../features/orders/data/orders-cache.ts'
import { areEarlyAnswersComing } from '../lib/early-answers.ts'
import { endpointQueryOptions } from '../lib/endpoint-query.ts'
import { withTimeout } from '../lib/with-timeout.ts'

/** Milliseconds for which the first render waits for the rows. After them it shows the page without rows. */
const LIMIT_MS = 250

/** Reads the first page of orders, where the document has asked for it, so that the first render shows its rows. */
export async function readEarlyRows(client: QueryClient): Promise<void> {
  if (!areEarlyAnswersComing()) return
  const reads = [
    client.prefetchQuery(pageQueryOptions(FIRST_PAGE)),
    client.prefetchQuery(endpointQueryOptions(getOwnPharmacy, {})),
  ]
  await withTimeout(LIMIT_MS, Promise.all(reads))
}
