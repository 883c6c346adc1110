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

type Whole<E extends Endpoint> = Request<E> & RequestParts
type Options<E extends Endpoint> = Omit<UseQueryOptions<Response<E>>, 'queryKey' | 'queryFn'>

/** The cache key of one request, or, without a request, the start of all keys of the endpoint. */
export function endpointKey(endpoint: Endpoint, request?: RequestParts): QueryKey {
  const name = [request?.area ?? areaOf(endpoint.access), `${endpoint.method} ${endpoint.path}`]
  return request === undefined ? name : [...name, request]
}

/** Forgets all that was read and changed in the name of the area's user. */
export function forgetArea(client: QueryClient, area: Area) {
  client.removeQueries({ queryKey: [area] })
  const mutations = client.getMutationCache()
  for (const mutation of mutations.findAll({ mutationKey: [area] })) mutations.remove(mutation)
}

export function endpointQuery<E extends Endpoint>(endpoint: E, request: Whole<E>) {
  return queryOptions<Response<E>>({
    queryKey: endpointKey(endpoint, request),
    queryFn: ({ signal }) => call(endpoint, request, { signal, reads: true }),
  })
}

/** Reads an endpoint through the cache. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  request: Whole<E>,
  options: Options<E> = {},
): UseQueryResult<Response<E>> {
  return useQuery({ ...options, ...endpointQuery(endpoint, request) })
}

/** Calls an endpoint that changes something. */
export function useEndpointMutation<E extends Endpoint>(endpoint: E) {
  return useMutation<Response<E>, Error, Whole<E>>({
    mutationKey: endpointKey(endpoint),
    mutationFn: (request) => call(endpoint, request),
  })
}
