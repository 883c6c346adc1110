import type { Endpoint, Request, Response } from '@bancone/contract/endpoint'
import {
  type QueryClient,
  type QueryKey,
  queryOptions,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { call, type RequestParts } from './api.ts'
import { type Area, areaOf } from './session-state.ts'

type FullRequest<E extends Endpoint> = Request<E> & RequestParts
type Options<E extends Endpoint> = Omit<UseQueryOptions<Response<E>>, 'queryKey' | 'queryFn'>

/** The query key of a request; without a request, the prefix of all query keys of the endpoint. */
export function endpointKey(endpoint: Endpoint, request?: RequestParts): QueryKey {
  const name = [request?.area ?? areaOf(endpoint.access), `${endpoint.method} ${endpoint.path}`]
  return request === undefined ? name : [...name, request]
}

/** Removes the queries and mutations of the area's user from the cache. */
export function clearAreaCache(client: QueryClient, area: Area) {
  client.removeQueries({ queryKey: [area] })
  const mutations = client.getMutationCache()
  for (const mutation of mutations.findAll({ mutationKey: [area] })) mutations.remove(mutation)
}

export function endpointQueryOptions<E extends Endpoint>(endpoint: E, request: FullRequest<E>) {
  return queryOptions<Response<E>>({
    queryKey: endpointKey(endpoint, request),
    queryFn: ({ signal }) => call(endpoint, request, { signal, readOnly: true }),
  })
}

/** `useQuery` for an endpoint. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  request: FullRequest<E>,
  options: Options<E> = {},
): UseQueryResult<Response<E>> {
  return useQuery({ ...options, ...endpointQueryOptions(endpoint, request) })
}

/** `useMutation` for an endpoint. */
export function useEndpointMutation<E extends Endpoint>(endpoint: E) {
  return useMutation<Response<E>, Error, FullRequest<E>>({
    mutationKey: endpointKey(endpoint),
    mutationFn: (request) => call(endpoint, request),
  })
}

/** Changes the cached responses of an endpoint to what a mutation has answered, and refetches them. */
export async function updateCached<E extends Endpoint>(
  client: QueryClient,
  endpoint: E,
  change: (response: Response<E>) => Response<E>,
) {
  const queryKey = endpointKey(endpoint)
  // A query under way would restore the old response.
  await client.cancelQueries({ queryKey })
  client.setQueriesData<Response<E>>({ queryKey }, (response) => response && change(response))
  void client.invalidateQueries({ queryKey })
}
