import { getOwnAdministrator } from '@bancone/contract/administrators'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api.ts'
import { endpointQuery, useEndpoint } from '../../lib/endpoint-query.ts'

/** For so long a membership is taken for granted. */
const TRUSTED_MS = 60_000
const CHECK_AGAIN_MS = 5 * 60_000

/** Who the signed-in administrator is, asked again from time to time: a membership can end. */
export function useOwnAdministrator() {
  return useEndpoint(
    getOwnAdministrator,
    {},
    { staleTime: TRUSTED_MS, refetchInterval: CHECK_AGAIN_MS },
  )
}

/** Somebody who is no administrator; not one who has yet to show who they are. */
export function isDenied(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && !error.code?.startsWith('session.')
}

/** Asks now. @throws ApiError 403 for somebody who is no administrator */
export async function checkAdministrator(client: QueryClient): Promise<void> {
  await client.fetchQuery({ ...endpointQuery(getOwnAdministrator, {}), retry: false })
}
