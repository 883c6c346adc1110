import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { NewOrderFields } from './new-orders.ts'
import { OrderRecord } from './orders.ts'

const guard = { access: 'pharmacy', feature: 'whatsapp_integration' } as const

/** An order that a customer has written in the words that the public page prepares, or with its code. `text` may be too long for an order. */
export const WhatsAppDraft = z.object({
  id: z.uuid(),
  at: z.string(),
  customer: z.nullable(z.string()),
  /** E.164; null: WhatsApp does not tell it. */
  phone: z.nullable(z.string()),
  text: z.string(),
  /** The customer has deleted the message later. */
  isDeleted: z.boolean(),
})
export type WhatsAppDraft = z.infer<typeof WhatsAppDraft>

export const listWhatsAppDrafts = endpoint({
  method: 'GET',
  path: '/api/whatsapp/drafts',
  summary: 'List the orders from WhatsApp that wait to be confirmed, oldest first',
  ...guard,
  response: z.object({ drafts: z.array(WhatsAppDraft) }),
  errors: [],
})

const draftParams = z.object({ draftId: z.uuid() })

/**
 * Creates the order. Repeating it returns the same order. Any message of a customer that was not dismissed can become one:
 * `draftId` is the id of the message.
 */
export const confirmWhatsAppDraft = endpoint({
  method: 'POST',
  path: '/api/whatsapp/drafts/:draftId/order',
  summary: 'Create the order of a draft, or of another message of a customer',
  audit: { none: 'orders have a history of their own' },
  ...guard,
  params: draftParams,
  body: z.strictObject({
    fields: z.pick(NewOrderFields, { Cliente: true, 'Phone Number': true, Ordine: true }),
  }),
  response: OrderRecord,
  status: 201,
  errors: [
    'whatsapp.draft_not_found',
    'orders.key_reused',
    'orders.being_made',
    'orders.not_found',
    'orders.too_many',
    'orders.source_refused',
    'orders.changed_meanwhile',
  ],
})

export const dismissWhatsAppDraft = endpoint({
  method: 'DELETE',
  path: '/api/whatsapp/drafts/:draftId',
  summary: 'Dismiss a draft',
  audit: { none: 'a message of a customer, which remains' },
  ...guard,
  params: draftParams,
  response: z.object({}),
  errors: ['whatsapp.draft_not_found'],
})
