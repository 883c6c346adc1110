import { OrderStatus } from '@bancone/contract/orders'
import { z } from 'zod/mini'
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
export const Attempt = z.object({ key: z.string(), sent: z.string(), refused: z.boolean() })
export type Attempt = z.infer<typeof Attempt>

const Draft = z.object({ fields: DraftFields, attempt: z.catch(z.nullable(Attempt), null) })
export type Draft = z.infer<typeof Draft>

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
