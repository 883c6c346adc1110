import { getOwnAdministrator } from '@bancone/contract/administrators'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api.ts'
import { endpointQueryOptions, useEndpoint } from '../../lib/endpoint-query.ts'

/** Milliseconds for which a membership is not checked again. */
const TRUSTED_MS = 60_000
const CHECK_AGAIN_MS = 5 * 60_000

/** The signed-in administrator; refetched from time to time, because a membership can end. */
export function useOwnAdministrator() {
  return useEndpoint(
    getOwnAdministrator,
    {},
    { staleTime: TRUSTED_MS, refetchInterval: CHECK_AGAIN_MS },
  )
}

/** Whether the user is no administrator. A missing second factor does not count as such. */
export function isDenied(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && !error.code?.startsWith('session.')
}

/** Checks without the cache. @throws ApiError 403 when the user is no administrator */
export async function checkAdministrator(client: QueryClient): Promise<void> {
  await client.fetchQuery({ ...endpointQueryOptions(getOwnAdministrator, {}), retry: false })
}
