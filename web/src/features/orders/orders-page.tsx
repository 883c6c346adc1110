import type { OrderRecord, OrdersPage as Page } from '@bancone/contract/orders'
import { useState } from 'react'
import { OrderDetails } from './order-details.tsx'
import { viewOrder } from './order-view.ts'
import { OrdersFilters } from './orders-filters.tsx'
import { OrdersHeader } from './orders-header.tsx'
import { OrdersList } from './orders-list.tsx'
import { OrdersNotices } from './orders-notices.tsx'
import { useExistingPage, useOrdersSearch } from './orders-search.ts'
import { PaginationBar } from './pagination-bar.tsx'
import { StatisticsCards } from './statistics-cards.tsx'
import { useArrivals } from './use-arrivals.ts'
import { useChangeStatus } from './use-change-status.ts'
import { useDetails } from './use-details.ts'
import { useOrders } from './use-orders.ts'

function current(opened: OrderRecord, page: Page | undefined): OrderRecord {
  return page?.records.find(({ id }) => id === opened.id) ?? opened
}

export function OrdersPage() {
  const { query, go } = useOrdersSearch()
  const [autoRefresh, setAutoRefresh] = useState(true)
  const orders = useOrders(query, autoRefresh)
  const shown = orders.shown?.page
  const waiting = orders.isPending && shown !== undefined
  const { pending, changed, change } = useChangeStatus()
  const arrivals = useArrivals(orders.page, query)
  const { opened, open, close } = useDetails()
  const detail = opened ? current(opened.order, shown) : null
  useExistingPage(query.page, orders.page?.pagination, go)

  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <OrdersHeader
        pagination={shown?.pagination}
        filter={orders.shown?.query.stato}
        updatedAt={orders.shown?.updatedAt ?? 0}
        loading={orders.isFetching}
        autoRefresh={autoRefresh}
        onAutoRefresh={setAutoRefresh}
        onRefresh={orders.read}
      />
      <OrdersNotices
        failure={orders.isError ? (orders.page ? 'refresh' : 'load') : null}
        freshness={shown?.freshness}
        onRetry={orders.read}
      />
      <p role="status" className="sr-only">
        {arrivals.announcement}
      </p>
      <StatisticsCards statistics={shown?.statistics} failed={orders.isError} />
      {shown || orders.isPending ? (
        <section aria-label="Elenco degli ordini" aria-busy={orders.isPending}>
          <OrdersFilters query={query} onChange={(filter) => go(filter)} />
          <OrdersList
            page={shown}
            waiting={waiting}
            pending={pending}
            arrived={arrivals.rows}
            changed={changed}
            opened={detail?.id ?? null}
            filtered={orders.shown?.query.stato !== undefined}
            onShowAll={() => go({ stato: undefined })}
            onStatus={(order, status) => void change(order, status)}
            onDetails={open}
          />
          {shown ? (
            <PaginationBar
              pagination={shown.pagination}
              asked={query.page}
              rows={shown.records.length}
              onPage={(next) => go({ page: next })}
            />
          ) : null}
        </section>
      ) : null}
      {opened && detail ? (
        <OrderDetails
          order={viewOrder(detail, pending.get(detail.id))}
          onClose={close}
          onReturnFocus={() => opened.opener?.focus()}
        />
      ) : null}
    </div>
  )
}
