import type { OrderStatus } from '@bancone/contract/orders'
import { useEffect, useRef, useState } from 'react'

const HIGHLIGHT_MS = 3_200

/**
 * The changes of status on their way. `pending` holds what was asked and is not settled: it is laid over
 * the rows, so a failure has nothing to undo. `changed` holds the orders changed just now.
 */
export function usePendingStatuses() {
  const [pending, setPending] = useState<ReadonlyMap<string, OrderStatus>>(new Map())
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  // What is pending, known at once: a second click may come before the next rendering.
  const held = useRef(new Map<string, OrderStatus>())

  useEffect(() => {
    if (changed.size === 0) return
    const timer = setTimeout(() => setChanged(new Set()), HIGHLIGHT_MS)
    return () => clearTimeout(timer)
  }, [changed])

  return {
    pending,
    changed,
    hold(statuses: Iterable<readonly [id: string, status: OrderStatus]>) {
      for (const [id, status] of statuses) held.current.set(id, status)
      setPending(new Map(held.current))
    },
    release(ids: Iterable<string>) {
      for (const id of ids) held.current.delete(id)
      setPending(new Map(held.current))
    },
    /** What is on its way for an order, if anything is. */
    heldStatus: (id: string) => held.current.get(id),
    flash: (ids: Iterable<string>) => setChanged((before) => new Set([...before, ...ids])),
  }
}

export type PendingStatuses = ReturnType<typeof usePendingStatuses>
