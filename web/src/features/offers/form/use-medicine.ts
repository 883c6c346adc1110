import type { Response } from '@bancone/contract/endpoint'
import { findMedicine, type Medicine } from '@bancone/contract/medicines'
import { isMedicineOffer } from '@bancone/contract/offer-rules'
import type { QueryClient } from '@tanstack/react-query'
import { endpointQueryOptions, useEndpoint } from '../../../lib/endpoint-query.ts'
import { codeOf } from './offer-fields.ts'

/** The register changes once a day. */
const FRESH_MS = 60 * 60_000

/** What the register of medicines says of the typed code; undefined for other codes, and until it is known. */
export function useMedicine(typed: string): Response<typeof findMedicine> | undefined {
  const code = codeOf(typed)
  const isAic = code !== null && isMedicineOffer(code, 'libero')
  const { data } = useEndpoint(
    findMedicine,
    { query: { code: code ?? '' } },
    { enabled: isAic, staleTime: FRESH_MS, gcTime: FRESH_MS },
  )
  return isAic ? data : undefined
}

/** A medicine that `useMedicine` has found. */
export function cachedMedicine(client: QueryClient, code: string): Medicine | null {
  const { queryKey } = endpointQueryOptions(findMedicine, { query: { code } })
  return client.getQueryData(queryKey)?.medicine ?? null
}
