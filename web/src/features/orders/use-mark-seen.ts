import { markOrdersSeen, type UnseenOrders } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { setCachedSeen } from './orders-cache.ts'

/**
 * Marks orders as seen, optimistically. `marking` holds the pending ones; it is applied to the cached data when
 * rendering, so that a failure needs no rollback.
 */
export function useMarkSeen() {
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
export function unseenAfter(
  { count, recordIds }: UnseenOrders,
  marking: ReadonlySet<string>,
): UnseenOrders {
  const left = recordIds.filter((id) => !marking.has(id))
  return { count: count - (recordIds.length - left.length), recordIds: left }
}
