import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { OrderRecord, RecordId } from './orders.ts'

/**
 * The user who did something. `you`: the caller's user; `here`: the caller's session too, which distinguishes this
 * screen from others of a shared account.
 */
export const Actor = z.object({ name: z.string(), you: z.boolean(), here: z.boolean() })
export type Actor = z.infer<typeof Actor>

/**
 * One event in the history of an order.
 * - `received`: the order was created, in Airtable, by the API, or by a person
 * - `status`: the status changed from `from` to `to`
 * - `content`: other columns changed in Airtable; by the `system`, they were emptied because the time for which they are
 *   kept is over; `columns` names them
 * - `refused`, `conflict`: a change of the status failed, see `OrderNotice`; `to` is the requested status
 * - `message`: Meta has reported of the WhatsApp message `from`, a kind of notice, that it is `to`: `sent`, `delivered`,
 *   `read` or `failed`
 * - `pickup`: the pickup state changed; `from` and `to` are `OrderPickup`
 */
export const OrderEvent = z.object({
  at: z.string(),
  kind: z.enum(['received', 'status', 'content', 'refused', 'conflict', 'message', 'pickup']),
  source: z.enum(['person', 'airtable', 'api', 'system']),
  who: z.nullable(Actor),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  columns: z.array(z.string()),
})
export type OrderEvent = z.infer<typeof OrderEvent>

/** The longest note in characters, and the most notes of an order. */
export const NOTE_LENGTH = 2_000
export const MAX_NOTES = 50

/** A private note of the pharmacy. It is never sent to Airtable or to the customer. */
export const OrderNote = z.object({
  id: z.uuid(),
  text: z.string(),
  /** The author, or the user who changed the note last. */
  who: z.nullable(Actor),
  at: z.string(),
  /** The time of the last change; null if there was none. */
  changedAt: z.nullable(z.string()),
})
export type OrderNote = z.infer<typeof OrderNote>

/** The longest reason in characters. */
export const HOLD_REASON_LENGTH = 200

/** Why an order keeps its customer's data for longer than others, since when, and who has decided it. */
export const OrderHold = z.object({
  reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(HOLD_REASON_LENGTH)),
  who: z.nullable(Actor),
  at: z.string(),
})
export type OrderHold = z.infer<typeof OrderHold>

/** The most earlier orders shown for a customer. */
export const MAX_EARLIER_ORDERS = 10

/**
 * A column of which the order shows what was last known: it is `missing` in Airtable's table, or `unreadable` in its
 * record.
 */
export const OutdatedColumn = z.object({
  column: z.string(),
  reason: z.enum(['missing', 'unreadable']),
})
export type OutdatedColumn = z.infer<typeof OutdatedColumn>

/** An order with its details. The history and the earlier orders are newest first, the notes oldest first. */
export const OrderDetails = z.object({
  order: OrderRecord,
  outdated: z.array(OutdatedColumn),
  history: z.array(OrderEvent),
  notes: z.array(OrderNote),
  /** Null: the customer's data are deleted when their time is over, or on request. */
  hold: z.nullable(OrderHold),
  /** Other orders of the same telephone number: their count, and the newest ten. */
  earlier: z.object({
    count: z.int(),
    records: z.array(OrderRecord).check(z.maxLength(MAX_EARLIER_ORDERS)),
  }),
})
export type OrderDetails = z.infer<typeof OrderDetails>

export const getOrder = endpoint({
  method: 'GET',
  path: '/api/orders/:recordId',
  summary: 'Get an order with its history, notes and the other orders of its phone number',
  access: 'pharmacy',
  supportSession: 'masked',
  params: z.object({ recordId: RecordId }),
  response: OrderDetails,
  errors: ['orders.not_found'],
})

const NoteText = z.string().check(z.trim(), z.minLength(1), z.maxLength(NOTE_LENGTH))

export const addOrderNote = endpoint({
  method: 'POST',
  path: '/api/orders/:recordId/notes',
  summary: 'Add a private note to an order',
  access: 'pharmacy',
  audit: 'order_note_added',
  params: z.object({ recordId: RecordId }),
  body: z.strictObject({ text: NoteText }),
  response: OrderNote,
  errors: ['orders.not_found', 'orders.too_many_notes'],
})

const noteParams = z.object({ recordId: RecordId, noteId: z.uuid() })

export const changeOrderNote = endpoint({
  method: 'PATCH',
  path: '/api/orders/:recordId/notes/:noteId',
  summary: 'Update a private note',
  access: 'pharmacy',
  audit: 'order_note_changed',
  params: noteParams,
  body: z.strictObject({ text: NoteText }),
  response: OrderNote,
  errors: ['orders.note_not_found'],
})

export const removeOrderNote = endpoint({
  method: 'DELETE',
  path: '/api/orders/:recordId/notes/:noteId',
  summary: 'Delete a private note',
  access: 'pharmacy',
  audit: 'order_note_removed',
  params: noteParams,
  response: z.object({}),
  errors: ['orders.note_not_found'],
})

/** Records that the codes of a prescription were shown to the reader of the counter. The codes are not part of it. */
export const recordShownCodes = endpoint({
  method: 'POST',
  path: '/api/orders/shown-codes',
  summary: 'Record that codes of a prescription were shown to a reader',
  access: 'pharmacy',
  audit: 'prescription_codes_shown',
  body: z.strictObject({
    /** The order that the codes belong to; null while it does not exist. */
    recordId: z.nullable(RecordId),
  }),
  response: z.object({}),
  errors: ['orders.not_found'],
})
