import { OrderStatus } from '@bancone/contract/orders'
import { z } from 'zod'
import { keepDraft, readDraft } from '../../../lib/drafts.ts'

const NAME = 'new-order'

const Text = z.string().catch('')

/** What stands in the form, whatever it is worth. */
export const DraftFields = z.object({
  Cliente: Text,
  'Phone Number': Text,
  Indirizzo: Text,
  Ordine: Text,
  Stato: OrderStatus.catch('In attesa'),
  'ID Ordine': Text,
})
export type DraftFields = z.infer<typeof DraftFields>

/**
 * The last attempt to make the order: its key, and what was sent with it. `refused`: the server has said no,
 * so there is no such order.
 */
export const Attempt = z.object({ key: z.string(), sent: z.string(), refused: z.boolean() })
export type Attempt = z.infer<typeof Attempt>

const Draft = z.object({ fields: DraftFields, attempt: Attempt.nullable().catch(null) })
export type Draft = z.infer<typeof Draft>

const emptyFields: DraftFields = {
  Cliente: '',
  'Phone Number': '',
  Indirizzo: '',
  Ordine: '',
  Stato: 'In attesa',
  'ID Ordine': '',
}

/** What was typed in this tab and not saved yet. */
export function readOrderDraft(): Draft {
  try {
    return Draft.parse(JSON.parse(readDraft(NAME)))
  } catch {
    return { fields: emptyFields, attempt: null }
  }
}

export function keepOrderDraft(change: Partial<Draft>) {
  keepDraft(NAME, JSON.stringify({ ...readOrderDraft(), ...change }))
}

export function forgetOrderDraft() {
  keepDraft(NAME, '')
}
