import { ApiError, hasCode } from '../../../lib/api.ts'
import type { Attempt } from './new-order-draft.ts'

/**
 * The idempotency key to send an order with. The key is reused, so that an order whose response was lost is not
 * created twice. A new key is used once the server has rejected the order and the content has changed.
 */
export function nextAttempt(last: Attempt | null, sent: string): Attempt {
  const again = last !== null && (!last.refused || last.sent === sent)
  return { key: again ? last.key : crypto.randomUUID(), sent, refused: false }
}

/** Whether the server rejected the order, so that it was not created. Any other error leaves that open. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status >= 400 && error.status < 500 && error.code !== 'orders.being_made'
}

/** The order was created by an earlier request with the same key and other content. */
export function isKeyReused(error: unknown): boolean {
  return hasCode(error, 'orders.key_reused')
}
