import type { OrderStatus } from '@bancone/contract/orders'
import { useState } from 'react'

/**
 * The outcome of a status change made while the details are open. They show it themselves, because they cover the
 * toasts.
 *
 * @param status the shown status
 * @param pending the wanted status while the change is pending
 */
export function useStatusOutcome(status: string, pending: OrderStatus | undefined) {
  const [asked, setAsked] = useState<OrderStatus | null>(null)
  const [done, setDone] = useState<OrderStatus | null>(null)
  if (pending !== undefined && pending !== asked) {
    setAsked(pending)
    setDone(null)
  }
  const settled = asked !== null && pending === undefined
  if (settled && asked === status) {
    setAsked(null)
    setDone(asked)
  }
  return {
    /** The status that was set. */
    done,
    /** The status that could not be set. */
    failed: settled && asked !== status ? asked : null,
    forget: () => setAsked(null),
  }
}
