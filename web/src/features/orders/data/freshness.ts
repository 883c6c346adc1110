import { listOrders, OrdersPage } from '@bancone/contract/orders'
import { paths } from '@bancone/contract/pages'
import { pharmacyTopic, topicEvents } from '@bancone/contract/realtime'
import { hashKey, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useMatch } from 'react-router'
import { endpointKey, useEndpoint } from '../../../lib/endpoint-query.ts'
import { useOffline } from '../../../lib/network.ts'
import { invalidateOwnPharmacy } from '../../../lib/own-pharmacy.ts'
import { publishPharmacyEvent } from '../../../lib/pharmacy-events.ts'
import { type RealtimeState, useRealtime } from '../../../lib/realtime.ts'
import { createThrottledRefetch } from '../../../lib/throttled-refetch.ts'
import { loadWhenIdle } from '../../../lib/when-idle.ts'
import {
  FIRST_PAGE,
  invalidateOrderPages,
  orderPagesFilter,
  PAGE_CACHE_MS,
} from './orders-cache.ts'

/*
 * What keeps the orders fresh:
 * - socket: an event of the pharmacy's topic refetches them, on every page of the application;
 * - worker: polls the first page while the dashboard is open, also in a hidden tab, whose timers browsers throttle;
 * - interval: other queries poll by themselves, and the first page where no worker runs;
 * - visibility: they are refetched when the page is shown again, or the network is back;
 * - retries: pages that could not be read while the server was unavailable are retried (`retryUnavailable`).
 * With automatic updates off only the socket is left, and it reads no more than which orders are unseen.
 */

const AUTO_REFRESH_MS = 60_000
/** A page fetched within this time is not refetched when it is opened again. */
const STALE_TIME_MS = 10_000
/** The smallest page, to get the number of unseen orders while automatic updates are off. */
const UNSEEN_ONLY_PAGE = { page: 1, pageSize: 1 }

/** The interval at which a query polls. */
export function pollInterval(autoRefresh: boolean): number | false {
  return autoRefresh ? AUTO_REFRESH_MS : false
}

/** Query options of an order page. @param polls false where something else keeps it fresh */
export function pageOptions(autoRefresh: boolean, polls = true) {
  const returns = autoRefresh ? ('always' as const) : false
  return {
    staleTime: STALE_TIME_MS,
    gcTime: PAGE_CACHE_MS,
    refetchInterval: pollInterval(autoRefresh && polls),
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: returns,
    refetchOnReconnect: returns,
  }
}

/** `offline`: the browser has no network, and no server is reached without one. */
export type ConnectionState = RealtimeState | 'offline'

type FreshOrdersOptions = {
  /** The signed-in user; null when there is none, or one without access to orders. */
  userId: string | null
  /** The user's pharmacy; null while it is loading. */
  pharmacyId: string | null
  autoRefresh: boolean
}

/** Keeps the first page of orders in the cache and up to date, on every page of the application. */
export function useFreshOrders({ userId, pharmacyId, autoRefresh }: FreshOrdersOptions) {
  const client = useQueryClient()
  const [throttledRefetch] = useState(createThrottledRefetch)
  const onDashboard = useMatch(paths.dashboard) !== null
  const isWorkerPolling = useOrderWorker({
    pharmacyId,
    enabled: autoRefresh && onDashboard,
    onOrders: (answer) => applyPolledPage(client, answer),
    // A failure is then shown by the query.
    onFailure: refetch,
  })
  const firstPage = useEndpoint(
    listOrders,
    { query: FIRST_PAGE },
    { ...pageOptions(autoRefresh, !isWorkerPolling), enabled: userId !== null },
  )
  const unseenOnly = useEndpoint(listOrders, { query: UNSEEN_ONLY_PAGE }, { enabled: false })

  function refetch() {
    throttledRefetch(() => (autoRefresh ? invalidateOrderPages(client) : unseenOnly.refetch()))
  }

  // The socket is opened after the first page has been loaded.
  const [isStarted, setStarted] = useState(false)
  if (!isStarted && (firstPage.data !== undefined || firstPage.isError)) setStarted(true)
  const [wasSubscribed, setWasSubscribed] = useState(false)
  const topic = isStarted && pharmacyId !== null ? pharmacyTopic(pharmacyId) : null
  const isOffline = useOffline()
  const realtime = useRealtime(topic, {
    subscribed() {
      refetch()
      publishPharmacyEvent(topicEvents.missed)
      if (wasSubscribed) void invalidateOwnPharmacy(client)
      setWasSubscribed(true)
    },
    recheckAccess: () => void invalidateOwnPharmacy(client),
    broadcast(event) {
      publishPharmacyEvent(event)
      const mayHaveMissed = event === topicEvents.missed
      if (mayHaveMissed || event === topicEvents.pharmacy) void invalidateOwnPharmacy(client)
      if (mayHaveMissed || event === topicEvents.orders) refetch()
    },
  })

  const newest =
    unseenOnly.dataUpdatedAt > firstPage.dataUpdatedAt ? unseenOnly.data : firstPage.data
  const connection: ConnectionState = isOffline && realtime !== 'live' ? 'offline' : realtime
  return {
    connection,
    refetch,
    /** The first page of all orders. */
    firstPage: firstPage.data,
    /** The first page has been loaded, or could not be. What is not needed before waits for it. */
    isStarted,
    unseen: newest?.unseen,
  }
}

/** Puts the page polled by the worker into the cache. */
function applyPolledPage(client: QueryClient, answer: unknown) {
  const page = OrdersPage.safeParse(answer)
  // A response to a mutation or query under way will be newer.
  const busy = client.isMutating() > 0 || client.isFetching(orderPagesFilter) > 0
  if (!page.success || busy) return
  const key = endpointKey(listOrders, { query: FIRST_PAGE })
  client.setQueryData(key, page.data)
  void invalidateOrderPages(client, hashKey(key))
}

type OrderWorkerProps = {
  /** Null until loaded. */
  pharmacyId: string | null
  enabled: boolean
  /** Called with the unparsed response of the first page of all orders. */
  onOrders: (answer: unknown) => void
  onFailure: (status: number) => void
}

/**
 * Runs the worker that polls for orders.
 *
 * @returns whether it runs; otherwise the first page must poll
 */
export function useOrderWorker({ pharmacyId, enabled, ...on }: OrderWorkerProps): boolean {
  const [broken, setBroken] = useState(() => !('Worker' in window))
  const onOrders = useEffectEvent(on.onOrders)
  const onFailure = useEffectEvent(on.onFailure)
  const runs = enabled && !broken && pharmacyId !== null

  useEffect(() => {
    if (!runs) return
    let stop: (() => void) | null = null
    let over = false
    const onBroken = () => {
      if (!over) setBroken(true)
    }
    async function start(id: string) {
      const { startOrderWorker } = await loadWhenIdle(() => import('./order-worker.ts'))
      if (over) return
      stop = startOrderWorker({
        pharmacyId: id,
        onOrders: (answer) => onOrders(answer),
        onFailure: (status) => onFailure(status),
        onBroken,
      })
    }
    // Its code may fail to load, and some browsers cannot start workers.
    start(pharmacyId).catch(onBroken)
    return () => {
      over = true
      stop?.()
    }
  }, [runs, pharmacyId])

  return runs
}
