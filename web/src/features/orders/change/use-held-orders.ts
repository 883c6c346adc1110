import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { loadWhenIdle } from '../../../lib/when-idle.ts'
import { pageOptions } from '../data/freshness.ts'
import type { Held, nextHeld } from '../data/hold-back.ts'
import { FIRST_PAGE, pageQueryOptions } from '../data/orders-cache.ts'
import type { ShownOrders } from '../data/use-orders.ts'

/** The orders to show: while the list is in use, new ones above the shown ones wait until they are released. */
export function useHeldOrders(loaded: ShownOrders | null, autoRefresh: boolean) {
  const [held, setHeld] = useState<Held | null>(null)
  const [next, setNext] = useState<typeof nextHeld | null>(null)
  const { page, query = FIRST_PAGE } = loaded ?? {}
  const waiting = held?.waiting ?? 0
  // Loaded with the first waiting order, because it holds the shown ones that are pushed off the page.
  const following = useQuery({
    ...pageOptions(autoRefresh),
    ...pageQueryOptions({ ...query, page: query.page + 1 }),
    enabled: waiting > 0 && page?.pagination.hasNextPage === true,
  })

  useEffect(() => {
    // Without this code new orders are shown at once.
    loadWhenIdle(() => import('../data/hold-back.ts')).then(
      (code) => setNext(() => code.nextHeld),
      () => undefined,
    )
  }, [])

  const source = held?.loaded
  const after = waiting > 0 ? following.data : undefined
  const isNew = source?.page !== page || source?.query !== query || source?.following !== after
  if (next && loaded && isNew) {
    setHeld(next(held, { ...loaded, following: after, followingAt: following.dataUpdatedAt }))
  }
  return { page: held?.page ?? page, waiting, release: () => setHeld(null) }
}
