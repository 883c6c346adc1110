import type { OrderRecord } from '@bancone/contract/orders'
import { type ReactNode, useState } from 'react'
import { LatePart } from '../../lib/late-part.tsx'
import { sayMissing } from '../../ui/missing-part.ts'
import { FoundStatus } from './found-status.tsx'
import { SearchedWordsProvider } from './highlighted.tsx'
import { NewOrdersBanner } from './new-orders-banner.tsx'
import { NoOrders } from './no-orders.tsx'
import { OrderActions } from './order-actions.tsx'
import { useWatchedOrders } from './order-watch.tsx'
import { OrdersFilters } from './orders-filters.tsx'
import { OrdersHeader } from './orders-header.tsx'
import { OrdersList } from './orders-list.tsx'
import { OrdersNotices } from './orders-notices.tsx'
import { ordersPlaceId, useKeptFocus } from './orders-place.ts'
import {
  isFiltered,
  NO_FILTER,
  soughtOf,
  useExistingPage,
  useOrdersSearch,
} from './orders-search.ts'
import { OrdersSheets } from './orders-sheets.tsx'
import { OrdersWork } from './orders-work.tsx'
import { ChooseButton } from './selection-head.tsx'
import { StatisticsCards } from './statistics-cards.tsx'
import { useDetails } from './use-details.ts'
import { useCounted } from './use-order-counts.ts'
import { useOrders } from './use-orders.ts'
import { useOrdersWork } from './use-orders-work.ts'
import { useRefresh } from './use-refresh.ts'
import { wayToNew } from './way-to-new.ts'

const loadNotices = async () => (await import('./list-notices.tsx')).ListNotices
const loadPages = async () => (await import('./pagination-bar.tsx')).PaginationBar

/** @param actions what another feature puts before its buttons */
export function OrdersPage({ actions }: { actions: ReactNode }) {
  const { query, go } = useOrdersSearch()
  const watch = useWatchedOrders()
  const orders = useOrders(query, watch.autoRefresh)
  const { refresh, refreshing } = useRefresh()
  const shown = orders.shown?.page
  const { opened, open, openFromDetails, back, close } = useDetails([shown, watch.first])
  const keptFocus = useKeptFocus()
  const [healthOpener, setHealthOpener] = useState<HTMLElement | null>(null)
  const showNew = wayToNew({ watch, query, shown, go, read: orders.read })
  const { pagination, counts } = useCounted(query, orders.shown, watch.autoRefresh)
  const waiting = orders.isPending && shown !== undefined
  const shownQuery = orders.shown?.query ?? query
  useExistingPage(query.page, orders.page ? (pagination?.totalPages ?? null) : null, go)

  function showDetails(order: OrderRecord, opener: HTMLElement | null) {
    watch.markSeen(order)
    open(order, opener)
  }

  const openedId = opened?.order.id ?? null
  const work = useOrdersWork({ shown, query, opened: openedId, onOpen: showDetails, go })
  const { pending, changed, change } = work

  return (
    <div className="flex flex-col gap-3.5 md:gap-5">
      <OrdersHeader
        pagination={pagination}
        filtered={isFiltered(shownQuery)}
        updatedAt={orders.shown?.updatedAt ?? 0}
        loading={orders.isFetching || refreshing}
        connection={watch.connection}
        autoRefresh={watch.autoRefresh}
        actions={actions}
        orderActions={
          <OrderActions onShow={(order) => showDetails(order, null)}>
            <ChooseButton selection={work.selection} />
          </OrderActions>
        }
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
        <LatePart
          load={loadNotices}
          subject="notices"
          props={{ page: shown, pending, onHealth: setHealthOpener }}
          onMissing={sayMissing}
        />
      </div>
      <p role="status" className="sr-only">
        {watch.announcement}
      </p>
      <NewOrdersBanner count={watch.unseen.count} show={showNew} onSeen={watch.markAllSeen} />
      <StatisticsCards
        statistics={shown?.statistics}
        failed={orders.isError}
        stato={query.stato}
        onStato={(stato) => go({ stato })}
      />
      <div className="flex flex-col gap-3" {...keptFocus}>
        <OrdersFilters query={query} go={go} counts={counts} waiting={orders.isPending} />
        <FoundStatus pagination={pagination} query={shownQuery} waiting={waiting} />
        {shown || orders.isPending ? (
          <section
            id={ordersPlaceId}
            tabIndex={-1}
            aria-label="Elenco degli ordini"
            aria-busy={orders.isPending}
            className="outline-none"
          >
            <SearchedWordsProvider search={shownQuery.q}>
              <OrdersList
                page={shown}
                waiting={waiting}
                pending={pending}
                arrived={watch.arrived}
                isNew={watch.isNew}
                changed={changed}
                opened={openedId}
                selection={work.selection}
                empty={<NoOrders asked={shownQuery} onReset={() => go(NO_FILTER)} />}
                onStatus={(order, status) => void change(order, status)}
                onDetails={showDetails}
              />
            </SearchedWordsProvider>
            <LatePart
              load={loadPages}
              subject="pages"
              props={
                shown && pagination
                  ? {
                      pagination,
                      asked: query.page,
                      rows: shown.records.length,
                      onPage: (next) => go({ page: next }),
                    }
                  : null
              }
              onMissing={sayMissing}
            />
          </section>
        ) : null}
      </div>
      <OrdersWork work={work} page={shown} pagination={pagination} sought={soughtOf(shownQuery)} />
      <OrdersSheets
        ready={shown !== undefined}
        detail={
          opened && {
            opened,
            pending: pending.get(opened.order.id),
            onStatus: (order, status) => void change(order, status),
            onOpen(order) {
              watch.markSeen(order)
              openFromDetails(order)
            },
            onBack: back,
          }
        }
        onDetailClose={close}
        healthOpener={healthOpener}
        onHealthClose={() => setHealthOpener(null)}
      />
    </div>
  )
}
