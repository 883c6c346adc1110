import {
  listOrders,
  markOrdersSeen,
  type OrderRecord,
  OrdersPage,
  type UnseenOrders,
} from '@bancone/contract/orders'
import { pharmacyTopic, topicEvents } from '@bancone/contract/realtime'
import { hashKey, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { endpointKey, useEndpoint, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { useOffline } from '../../../lib/network.ts'
import { invalidateOwnPharmacy } from '../../../lib/own-pharmacy.ts'
import { publishPharmacyEvent } from '../../../lib/pharmacy-events.ts'
import { type RealtimeState, useRealtime } from '../../../lib/realtime.ts'
import { createThrottledRefetch } from '../../../lib/throttled-refetch.ts'
import {
  FIRST_PAGE,
  invalidateOrderPages,
  orderPagesFilter,
  setCachedSeen,
} from './orders-cache.ts'
import { type OnNewOrders, useNewOrders } from './use-new-orders.ts'
import { AUTO_REFRESH_MS, pageOptions } from './use-orders.ts'

/** The smallest page, to get the number of unseen orders while automatic updates are off. */
const UNSEEN_ONLY_PAGE = { page: 1, pageSize: 1 }

const nothing: UnseenOrders = { count: 0, recordIds: [] }

/** `offline`: the browser has no network, and no server is reached without one. */
export type ConnectionState = RealtimeState | 'offline'

/** The pharmacy's orders as known on every page, kept up to date by realtime events and polling. */
export type LiveOrders = {
  pharmacyId: string | null
  connection: ConnectionState
  autoRefresh: boolean
  setAutoRefresh: (on: boolean) => void
  /** Set while the worker polls the first page, so that the query does not. */
  setWorkerActive: (isWorkerActive: boolean) => void
  /** Puts the page polled by the worker into the cache. */
  applyPolledPage: (answer: unknown) => void
  /** Refetches after an event, or after the worker has failed: a failure is then shown by the query. */
  refetch: () => void
  /** The first page of all orders. */
  firstPage: OrdersPage | undefined
  /** The first page has been loaded, or could not be. What is not needed before waits for it. */
  isStarted: boolean
  unseen: UnseenOrders
  isNew: (order: OrderRecord) => boolean
  /** Record ids of the orders that have just arrived. */
  arrived: ReadonlySet<string>
  announcement: string
  markSeen: (order: OrderRecord) => void
  /** @throws when some could not be marked */
  markAllSeen: () => Promise<void>
}

type LiveOrdersOptions = {
  /** The signed-in user; null when there is none, or one without access to orders. */
  userId: string | null
  /** The user's pharmacy; null while it is loading. */
  pharmacyId: string | null
  /** Called once per new order and tab. */
  onNewOrders: OnNewOrders
}

/** Keeps the first page of orders in the cache and up to date, on every page of the application. */
export function useLiveOrdersState({
  userId,
  pharmacyId,
  onNewOrders,
}: LiveOrdersOptions): LiveOrders {
  const client = useQueryClient()
  const [autoRefresh, setAuto] = useState(true)
  const [isWorkerActive, setWorkerActive] = useState(false)
  const [throttledRefetch] = useState(createThrottledRefetch)
  const firstPage = useEndpoint(
    listOrders,
    { query: FIRST_PAGE },
    {
      ...pageOptions(autoRefresh),
      enabled: userId !== null,
      refetchInterval: autoRefresh && !isWorkerActive ? AUTO_REFRESH_MS : false,
    },
  )
  const unseenQuery = useEndpoint(listOrders, { query: UNSEEN_ONLY_PAGE }, { enabled: false })
  const newest =
    unseenQuery.dataUpdatedAt > firstPage.dataUpdatedAt ? unseenQuery.data : firstPage.data
  const { arrived, announcement } = useNewOrders(userId, newest?.unseen, onNewOrders)
  const { marking, mark, markAll } = useMarkSeen()
  const unseen = unseenAfter(newest?.unseen ?? nothing, marking)

  // The realtime channel is opened after the first page has been loaded.
  const [isStarted, setStarted] = useState(false)
  if (!isStarted && (firstPage.data !== undefined || firstPage.isError)) setStarted(true)
  const [wasSubscribed, setWasSubscribed] = useState(false)

  function refetch() {
    throttledRefetch(() => (autoRefresh ? invalidateOrderPages(client) : unseenQuery.refetch()))
  }

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

  function applyPolledPage(answer: unknown) {
    const page = OrdersPage.safeParse(answer)
    // A response to a mutation or query under way will be newer.
    const busy = client.isMutating() > 0 || client.isFetching(orderPagesFilter) > 0
    if (!page.success || busy) return
    const key = endpointKey(listOrders, { query: FIRST_PAGE })
    client.setQueryData(key, page.data)
    void invalidateOrderPages(client, hashKey(key))
  }

  return {
    pharmacyId,
    connection: isOffline && realtime !== 'live' ? 'offline' : realtime,
    autoRefresh,
    setAutoRefresh(on) {
      setAuto(on)
      if (on) void invalidateOrderPages(client)
    },
    setWorkerActive,
    applyPolledPage,
    refetch,
    firstPage: firstPage.data,
    isStarted,
    unseen,
    isNew: ({ id, seen }) => !seen && !marking.has(id),
    arrived,
    announcement,
    markSeen({ id, seen }) {
      // Marking happens without a user action: if it fails, the order simply stays new.
      if (!seen && !marking.has(id)) mark([id]).catch(() => undefined)
    },
    markAllSeen: () => markAll(unseen),
  }
}

const LiveOrdersContext = createContext<LiveOrders | null>(null)

export function LiveOrdersProvider(props: { liveOrders: LiveOrders; children: ReactNode }) {
  return <LiveOrdersContext value={props.liveOrders}>{props.children}</LiveOrdersContext>
}

/** The live orders of the surrounding layout. */
export function useLiveOrders(): LiveOrders {
  const liveOrders = useContext(LiveOrdersContext)
  if (liveOrders === null) throw new Error('The orders are not watched here')
  return liveOrders
}

/**
 * Marks orders as seen, optimistically. `marking` holds the pending ones; it is applied to the cached data when
 * rendering, so that a failure needs no rollback.
 */
function useMarkSeen() {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(markOrdersSeen)
  const [marking, setMarking] = useState<ReadonlySet<string>>(new Set())

  async function mark(recordIds: string[]): Promise<UnseenOrders> {
    setMarking((before) => new Set([...before, ...recordIds]))
    try {
      const unseen = await mutateAsync({ body: { recordIds } })
      await setCachedSeen(client, recordIds, unseen)
      return unseen
    } finally {
      const over = new Set(recordIds)
      setMarking((before) => new Set([...before].filter((id) => !over.has(id))))
    }
  }

  /** In batches of the ids that the server returns. Orders that arrive meanwhile stay new. */
  async function markAll({ count, recordIds }: UnseenOrders) {
    let left = count
    let batch = recordIds
    while (batch.length > 0) {
      const answer = await mark(batch)
      left -= batch.length
      batch = left > 0 ? answer.recordIds.slice(Math.max(0, answer.count - left)) : []
    }
  }

  return { marking, mark, markAll }
}

/** The unseen orders without those being marked. */
function unseenAfter(
  { count, recordIds }: UnseenOrders,
  marking: ReadonlySet<string>,
): UnseenOrders {
  const left = recordIds.filter((id) => !marking.has(id))
  return { count: count - (recordIds.length - left.length), recordIds: left }
}
