import type { OrderStatus } from '@bancone/contract/orders'
import { useState } from 'react'
import { knownStatus } from '../order-status.ts'

/**
 * The outcome of a status change made while the details are open, which they show themselves.
 *
 * @param status the shown status
 * @param pending the wanted status while the change is pending
 */
export function useStatusOutcome(status: string, pending: OrderStatus | undefined) {
  /** The status when no change was pending. */
  const [settled, setSettled] = useState(status)
  const [asked, setAsked] = useState<OrderStatus | null>(null)
  const [done, setDone] = useState<{ from: OrderStatus | null; to: OrderStatus } | null>(null)
  if (pending !== undefined && pending !== asked) {
    setAsked(pending)
    setDone(null)
  }
  if (pending === undefined && settled !== status) setSettled(status)
  const isOver = asked !== null && pending === undefined
  if (isOver && asked === status) {
    setAsked(null)
    setDone({ from: knownStatus(settled), to: asked })
  }
  return {
    /** The status that was set, and the one before; null for a text that cannot be written again. */
    done,
    /** The status that could not be set. */
    failed: isOver && asked !== status ? asked : null,
    forget: () => setAsked(null),
  }
}
