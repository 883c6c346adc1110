import { listOrders, type OrderRecord, OrdersPage, type Unseen } from '@bancone/contract/orders'
import { pharmacyTopic, topicEvents } from '@bancone/contract/realtime'
import { hashKey, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { doubtOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { passNews } from '../../lib/pharmacy-news.ts'
import { type RealtimeState, useRealtime } from '../../lib/realtime.ts'
import { createRefresh } from './order-refresh.ts'
import { allOrderPages, FIRST_PAGE, readOrderPages } from './orders-cache.ts'
import { unseenAfter, useMarkSeen } from './use-mark-seen.ts'
import { type OnNewOrders, useNewOrders } from './use-new-orders.ts'
import { AUTO_REFRESH_MS, pageOptions } from './use-orders.ts'

/** The least that tells how many orders are new, for who does not want the page to move by itself. */
const PULSE = { page: 1, pageSize: 1 }

const nothing: Unseen = { count: 0, recordIds: [] }

/** What is known of the pharmacy's orders on every page, and what is done about news of them. */
export type OrderWatch = {
  pharmacyId: string | null
  connection: RealtimeState
  autoRefresh: boolean
  setAutoRefresh: (on: boolean) => void
  /** The worker reads the first page every minute, so nobody else does. */
  setFed: (fed: boolean) => void
  /** Takes what the worker was answered: the first page. */
  takeOrders: (answer: unknown) => void
  /** Somebody has heard of news, or could not read them: if we cannot either, that is said. */
  readAgain: () => void
  /** The first page of all orders. */
  first: OrdersPage | undefined
  unseen: Unseen
  isNew: (order: OrderRecord) => boolean
  /** The record ids of those that came in just now. */
  arrived: ReadonlySet<string>
  announcement: string
  markSeen: (order: OrderRecord) => void
  /** @throws when not all could be marked */
  markAllSeen: () => Promise<void>
}

type Watched = {
  /** Who is signed in; null while nobody is, or nobody who has orders to see. */
  userId: string | null
  /** Where they work; null until that is known. */
  pharmacyId: string | null
  /** Told of each new order once in this tab. */
  onNewOrders: OnNewOrders
}

/** Keeps the first page of orders at hand wherever one is, and up to date from the moment it is there. */
export function useOrderWatch({ userId, pharmacyId, onNewOrders }: Watched): OrderWatch {
  const client = useQueryClient()
  const [autoRefresh, setAuto] = useState(true)
  const [fed, setFed] = useState(false)
  const [refresh] = useState(createRefresh)
  const first = useEndpoint(
    listOrders,
    { query: FIRST_PAGE },
    {
      ...pageOptions(autoRefresh),
      enabled: userId !== null,
      refetchInterval: autoRefresh && !fed ? AUTO_REFRESH_MS : false,
    },
  )
  const pulse = useEndpoint(listOrders, { query: PULSE }, { enabled: false })
  const newest = pulse.dataUpdatedAt > first.dataUpdatedAt ? pulse.data : first.data
  const { arrived, announcement } = useNewOrders(userId, newest?.unseen, onNewOrders)
  const { marking, mark, markAll } = useMarkSeen()
  const unseen = unseenAfter(newest?.unseen ?? nothing, marking)

  // The line can wait until there is something to see.
  const [begun, setBegun] = useState(false)
  if (!begun && (first.data !== undefined || first.isError)) setBegun(true)
  const [joinedBefore, setJoinedBefore] = useState(false)

  function readAgain() {
    refresh(() => (autoRefresh ? readOrderPages(client) : pulse.refetch()))
  }

  const topic = begun && pharmacyId !== null ? pharmacyTopic(pharmacyId) : null
  const connection = useRealtime(topic, {
    joined() {
      readAgain()
      passNews(topicEvents.missed)
      if (joinedBefore) void doubtOwnPharmacy(client)
      setJoinedBefore(true)
    },
    doubted: () => void doubtOwnPharmacy(client),
    told(event) {
      passNews(event)
      // Nothing of an order.
      if (event === topicEvents.offers) return
      if (event !== topicEvents.orders) void doubtOwnPharmacy(client)
      if (event !== topicEvents.pharmacy) readAgain()
    },
  })

  function takeOrders(answer: unknown) {
    const page = OrdersPage.safeParse(answer)
    // What is being changed or read just now is newer.
    const busy = client.isMutating() > 0 || client.isFetching(allOrderPages) > 0
    if (!page.success || busy) return
    const key = endpointKey(listOrders, { query: FIRST_PAGE })
    client.setQueryData(key, page.data)
    void readOrderPages(client, hashKey(key))
  }

  return {
    pharmacyId,
    connection,
    autoRefresh,
    setAutoRefresh(on) {
      setAuto(on)
      if (on) void readOrderPages(client)
    },
    setFed,
    takeOrders,
    readAgain,
    first: first.data,
    unseen,
    isNew: ({ id, seen }) => !seen && !marking.has(id),
    arrived,
    announcement,
    markSeen({ id, seen }) {
      // Nobody asked for it: if it cannot be noted the order stays new, and that shows.
      if (!seen && !marking.has(id)) mark([id]).catch(() => undefined)
    },
    markAllSeen: () => markAll(unseen),
  }
}

const WatchContext = createContext<OrderWatch | null>(null)

export function OrderWatchProvider(props: { watch: OrderWatch; children: ReactNode }) {
  return <WatchContext value={props.watch}>{props.children}</WatchContext>
}

/** The watch of the frame this page stands in. */
export function useWatchedOrders(): OrderWatch {
  const watch = useContext(WatchContext)
  if (watch === null) throw new Error('The orders are not watched here')
  return watch
}
