import type { OrderStatus } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { sayMissing } from '../../ui/missing-part.ts'
import { dismissToast } from '../../ui/toast.ts'
import type { BulkItem } from './bulk-change.ts'
import type { Broken, BulkKind } from './bulk-run.ts'
import { followUser } from './followed-user.ts'
import { putStatuses, readOrderPages } from './orders-cache.ts'
import { focusOrders } from './orders-place.ts'
import type { PendingStatuses } from './pending-statuses.ts'
import type { SelectionState } from './use-selection.ts'

/** How many orders are through. */
export type BulkProgress = { kind: BulkKind; done: number; total: number }

/**
 * Changes the status of all selected orders, in portions. What was done is said once, with one way back;
 * what could not be done stays selected, and can be tried again.
 */
export function useBulkChange(statuses: PendingStatuses, selection: SelectionState) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<BulkProgress | null>(null)
  const [broken, setBroken] = useState<Broken | null>(null)
  const busy = useRef(false)

  async function run(kind: BulkKind, wanted: readonly BulkItem[], again: Broken | null = null) {
    const items = wanted.filter(({ recordId }) => statuses.heldStatus(recordId) === undefined)
    if (busy.current || items.length === 0) return
    busy.current = true
    const user = followUser()
    const ids = items.map(({ recordId }) => recordId)
    let done = 0
    setBroken(null)
    setProgress({ kind, done, total: items.length })
    statuses.hold(items.map(({ recordId, to }) => [recordId, to]))
    dismissToast('orders-status')
    try {
      const { runBulk } = await import('./bulk-run.ts')
      const rest = await runBulk({
        kind,
        items,
        again,
        userGone: user.gone,
        async onPortion(through, now) {
          await putStatuses(client, now)
          done += through.length
          setProgress({ kind, done, total: items.length })
          statuses.release(through)
          statuses.flash(through)
          selection.deselect(through)
        },
        onUndo(former) {
          focusOrders()
          void run('undo', former)
        },
      })
      setBroken(rest)
    } catch {
      sayMissing()
    } finally {
      user.stop()
      statuses.release(ids)
      setProgress(null)
      busy.current = false
      void readOrderPages(client)
    }
  }

  return {
    progress,
    broken: broken !== null,
    change(to: OrderStatus) {
      const picks = [...selection.selection]
      void run(
        'change',
        picks.map(([recordId, { number, status }]) => ({ recordId, number, from: status, to })),
      )
    },
    retry() {
      if (broken === null) return
      // Who has taken an order out of the selection meanwhile does not want it changed.
      const rest = broken.rest.filter(
        ({ recordId }) => broken.kind === 'undo' || selection.selection.has(recordId),
      )
      void run(broken.kind, rest, broken)
    },
    clear() {
      setBroken(null)
      selection.clear()
    },
  }
}

export type BulkChange = ReturnType<typeof useBulkChange>
