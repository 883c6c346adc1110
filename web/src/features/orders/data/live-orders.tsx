import { markOrdersSeen, type OrderRecord, type UnseenOrders } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { useFreshOrders } from './freshness.ts'
import { invalidateOrderPages, setCachedSeen } from './orders-cache.ts'
import { type OnNewOrders, useNewOrders } from './use-new-orders.ts'

const nothing: UnseenOrders = { count: 0, recordIds: [] }

type FreshOrders = ReturnType<typeof useFreshOrders>

/** The pharmacy's orders as known on every page. */
export type LiveOrders = Omit<FreshOrders, 'unseen'> & {
  autoRefresh: boolean
  setAutoRefresh: (on: boolean) => void
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

/** The orders that are kept fresh on every page of the application, and which of them are new. */
export function useLiveOrdersState({
  userId,
  pharmacyId,
  onNewOrders,
}: LiveOrdersOptions): LiveOrders {
  const client = useQueryClient()
  const [autoRefresh, setAuto] = useState(true)
  const { unseen: loaded, ...fresh } = useFreshOrders({ userId, pharmacyId, autoRefresh })
  const { arrived, announcement } = useNewOrders(userId, loaded, onNewOrders)
  const { marking, mark, markAll } = useMarkSeen()
  const unseen = unseenAfter(loaded ?? nothing, marking)

  return {
    ...fresh,
    autoRefresh,
    setAutoRefresh(on) {
      setAuto(on)
      if (on) void invalidateOrderPages(client)
    },
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
