import type { OrderStatus, OrdersPage } from '@bancone/contract/orders'
import { ChangeNotices } from './change-notices.tsx'
import { CopyHealthLine } from './copy-health-line.tsx'

export type ListNoticesProps = {
  page: OrdersPage | undefined
  pending: ReadonlyMap<string, OrderStatus>
  onHealth: (opener: HTMLElement) => void
}

/** What only some pages have to say of themselves: changes that did not come to pass, a copy with faults. */
export function ListNotices({ page, pending, onHealth }: ListNoticesProps) {
  return (
    <>
      <ChangeNotices notices={page?.notices ?? []} pending={pending} />
      <CopyHealthLine freshness={page?.freshness} onOpen={onHealth} />
    </>
  )
}
