import { z } from 'zod/mini'
import { MAX_BULK_CHANGES } from './bulk-changes.ts'
import { endpoint } from './endpoint.ts'
import { optionalText } from './optional-text.ts'
import { OrderPickup, RecordId } from './orders.ts'

/** `was`: the state known to the caller. The order is left as it is when it has another one by now. */
export const PickupChange = z.strictObject({
  recordId: RecordId,
  to: OrderPickup,
  was: z.optional(OrderPickup),
})
export type PickupChange = z.infer<typeof PickupChange>

/** Sets the pickup state of several orders, each independently of the others. */
export const changeOrdersPickup = endpoint({
  method: 'POST',
  path: '/api/orders/pickup',
  summary: 'Mark orders as ready or collected',
  access: 'pharmacy',
  audit: { none: 'orders have a history of their own' },
  body: z.strictObject({
    changes: z.array(PickupChange).check(z.minLength(1), z.maxLength(MAX_BULK_CHANGES)),
  }),
  response: z.object({
    /** The orders that have the state now, with the one that they had, which may be the same. */
    changed: z.array(z.object({ recordId: RecordId, from: OrderPickup, to: OrderPickup })),
    /** The orders that stay as they are. `now` is the state that another user has set; null: the order does not exist. */
    left: z.array(z.object({ recordId: RecordId, now: z.nullable(OrderPickup) })),
  }),
  errors: [],
})

/** The longest line of an order that can be marked as there. */
const MAX_LINE_LENGTH = 4_000

/**
 * Marks one line of an order as there or not there. With its last line the order becomes ready; a ready order of which a
 * line is not there has all others. The request is refused if the line has another text by now, or the order has left.
 */
export const changeOrderLine = endpoint({
  method: 'PUT',
  path: '/api/orders/:recordId/lines',
  summary: 'Mark a line of an order as there',
  access: 'pharmacy',
  audit: { none: 'orders have a history of their own' },
  params: z.object({ recordId: RecordId }),
  /** `place` and `text` as in `orderLines` of the text that the user sees. */
  body: z.strictObject({
    place: z.int().check(z.minimum(0), z.maximum(100_000)),
    text: z.string().check(z.maxLength(MAX_LINE_LENGTH)),
    isThere: z.boolean(),
  }),
  response: z.object({
    /** The state of the order before, and now. */
    from: OrderPickup,
    to: OrderPickup,
  }),
  errors: ['orders.not_found', 'orders.lines_changed'],
})

/** A status that can say that an order is ready for its customer. */
export const ReadyStatus = z.enum(['Confermato', 'Prenotato in Giornata', 'Prenotato Domani'])

export const PickupSettings = z.strictObject({
  /** An order that gets this status is ready; null: only a press makes it ready. */
  readyStatus: z.nullable(ReadyStatus),
  /** Days after which a ready order is overdue. */
  overdueDays: z.int().check(z.minimum(1), z.maximum(60)),
})
export type PickupSettings = z.infer<typeof PickupSettings>

export const getPickupSettings = endpoint({
  method: 'GET',
  path: '/api/orders/pickup-settings',
  summary: 'Read when orders count as ready',
  access: 'pharmacy',
  response: PickupSettings,
  errors: [],
})

export const changePickupSettings = endpoint({
  method: 'PUT',
  path: '/api/orders/pickup-settings',
  summary: 'Change when orders count as ready',
  access: 'pharmacy',
  role: 'owner',
  audit: 'pickup_settings_changed',
  body: PickupSettings,
  response: PickupSettings,
  errors: [],
})

const ColumnName = optionalText(100)

/** The columns of the base into which the moments of an order are written as well; null: into none. */
export const PickupColumns = z.strictObject({
  ready: ColumnName,
  collected: ColumnName,
  putBack: ColumnName,
})
export type PickupColumns = z.infer<typeof PickupColumns>

const KnownColumns = z.object({
  /** Null: the orders of the pharmacy are not in Airtable. */
  columns: z.nullable(
    z.object({
      ready: z.nullable(z.string()),
      collected: z.nullable(z.string()),
      putBack: z.nullable(z.string()),
    }),
  ),
  /** Those of them that Airtable refused when they were last written or looked for. */
  refused: z.array(z.string()),
})

export const getPickupColumns = endpoint({
  method: 'GET',
  path: '/api/orders/pickup-columns',
  summary: 'Read the columns of the base for the moments of orders',
  access: 'pharmacy',
  role: 'owner',
  response: KnownColumns,
  errors: [],
})

/** Saved also where the base does not have the columns: `refused` says so. */
export const changePickupColumns = endpoint({
  method: 'PUT',
  path: '/api/orders/pickup-columns',
  summary: 'Name the columns of the base for the moments of orders',
  access: 'pharmacy',
  role: 'owner',
  audit: 'pickup_columns_changed',
  body: PickupColumns,
  response: KnownColumns,
  errors: ['orders.not_on_airtable', 'orders.column_in_use'],
})

/** Keeps a ready order for its customer until the end of a day. Without a day (null) it is overdue like others. */
export const keepOrderUntil = endpoint({
  method: 'PUT',
  path: '/api/orders/:recordId/kept-until',
  summary: 'Keep a ready order for its customer until a day',
  access: 'pharmacy',
  audit: { none: 'a day to be reminded of, which changes nothing of the order' },
  params: z.object({ recordId: RecordId }),
  body: z.strictObject({ until: z.nullable(z.iso.date()) }),
  response: z.object({}),
  errors: ['orders.not_found'],
})

/** Notes the day on which the rest of an order is expected; null: no day. */
export const expectOrderOn = endpoint({
  method: 'PUT',
  path: '/api/orders/:recordId/expected-on',
  summary: 'Note the day on which the rest of an order is expected',
  access: 'pharmacy',
  audit: { none: 'a day to be reminded of, which changes nothing of the order' },
  params: z.object({ recordId: RecordId }),
  body: z.strictObject({ day: z.nullable(z.iso.date()) }),
  response: z.object({}),
  errors: ['orders.not_found'],
})
