import { refreshOrders } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { RefreshCw, Timer, TimerOff } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { loadWhenIdle } from '../../../lib/when-idle.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { useHeldOrders } from '../change/use-held-orders.ts'
import { SearchedWordsProvider } from '../data/highlighted.tsx'
import { useLiveOrders } from '../data/live-orders.tsx'
import { invalidateOrderPages } from '../data/orders-cache.ts'
import { ordersListId, useListFocusFallback } from '../data/orders-focus.ts'
import {
  filterOf,
  isFiltered,
  type OrdersListQuery,
  useClampedPage,
  useOrdersSearch,
} from '../data/orders-search.ts'
import { useDetails } from '../data/use-details.ts'
import { type KnownPagination, usePaginationAndCounts } from '../data/use-order-counts.ts'
import { useOrders } from '../data/use-orders.ts'
import { OrdersFilters } from '../filter/orders-filters.tsx'
import { OrdersList } from '../list/orders-list.tsx'
import { SelectModeButton } from '../list/selection-box.tsx'
import { NewOrdersBanner } from '../notices/new-orders-banner.tsx'
import { OrdersNotices } from '../notices/orders-notices.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderOverlays } from './order-overlays.tsx'
import { OrdersHeader } from './orders-header.tsx'
import { prefetchDetails, prefetchPage } from './prefetch.ts'
import { StatisticsCards } from './statistics-cards.tsx'
import { useOrderEditing } from './use-order-editing.ts'

const loadListNotices = () => loadWhenIdle(() => import('../notices/list-notices.tsx'))
const loadNotices = async () => (await loadListNotices()).ListNotices
const loadWaiting = async () => (await loadListNotices()).WaitingOrders
const loadNoOrders = async () => (await import('../list/no-orders.tsx')).NoOrders
const loadPages = async () =>
  (await loadWhenIdle(() => import('../list/pagination-bar.tsx'))).PaginationBar

/** @param actions buttons of another feature */
export function OrdersPage({ actions }: { actions: ReactNode }) {
  const root = useRef<HTMLDivElement>(null)
  const [query, go] = useOrdersSearch()
  const client = useQueryClient()
  const liveOrders = useLiveOrders()
  const orders = useOrders(query, liveOrders.autoRefresh)
  const held = useHeldOrders(orders.shown, liveOrders.autoRefresh)
  const { refresh, refreshing } = useRefresh(held.release)
  const refetch = () => void orders.refetch().then(held.release)
  // The badge says that there is no connection. It does not say that the shown orders are those of another query.
  const isLive = liveOrders.connection === 'live'
  const offlineBadgeShown = liveOrders.connection === 'offline' && orders.page !== undefined
  const shown = held.page
  const { opened, open, openFromDetails, back, close } = useDetails([
    orders.shown?.page,
    liveOrders.firstPage,
    shown,
  ])
  const focusFallback = useListFocusFallback()
  const [healthOpener, setHealthOpener] = useState<HTMLElement | null>(null)
  const { pagination, counts, countsFailed } = usePaginationAndCounts(
    query,
    orders.shown,
    liveOrders.autoRefresh,
  )
  const waiting = orders.page === undefined && shown !== undefined
  const shownQuery = orders.shown?.query ?? query
  // Not beneath open details: changing the page would change their history entry.
  const lastPage = orders.page && !opened ? (pagination?.totalPages ?? null) : null
  useClampedPage(query.page, lastPage, go)

  const openedId = opened?.id ?? null
  const editing = useOrderEditing({ shown, query, opened: openedId, onOpen: open, go })
  const { pending, changed, change, neighbours } = editing

  return (
    <div ref={root} data-around-orders className="flex flex-col gap-2 sm:gap-3">
      <OrdersHeader
        pagination={pagination}
        filtered={isFiltered(shownQuery)}
        updatedAt={orders.shown?.updatedAt ?? 0}
        connection={orders.isError && isLive ? 'reconnecting' : liveOrders.connection}
        autoRefresh={liveOrders.autoRefresh}
        tools={
          <OrderActions
            // A list in use shows it as well, instead of counting it as a new one.
            onCreated={refetch}
            onShow={(order) => open(order, null)}
            more={
              <>
                <AutoRefreshButton
                  on={liveOrders.autoRefresh}
                  onChange={liveOrders.setAutoRefresh}
                />
                {actions}
              </>
            }
          >
            <RefreshButton busy={orders.isFetching || refreshing} onRefresh={refresh} />
            <SelectModeButton selection={editing.selection} />
          </OrderActions>
        }
        onHealth={setHealthOpener}
      />
      <div className="flex flex-col gap-2.5 empty:hidden">
        <OrdersNotices
          failure={orders.isError && !offlineBadgeShown ? (orders.page ? 'refresh' : 'load') : null}
          freshness={shown?.freshness}
          onRetry={refetch}
        />
        <LazyBoundary
          load={loadNotices}
          props={{ page: shown, pending, onHealth: setHealthOpener, root }}
        />
      </div>
      <p role="status" className="sr-only">
        {liveOrders.announcement}
      </p>
      <NewOrdersBanner {...{ liveOrders, query, shown, go, refetch }} />
      <StatisticsCards
        counts={counts}
        failed={orders.isError || countsFailed}
        query={query}
        go={go}
      />
      <div data-around-orders className="flex flex-col gap-2 sm:gap-3" {...focusFallback}>
        <OrdersFilters query={query} go={go} counts={counts} waiting={orders.isPending} />
        <FoundStatus pagination={pagination} query={shownQuery} waiting={waiting} />
        {shown || orders.isPending ? (
          <section
            id={ordersListId}
            tabIndex={-1}
            aria-label="Elenco degli ordini"
            aria-busy={orders.isPending}
            className="outline-none"
          >
            <LazyBoundary
              load={loadWaiting}
              props={{ count: held.waiting, query, go, onShow: held.release }}
            />
            <SearchedWordsProvider search={shownQuery.q}>
              <OrdersList
                key={JSON.stringify(shownQuery)}
                page={shown}
                waiting={waiting}
                pending={pending}
                arrived={liveOrders.arrived}
                isNew={liveOrders.isNew}
                changed={changed}
                opened={openedId}
                selection={editing.selection}
                empty={<LazyBoundary load={loadNoOrders} props={{ query: shownQuery, go }} />}
                onStatus={(order, status) => void change(order, status)}
                onPress={({ id }) => prefetchDetails(client, id)}
                onDetails={open}
              />
            </SearchedWordsProvider>
            <LazyBoundary
              load={loadPages}
              preload
              props={
                shown && pagination
                  ? {
                      pagination,
                      requestedPage: query.page,
                      rows: shown.records.length,
                      onPress: (next) => prefetchPage(client, { ...query, page: next }),
                      onPage: (next) => go({ page: next }),
                    }
                  : null
              }
            />
          </section>
        ) : null}
      </div>
      <OrderOverlays
        editing={editing}
        page={shown}
        pagination={pagination}
        filter={filterOf(shownQuery)}
        details={
          opened && {
            opened,
            pending: pending.get(opened.id),
            neighbours,
            onStatus: (order, status) => void change(order, status),
            onOpen: openFromDetails,
            onBack: back,
            onClose: close,
          }
        }
        healthOpener={healthOpener}
        onHealthClose={() => setHealthOpener(null)}
      />
    </div>
  )
}

/** Refetches the orders. On a phone only its icon is visible. */
function RefreshButton({ busy, onRefresh }: { busy: boolean; onRefresh: () => void }) {
  return (
    <Button className="max-sm:w-11 max-sm:px-0" inactive={busy} onClick={onRefresh}>
      <RefreshCw aria-hidden className={cn(busy && 'animate-spin motion-reduce:animate-none')} />
      <span className="max-sm:sr-only">Aggiorna</span>
    </Button>
  )
}

function AutoRefreshButton({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const Icon = on ? Timer : TimerOff
  return (
    <Button aria-pressed={on} onClick={() => onChange(!on)}>
      <Icon aria-hidden />
      {on ? 'Auto-aggiornamento attivo' : 'Attiva auto-aggiornamento'}
    </Button>
  )
}

type FoundStatusProps = {
  pagination: KnownPagination | null
  query: OrdersListQuery
  /** The shown orders are not those of the current query yet. */
  waiting: boolean
}

/** Announces the number of found orders to screen readers. */
function FoundStatus({ pagination, query, waiting }: FoundStatusProps) {
  const found = waiting || !isFiltered(query) ? null : (pagination?.totalRecords ?? null)
  return (
    <p role="status" className="sr-only">
      {found === null ? null : `Ordini trovati: ${formatNumber(found)}`}
    </p>
  )
}

/** Makes the server read the order source, and refetches the page. @param onRefreshed called after the last refetch */
function useRefresh(onRefreshed: () => void) {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useEndpointMutation(refreshOrders)

  async function refresh() {
    // Failures of the order source, and of the server, are shown by the page.
    await mutateAsync({}).catch(() => undefined)
    await invalidateOrderPages(client)
    onRefreshed()
  }

  return { refresh: () => void refresh(), refreshing: isPending }
}
