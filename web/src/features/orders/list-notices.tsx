import type { OrderStatus, OrdersPage } from '@bancone/contract/orders'
import { useContext, useMemo } from 'react'
import { LazyBoundary } from '../../lib/lazy-boundary.tsx'
import { notifyChunkFailure } from '../../ui/chunk-failure.ts'
import { ChangeNotices } from './change-notices.tsx'
import { CopyHealthLine } from './copy-health-line.tsx'
import { useLiveOrders } from './live-orders.tsx'
import { MessagingContext } from './order-links.ts'

export type ListNoticesProps = {
  page: OrdersPage | undefined
  pending: ReadonlyMap<string, OrderStatus>
  onHealth: (opener: HTMLElement) => void
}

/** Rare notices of a page: orders from messages, failed changes, and problems of the copy. */
export function ListNotices({ page, pending, onHealth }: ListNoticesProps) {
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
