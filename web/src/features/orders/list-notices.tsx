import type { OrderStatus, OrdersPage } from '@bancone/contract/orders'
import { type RefObject, useContext, useMemo } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { LazyBoundary } from '../../lib/lazy-boundary.tsx'
import { Button } from '../../ui/button.tsx'
import { notifyChunkFailure } from '../../ui/chunk-failure.ts'
import { ChangeNotices } from './change-notices.tsx'
import { CopyHealthLine } from './copy-health-line.tsx'
import { useLiveOrders } from './live-orders.tsx'
import { MessagingContext } from './order-links.ts'
import { focusOrders } from './orders-focus.ts'
import type { Go, OrdersListQuery } from './orders-search.ts'
import { useKeptPlace } from './use-kept-place.ts'

export type ListNoticesProps = {
  page: OrdersPage | undefined
  pending: ReadonlyMap<string, OrderStatus>
  onHealth: (opener: HTMLElement) => void
  /** The element of the whole page. */
  root: RefObject<HTMLElement | null>
}

/** Rare notices of a page: orders from messages, failed changes, and problems of the copy. */
export function ListNotices({ page, pending, onHealth, root }: ListNoticesProps) {
  useKeptPlace(root)
  const { connection } = useLiveOrders()
  const loadMessaging = useContext(MessagingContext)
  const loadDrafts = useMemo(
    () => loadMessaging && (async () => (await loadMessaging()).loadDraftsBanner()),
    [loadMessaging],
  )
  return (
    <>
      {loadDrafts ? (
        <LazyBoundary
          load={loadDrafts}
          activeKey="drafts"
          props={{ live: connection === 'live' }}
          onLoadError={notifyChunkFailure}
        />
      ) : null}
      <ChangeNotices notices={page?.notices ?? []} pending={pending} />
      <CopyHealthLine freshness={page?.freshness} onOpen={onHealth} />
    </>
  )
}

type WaitingOrdersProps = {
  count: number
  query: OrdersListQuery
  go: Go
  onShow: () => void
}

/** The button that shows the waiting orders. It lies over the list, and stays below the top bar. */
export function WaitingOrders({ count, query, go, onShow }: WaitingOrdersProps) {
  function show() {
    onShow()
    // Newest first, the new orders are on the first page.
    if (query.page > 1 && query.ordina === undefined) go({ page: 1 })
    window.scrollTo({ top: 0 })
    // The button disappears.
    focusOrders()
  }

  if (count === 0) return null
  return (
    <div className="sticky top-[calc(var(--top-bar)+30px)] z-20 flex h-0 justify-center print:hidden">
      <Button look="primary" className="-translate-y-1/2 rounded-full shadow-float" onClick={show}>
        {count === 1 ? '1 nuovo ordine' : `${formatNumber(count)} nuovi ordini`}
      </Button>
    </div>
  )
}
