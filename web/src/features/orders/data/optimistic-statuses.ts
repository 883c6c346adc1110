import type { OrderStatus } from '@bancone/contract/orders'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

const HIGHLIGHT_MS = 3_200

/**
 * Optimistic updates of statuses. `pending` holds the wanted statuses of unfinished changes, shown instead of the
 * cached ones, so that a failure needs no rollback. `changed` holds the orders changed just now.
 */
export function useOptimisticStatuses() {
  const [pending, setPending] = useState<ReadonlyMap<string, OrderStatus>>(new Map())
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  // The same as `pending`, without waiting for a render: a second click may come before it.
  const pendingRef = useRef(new Map<string, OrderStatus>())

  useEffect(() => {
    if (changed.size === 0) return
    const timer = setTimeout(() => setChanged(new Set()), HIGHLIGHT_MS)
    return () => clearTimeout(timer)
  }, [changed])

  return {
    pending,
    changed,
    addPending(statuses: Iterable<readonly [id: string, status: OrderStatus]>) {
      for (const [id, status] of statuses) pendingRef.current.set(id, status)
      setPending(new Map(pendingRef.current))
    },
    removePending(ids: Iterable<string>) {
      for (const id of ids) pendingRef.current.delete(id)
      // At once: a key before the next render would act on the status from before the change.
      flushSync(() => setPending(new Map(pendingRef.current)))
    },
    /** The wanted status of a pending change. */
    pendingStatus: (id: string) => pendingRef.current.get(id),
    highlight: (ids: Iterable<string>) => setChanged((before) => new Set([...before, ...ids])),
  }
}

export type OptimisticStatuses = ReturnType<typeof useOptimisticStatuses>
