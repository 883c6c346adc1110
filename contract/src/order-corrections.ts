import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { NewOrderFields } from './new-orders.ts'
import { OrderRecord, RecordId } from './orders.ts'

/** What can be corrected of an order. Without a number it keeps the one that it has. */
export const CorrectedFields = z.omit(NewOrderFields, { Stato: true })
export type CorrectedFields = z.infer<typeof CorrectedFields>

const Shown = z.nullable(z.string().check(z.maxLength(100_000)))

/** The fields as the caller has seen them; null where one is empty. */
export const ShownFields = z.strictObject({
  'ID Ordine': Shown,
  Cliente: Shown,
  'Phone Number': Shown,
  Indirizzo: Shown,
  Ordine: Shown,
})
export type ShownFields = z.infer<typeof ShownFields>

const params = z.object({ recordId: RecordId })

/**
 * Corrects an order that was typed in here. One that is in Airtable is corrected there first, and here with what Airtable
 * answers.
 */
export const correctOrder = endpoint({
  method: 'PATCH',
  path: '/api/orders/:recordId',
  summary: 'Correct an order that was typed in',
  access: 'pharmacy',
  audit: { none: 'orders have a history of their own' },
  params,
  body: z.strictObject({ fields: CorrectedFields, was: ShownFields }),
  maxBodyBytes: 512 * 1024,
  response: OrderRecord,
  errors: [
    'orders.not_found',
    'orders.not_typed',
    'orders.changed_meanwhile',
    'orders.customer_erased',
    'orders.being_made',
    'orders.number_taken',
    'orders.source_refused',
    'orders.not_reached',
  ],
})

/** Removes an order that was typed in here, also from Airtable. */
export const removeOrder = endpoint({
  method: 'DELETE',
  path: '/api/orders/:recordId',
  summary: 'Delete an order that was typed in',
  access: 'pharmacy',
  audit: 'order_removed',
  params,
  response: z.object({}),
  errors: [
    'orders.not_found',
    'orders.not_typed',
    'orders.held',
    'orders.being_made',
    'orders.source_refused',
    'orders.not_reached',
  ],
})
