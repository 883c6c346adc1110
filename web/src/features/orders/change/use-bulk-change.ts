import type { OrderStatus } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { notifyChunkFailure } from '../../../ui/chunk-failure.ts'
import { dismissToast } from '../../../ui/toast.ts'
import type { OptimisticStatuses } from '../data/optimistic-statuses.ts'
import { invalidateOrderPages, setCachedStatuses } from '../data/orders-cache.ts'
import { focusOrders } from '../data/orders-focus.ts'
import type { SelectionState } from '../data/use-selection.ts'
import { watchUserChange } from '../data/watch-user-change.ts'
import type { BulkItem, BulkKind, InterruptedBulk } from './bulk-run.ts'

/** Number of processed orders. */
export type BulkProgress = { kind: BulkKind; done: number; total: number }

/**
 * Changes the status of the selected orders in batches. The result is one toast with an undo action. Orders that were
 * not processed stay selected and can be retried.
 */
export function useBulkChange(statuses: OptimisticStatuses, selection: SelectionState) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<BulkProgress | null>(null)
  const [interrupted, setInterrupted] = useState<InterruptedBulk | null>(null)
  const busy = useRef(false)

  async function run(
    kind: BulkKind,
    wanted: readonly BulkItem[],
    retryOf: InterruptedBulk | null = null,
  ) {
    const items = wanted.filter(({ recordId }) => statuses.pendingStatus(recordId) === undefined)
    if (busy.current || items.length === 0) return
    busy.current = true
    const user = watchUserChange()
    const ids = items.map(({ recordId }) => recordId)
    let done = 0
    setInterrupted(null)
    setProgress({ kind, done, total: items.length })
    statuses.addPending(items.map(({ recordId, to }) => [recordId, to]))
    dismissToast('orders-status')
    try {
      const { runBulk } = await import('./bulk-run.ts')
      const rest = await runBulk({
        kind,
        items,
        retryOf,
        userChanged: user.hasChanged,
        async onBatch(through, now) {
          await setCachedStatuses(client, now)
          done += through.length
          setProgress({ kind, done, total: items.length })
          statuses.removePending(through)
          statuses.highlight(through)
          selection.deselect(through)
        },
        onUndo(former) {
          focusOrders()
          void run('undo', former)
        },
      })
      setInterrupted(rest)
    } catch {
      notifyChunkFailure()
    } finally {
      user.stop()
      statuses.removePending(ids)
      setProgress(null)
      busy.current = false
      void invalidateOrderPages(client)
    }
  }

  return {
    progress,
    interrupted: interrupted !== null,
    change(to: OrderStatus) {
      const picks = [...selection.selection]
      void run(
        'change',
        picks.map(([recordId, { number, status }]) => ({ recordId, number, from: status, to })),
      )
    },
    retry() {
      if (interrupted === null) return
      // Orders that the user has deselected meanwhile are not retried.
      const rest = interrupted.remaining.filter(
        ({ recordId }) => interrupted.kind === 'undo' || selection.selection.has(recordId),
      )
      void run(interrupted.kind, rest, interrupted)
    },
    clear() {
      setInterrupted(null)
      selection.clear()
    },
  }
}

export type BulkChange = ReturnType<typeof useBulkChange>
