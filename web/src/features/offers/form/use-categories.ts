import { listProductCategories } from '@bancone/contract/product-categories'
import { useEndpoint } from '../../../lib/endpoint-query.ts'

const CACHE_MS = 5 * 60_000

/** The categories that a product can have. */
export function useCategories() {
  const { data, error, isFetching, refetch } = useEndpoint(
    listProductCategories,
    {},
    { staleTime: CACHE_MS, gcTime: CACHE_MS },
  )
  return {
    categories: data?.categories ?? null,
    failed: data === undefined && error !== null,
    isFetching,
    again: () => void refetch(),
  }
}
