import type { OrderStatus, OrdersPage } from '@bancone/contract/orders'
import { ChangeNotices } from './change-notices.tsx'
import { CopyHealthLine } from './copy-health-line.tsx'

export type ListNoticesProps = {
  page: OrdersPage | undefined
  pending: ReadonlyMap<string, OrderStatus>
  onHealth: (opener: HTMLElement) => void
}

/** Rare notices of a page: failed changes, and problems of the copy. */
export function ListNotices({ page, pending, onHealth }: ListNoticesProps) {
  return (
    <>
      <ChangeNotices notices={page?.notices ?? []} pending={pending} />
      <CopyHealthLine freshness={page?.freshness} onOpen={onHealth} />
    </>
  )
}
