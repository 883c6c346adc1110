import type { OrderRecord, OrdersPage as Page } from '@bancone/contract/orders'
import { lazy, Suspense, useState } from 'react'
import { viewOrder } from './order-view.ts'
import { OrdersFilters } from './orders-filters.tsx'
import { OrdersHeader } from './orders-header.tsx'
import { OrdersList } from './orders-list.tsx'
import { OrdersNotices } from './orders-notices.tsx'
import { useOrdersSearch } from './orders-search.ts'
import { PageBeyondLast } from './page-beyond-last.tsx'
import { PaginationBar } from './pagination-bar.tsx'
import { StatisticsCards } from './statistics-cards.tsx'
import { useArrivals } from './use-arrivals.ts'
import { useChangeStatus } from './use-change-status.ts'
import { useOrders } from './use-orders.ts'

const loadDetails = () => import('./order-details.tsx')
const OrderDetails = lazy(async () => ({ default: (await loadDetails()).OrderDetails }))

/** Fetches the code of the details when a pointer or the focus comes near an order. */
function prepareDetails() {
  void loadDetails().catch(() => undefined)
}

/** The order whose details are open, and the control to which the focus returns. */
type Opened = { order: OrderRecord; opener: HTMLElement | null }

function current(opened: OrderRecord, page: Page | undefined): OrderRecord {
  return page?.records.find(({ id }) => id === opened.id) ?? opened
}

export function OrdersPage() {
  const { query, go } = useOrdersSearch()
  const [autoRefresh, setAutoRefresh] = useState(true)
  const [opened, setOpened] = useState<Opened | null>(null)
  const orders = useOrders(query, autoRefresh)
  const { data: page, isPlaceholderData } = orders
  const { pending, change } = useChangeStatus()
  const arrivals = useArrivals(isPlaceholderData ? undefined : page, query)
  const detail = opened ? current(opened.order, page) : null

  return (
    <div className="flex flex-col gap-4 md:gap-5">
      {page && !isPlaceholderData ? (
        <PageBeyondLast page={query.page} pagination={page.pagination} />
      ) : null}
      <OrdersHeader
        pagination={page?.pagination}
        updatedAt={orders.dataUpdatedAt}
        loading={orders.isFetching}
        autoRefresh={autoRefresh}
        onAutoRefresh={setAutoRefresh}
        onRefresh={() => void orders.refetch()}
      />
      <OrdersNotices
        failure={orders.isError ? (page ? 'refresh' : 'load') : null}
        freshness={page?.freshness}
        onRetry={() => void orders.refetch()}
      />
      <p role="status" className="sr-only">
        {arrivals.announcement}
      </p>
      <StatisticsCards statistics={page?.statistics} failed={orders.isError} />
      {page || orders.isPending ? (
        <section aria-label="Elenco degli ordini" aria-busy={orders.isPending || isPlaceholderData}>
          <OrdersFilters query={query} onChange={(filter) => go(filter)} />
          <OrdersList
            page={page}
            waiting={isPlaceholderData}
            pending={pending}
            arrived={arrivals.rows}
            filtered={query.stato !== undefined}
            onShowAll={() => go({ stato: undefined })}
            onStatus={(recordId, status) => void change(recordId, status)}
            onNear={prepareDetails}
            onDetails={(order, opener) => setOpened({ order, opener })}
          />
          {page ? (
            <PaginationBar
              pagination={page.pagination}
              rows={page.records.length}
              onPage={(next) => go({ page: next })}
            />
          ) : null}
        </section>
      ) : null}
      {opened && detail ? (
        <Suspense>
          <OrderDetails
            order={viewOrder(detail, pending.get(detail.id))}
            onClose={() => setOpened(null)}
            onReturnFocus={() => opened.opener?.focus()}
          />
        </Suspense>
      ) : null}
    </div>
  )
}
