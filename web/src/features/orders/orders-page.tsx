import type { OrderRecord } from '@bancone/contract/orders'
import { type ReactNode, useState } from 'react'
import { ChangeNotices } from './change-notices.tsx'
import { CopyHealthLine } from './copy-health-line.tsx'
import { NewOrdersBanner } from './new-orders-banner.tsx'
import { viewOrder } from './order-view.ts'
import { useWatchedOrders } from './order-watch.tsx'
import { OrdersFilters } from './orders-filters.tsx'
import { OrdersHeader } from './orders-header.tsx'
import { OrdersList } from './orders-list.tsx'
import { OrdersNotices } from './orders-notices.tsx'
import { ordersPlaceId, useKeptFocus } from './orders-place.ts'
import { useExistingPage, useOrdersSearch } from './orders-search.ts'
import { OrdersSheets } from './orders-sheets.tsx'
import { PaginationBar } from './pagination-bar.tsx'
import { StatisticsCards } from './statistics-cards.tsx'
import { useChangeStatus } from './use-change-status.ts'
import { useDetails } from './use-details.ts'
import { useOrders } from './use-orders.ts'
import { useRefresh } from './use-refresh.ts'
import { wayToNew } from './way-to-new.ts'

/** @param actions what another feature puts before its buttons */
export function OrdersPage({ actions }: { actions: ReactNode }) {
  const { query, go } = useOrdersSearch()
  const watch = useWatchedOrders()
  const orders = useOrders(query, watch.autoRefresh)
  const { refresh, refreshing } = useRefresh()
  const shown = orders.shown?.page
  const { pending, changed, change } = useChangeStatus()
  const { opened, open, close } = useDetails([shown, watch.first])
  const keptFocus = useKeptFocus()
  const [healthOpener, setHealthOpener] = useState<HTMLElement | null>(null)
  const showNew = wayToNew({ watch, query, shown, go, read: orders.read })
  useExistingPage(query.page, orders.page?.pagination, go)

  function showDetails(order: OrderRecord, opener: HTMLElement | null) {
    watch.markSeen(order)
    open(order, opener)
  }

  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <OrdersHeader
        pagination={shown?.pagination}
        filter={orders.shown?.query.stato}
        updatedAt={orders.shown?.updatedAt ?? 0}
        loading={orders.isFetching || refreshing}
        connection={watch.connection}
        autoRefresh={watch.autoRefresh}
        actions={actions}
        onAutoRefresh={watch.setAutoRefresh}
        onRefresh={refresh}
        onHealth={setHealthOpener}
      />
      <div className="flex flex-col gap-2.5 empty:hidden">
        <OrdersNotices
          failure={orders.isError ? (orders.page ? 'refresh' : 'load') : null}
          freshness={shown?.freshness}
          onRetry={orders.read}
        />
        <ChangeNotices notices={shown?.notices ?? []} pending={pending} />
        <CopyHealthLine freshness={shown?.freshness} onOpen={setHealthOpener} />
      </div>
      <p role="status" className="sr-only">
        {watch.announcement}
      </p>
      <NewOrdersBanner count={watch.unseen.count} show={showNew} onSeen={watch.markAllSeen} />
      <StatisticsCards statistics={shown?.statistics} failed={orders.isError} />
      {shown || orders.isPending ? (
        <section
          id={ordersPlaceId}
          tabIndex={-1}
          aria-label="Elenco degli ordini"
          aria-busy={orders.isPending}
          className="outline-none"
          {...keptFocus}
        >
          <OrdersFilters query={query} onChange={(filter) => go(filter)} />
          <OrdersList
            page={shown}
            waiting={orders.isPending && shown !== undefined}
            pending={pending}
            arrived={watch.arrived}
            isNew={watch.isNew}
            changed={changed}
            opened={opened?.order.id ?? null}
            filtered={orders.shown?.query.stato !== undefined}
            onShowAll={() => go({ stato: undefined })}
            onStatus={(order, status) => void change(order, status)}
            onDetails={showDetails}
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
      <OrdersSheets
        ready={shown !== undefined}
        detail={
          opened && {
            order: viewOrder(opened.order, pending.get(opened.order.id)),
            gone: opened.gone,
            opener: opened.opener,
          }
        }
        onDetailClose={close}
        healthOpener={healthOpener}
        onHealthClose={() => setHealthOpener(null)}
      />
    </div>
  )
}
