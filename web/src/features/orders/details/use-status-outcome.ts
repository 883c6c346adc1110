import type { OrderStatus } from '@bancone/contract/orders'
import { useState } from 'react'

/**
 * What became of a change of status that was asked for while the details are open: toasts lie beneath
 * them, so they say it themselves.
 *
 * @param status as it is shown
 * @param pending what it is becoming, for as long as that is not settled
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
    /** What it became. */
    done,
    /** What it was to become and did not. */
    failed: settled && asked !== status ? asked : null,
    forget: () => setAsked(null),
  }
}
