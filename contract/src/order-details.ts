import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { OrderRecord, RecordId } from './orders.ts'

/**
 * Who did something. `you`: the same user as who asks; `here`: in the same session too, so that another
 * screen of a shared account can be told from this one.
 */
export const Actor = z.object({ name: z.string(), you: z.boolean(), here: z.boolean() })
export type Actor = z.infer<typeof Actor>

/**
 * One thing that happened to an order.
 * - `received`: it came in; from Airtable, by the API, or typed in by a person
 * - `status`: from one state to another
 * - `content`: other columns changed in the store; `columns` names them
 * - `refused`, `conflict`: a change did not come to pass, see `OrderNotice`; `to` is what was wanted
 */
export const OrderEvent = z.object({
  at: z.string(),
  kind: z.enum(['received', 'status', 'content', 'refused', 'conflict']),
  source: z.enum(['person', 'airtable', 'api', 'system']),
  who: Actor.nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  columns: z.array(z.string()),
})
export type OrderEvent = z.infer<typeof OrderEvent>

/** The longest note, in characters, and the most that an order has. */
export const NOTE_LENGTH = 2_000
export const MOST_NOTES = 50

/** For the pharmacy's own eyes: it never leaves for the order store or the customer. */
export const OrderNote = z.object({
  id: z.uuid(),
  text: z.string(),
  /** Who wrote it, or changed it last. */
  who: Actor.nullable(),
  at: z.string(),
  /** When it was last changed; null if it never was. */
  changedAt: z.string().nullable(),
})
export type OrderNote = z.infer<typeof OrderNote>

/** The most earlier orders that are shown of a customer. */
export const MOST_EARLIER = 10

/** What the details of an order tell beside the order. Newest first, but for the notes: oldest first. */
export const OrderDetails = z.object({
  order: OrderRecord,
  history: z.array(OrderEvent),
  notes: z.array(OrderNote),
  /** Other orders of the same telephone number: how many there are, and the newest ten. */
  earlier: z.object({ count: z.number().int(), records: z.array(OrderRecord).max(MOST_EARLIER) }),
})
export type OrderDetails = z.infer<typeof OrderDetails>

export const getOrder = endpoint({
  method: 'GET',
  path: '/api/orders/:recordId',
  summary: 'An order with its history, its notes and the other orders of its telephone number',
  access: 'pharmacy',
  params: z.object({ recordId: RecordId }),
  response: OrderDetails,
  errors: ['orders.not_found'],
})

const NoteText = z.string().trim().min(1).max(NOTE_LENGTH)

export const addOrderNote = endpoint({
  method: 'POST',
  path: '/api/orders/:recordId/notes',
  summary: 'Adds a private note to an order',
  access: 'pharmacy',
  params: z.object({ recordId: RecordId }),
  body: z.strictObject({ text: NoteText }),
  response: OrderNote,
  errors: ['orders.not_found', 'orders.too_many_notes'],
})

const ofNote = z.object({ recordId: RecordId, noteId: z.uuid() })

export const changeOrderNote = endpoint({
  method: 'PATCH',
  path: '/api/orders/:recordId/notes/:noteId',
  summary: 'Changes a private note',
  access: 'pharmacy',
  params: ofNote,
  body: z.strictObject({ text: NoteText }),
  response: OrderNote,
  errors: ['orders.note_not_found'],
})

export const removeOrderNote = endpoint({
  method: 'DELETE',
  path: '/api/orders/:recordId/notes/:noteId',
  summary: 'Removes a private note',
  access: 'pharmacy',
  params: ofNote,
  response: z.object({}),
  errors: ['orders.note_not_found'],
})
