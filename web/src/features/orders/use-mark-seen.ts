import { markOrdersSeen, type Unseen } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { putSeen } from './orders-cache.ts'

/**
 * Notes that orders have been seen. `marking` holds those on their way: it is laid over what was read, so
 * a failure has nothing to undo.
 */
export function useMarkSeen() {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(markOrdersSeen)
  const [marking, setMarking] = useState<ReadonlySet<string>>(new Set())

  async function mark(recordIds: string[]): Promise<Unseen> {
    setMarking((before) => new Set([...before, ...recordIds]))
    try {
      const unseen = await mutateAsync({ body: { recordIds } })
      await putSeen(client, recordIds, unseen)
      return unseen
    } finally {
      const over = new Set(recordIds)
      setMarking((before) => new Set([...before].filter((id) => !over.has(id))))
    }
  }

  /** In the portions the server names. Orders that come in meanwhile, first among them, stay new. */
  async function markAll({ count, recordIds }: Unseen) {
    let left = count
    let portion = recordIds
    while (portion.length > 0) {
      const answer = await mark(portion)
      left -= portion.length
      portion = left > 0 ? answer.recordIds.slice(Math.max(0, answer.count - left)) : []
    }
  }

  return { marking, mark, markAll }
}

/** What is unseen once these are seen. */
export function unseenAfter({ count, recordIds }: Unseen, marking: ReadonlySet<string>): Unseen {
  const left = recordIds.filter((id) => !marking.has(id))
  return { count: count - (recordIds.length - left.length), recordIds: left }
}
