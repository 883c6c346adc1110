import { ApiError } from '../../../lib/api.ts'
import type { Attempt } from './new-order-draft.ts'

/**
 * The key to send an order with. The same as before, so that an order whose answer was lost is not made
 * twice; a new one once the server has said that there is none, and something else is sent.
 */
export function nextAttempt(last: Attempt | null, sent: string): Attempt {
  const again = last !== null && (!last.refused || last.sent === sent)
  return { key: again ? last.key : crypto.randomUUID(), sent, refused: false }
}

/** The server has said no: it did not make the order. Anything else leaves that open. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status >= 400 && error.status < 500 && error.code !== 'orders.being_made'
}

/** It was made the first time, with what the form held then. */
export function wasMadeBefore(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'orders.key_reused'
}
