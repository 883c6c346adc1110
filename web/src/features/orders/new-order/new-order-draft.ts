import { OrderStatus } from '@bancone/contract/orders'
import { z } from 'zod/mini'
import { ApiError, hasCode } from '../../../lib/api.ts'
import { readFormDraft, saveDraft } from '../../../lib/drafts.ts'

const NAME = 'new-order'

const Text = z.catch(z.string(), '')

/** The content of the form, valid or not. */
export const DraftFields = z.object({
  Cliente: Text,
  'Phone Number': Text,
  Indirizzo: Text,
  Ordine: Text,
  Stato: z.catch(OrderStatus, 'In attesa'),
  'ID Ordine': Text,
})
export type DraftFields = z.infer<typeof DraftFields>

/**
 * The last attempt to create the order: its idempotency key and the content sent. `refused`: the server rejected it,
 * so the order does not exist.
 */
const Attempt = z.object({ key: z.string(), sent: z.string(), refused: z.boolean() })
type Attempt = z.infer<typeof Attempt>

const Draft = z.object({ fields: DraftFields, attempt: z.catch(z.nullable(Attempt), null) })
type Draft = z.infer<typeof Draft>

/** The unsaved order of this tab. */
export function readOrderDraft(): Draft {
  return readFormDraft(NAME, Draft) ?? { fields: DraftFields.parse({}), attempt: null }
}

export function saveOrderDraft(change: Partial<Draft>) {
  saveDraft(NAME, JSON.stringify({ ...readOrderDraft(), ...change }))
}

export function clearOrderDraft() {
  saveDraft(NAME, '')
}

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
