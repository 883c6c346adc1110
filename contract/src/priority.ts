import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { OrderStatus, RecordId } from './orders.ts'

/**
 * The states of a customer's priority session: the customer has a link (`link_sent`), said that they are coming
 * (`on_the_way`), waits at the pharmacy (`user_arrived`), was called by a desk (`called`). The others have ended.
 */
export const PriorityStatus = z.enum([
  'link_sent',
  'on_the_way',
  'user_arrived',
  'called',
  'served',
  'no_show',
  'cancelled',
  'expired',
])
export type PriorityStatus = z.infer<typeof PriorityStatus>

/**
 * The states to which the staff can move a priority session from each state. Back to `link_sent`: the customer was not
 * there.
 */
export const staffTransitions: Readonly<Record<PriorityStatus, readonly PriorityStatus[]>> = {
  // To `user_arrived`: a customer who was sent back is there, and waits since their arrival.
  link_sent: ['user_arrived', 'cancelled'],
  on_the_way: ['cancelled'],
  user_arrived: ['called', 'link_sent', 'no_show'],
  // Back to `user_arrived`: the call was a mistake, or the customer has to wait again.
  called: ['user_arrived', 'link_sent', 'served', 'no_show'],
  served: [],
  no_show: [],
  cancelled: [],
  expired: [],
}

/** Time in which a change of the staff can be taken back with 'Annulla'. */
export const UNDO_MS = 10_000
/** Time for which a customer who was not there cannot say again that they have arrived. */
export const NOT_PRESENT_COOLDOWN_MS = 3 * 60_000
/** A customer who was not there is sent back; at this time the priority session ends as `no_show` instead. */
export const MAX_NOT_PRESENT = 3

export const DESK_NAME_LENGTH = 30

/** The name of a desk, for example 'Banco 2'. */
export const DeskName = z.string().check(z.trim(), z.minLength(1), z.maxLength(DESK_NAME_LENGTH))

/** A priority session as the staff see it. Times are ISO 8601 in UTC, null before the state was reached. */
export const PrioritySession = z.object({
  id: z.uuid(),
  recordId: RecordId,
  orderNumber: z.nullable(z.string()),
  customerName: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  status: PriorityStatus,
  /** Three digits, which the customer shows; null before the arrival. */
  code: z.nullable(z.string().check(z.regex(/^\d{3}$/))),
  /** Where the customer waits, for example 'In auto, posto 4'; null at the counter. */
  place: z.nullable(z.string()),
  onTheWayAt: z.nullable(z.string()),
  arrivedAt: z.nullable(z.string()),
  /** When an operator took note of the arrival, on any screen. */
  acknowledgedAt: z.nullable(z.string()),
  calledAt: z.nullable(z.string()),
  calledBy: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
  /** How often the customer was not there when called. */
  timesNotPresent: z.int(),
  /** When the present status was reached. */
  changedAt: z.string(),
  /** Increases with every change of the status. */
  version: z.int(),
})
export type PrioritySession = z.infer<typeof PrioritySession>

/** Minutes. `low` and `high` are rounded to five minutes. */
export const WaitingTime = z.object({ low: z.int(), high: z.int() })
export type WaitingTime = z.infer<typeof WaitingTime>

export const PriorityBoard = z.object({
  /** In the order of arrival. */
  waiting: z.array(PrioritySession),
  onTheWay: z.array(PrioritySession),
  /** Not there today, and not arrived again; the newest first. */
  sentBack: z.array(PrioritySession),
  /** Called today, newest call first; ended ones too. */
  completed: z.array(PrioritySession),
  /** Minutes of waiting after which an arrival is late. */
  lateMinutes: z.int(),
})
export type PriorityBoard = z.infer<typeof PriorityBoard>

const guard = { access: 'pharmacy', feature: 'priority_access' } as const

export const getPriorityBoard = endpoint({
  method: 'GET',
  path: '/api/priority/board',
  summary: 'Get the customers who wait, are on their way or were called today',
  ...guard,
  supportSession: 'masked',
  response: PriorityBoard,
  errors: [],
})

/** The version of the priority session that the staff saw. */
const version = z.int().check(z.minimum(1))

/**
 * Moves a priority session from one state to another. Of several concurrent calls one succeeds; the others get
 * `priority.changed_meanwhile` with the present `status` and the `desk` that called, if any.
 */
export const changePrioritySession = endpoint({
  method: 'POST',
  path: '/api/priority/sessions/:prioritySessionId/status',
  summary: 'Call a customer, or change the state of a priority session otherwise',
  audit: { none: 'priority sessions of customers have a history of their own' },
  ...guard,
  params: z.object({ prioritySessionId: z.uuid() }),
  body: z.strictObject({
    from: PriorityStatus,
    to: PriorityStatus,
    version,
    desk: z.nullable(DeskName),
  }),
  response: PrioritySession,
  errors: ['priority.not_found', 'priority.changed_meanwhile', 'priority.no_such_change'],
})

/**
 * Gives a priority session the state back that it had before the staff changed it a moment ago, with all of its times.
 * It fails with `priority.changed_meanwhile` when the priority session was changed since, or the moment is over.
 */
export const undoPriorityChange = endpoint({
  method: 'POST',
  path: '/api/priority/sessions/:prioritySessionId/undo',
  summary: 'Take back the last change of a priority session',
  audit: { none: 'priority sessions of customers have a history of their own' },
  ...guard,
  params: z.object({ prioritySessionId: z.uuid() }),
  body: z.strictObject({ version }),
  response: PrioritySession,
  errors: ['priority.not_found', 'priority.changed_meanwhile'],
})

/** The most orders of one call. */
export const MAX_ISSUED_LINKS = 50

/** The link of an order's customer. `url` holds the secret token after its `#`. */
export const PriorityLink = z.object({
  recordId: RecordId,
  prioritySessionId: z.uuid(),
  orderNumber: z.nullable(z.string()),
  /** For the staff, to tell the links apart; null for an API key, whose owner knows the order. */
  customerName: z.nullable(z.string()),
  url: z.url(),
  /** For WhatsApp, digits only; null where the order has no telephone number. */
  whatsAppNumber: z.nullable(z.string()),
  /** The text of the WhatsApp message, with the link. */
  message: z.string(),
  /** ISO 8601. */
  expiresAt: z.string(),
})
export type PriorityLink = z.infer<typeof PriorityLink>

export const issuePriorityLinks = endpoint({
  method: 'POST',
  path: '/api/priority-sessions',
  summary: 'Issue the links of orders',
  audit: { none: 'priority sessions of customers have a history of their own' },
  description: `The customer of the order opens the link and says with one press that they are at the pharmacy. \
Issuing again for the same order gives another link to the same priority session. Send the API key of the pharmacy as bearer token.`,
  access: 'pharmacy-or-key',
  body: z.strictObject({
    recordIds: z.array(RecordId).check(z.minLength(1), z.maxLength(MAX_ISSUED_LINKS)),
  }),
  example: { recordIds: ['recA1b2C3d4E5f6G7'] },
  response: z.object({
    links: z.array(PriorityLink),
    /** Orders that do not exist, or are cancelled. */
    refused: z.array(RecordId),
  }),
  status: 201,
  errors: ['access.denied', 'priority.too_many'],
})

export const PRIORITY_MESSAGE_LENGTH = 500

/** How a pharmacy uses priority access. */
export const PrioritySettings = z.strictObject({
  /** Days for which a link is valid. */
  linkDays: z.int().check(z.minimum(1), z.maximum(30)),
  /** Orders that get this status get a priority session by themselves; null: none do. */
  issueOnStatus: z.nullable(OrderStatus),
  /** Minutes of waiting after which an arrival is late. */
  lateMinutes: z.int().check(z.minimum(1), z.maximum(120)),
  /** The text of the WhatsApp message. `{link}` stands for the link, and is required; `{farmacia}` for the name. */
  message: z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(PRIORITY_MESSAGE_LENGTH),
    z.refine((text) => text.includes('{link}')),
  ),
})
export type PrioritySettings = z.infer<typeof PrioritySettings>

export const initialPrioritySettings: PrioritySettings = {
  linkDays: 7,
  issueOnStatus: null,
  lateMinutes: 10,
  message:
    'Buongiorno, all’arrivo da {farmacia} basta aprire questo link e premere "Sono in farmacia": la chiamata arriva appena possibile. {link}',
}

export const getPrioritySettings = endpoint({
  method: 'GET',
  path: '/api/priority/settings',
  summary: 'Get how the pharmacy uses priority access',
  ...guard,
  supportSession: 'shown',
  response: PrioritySettings,
  errors: [],
})

export const changePrioritySettings = endpoint({
  method: 'PUT',
  path: '/api/priority/settings',
  summary: 'Change how the pharmacy uses priority access',
  audit: 'priority_settings_changed',
  ...guard,
  role: 'owner',
  body: PrioritySettings,
  response: PrioritySettings,
  errors: [],
})

/** A screen in the room, which shows the codes of those who were called. */
export const PriorityDisplay = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.string(),
  /** Accurate to the minute; null if it was never opened. */
  lastSeenAt: z.nullable(z.string()),
})
export type PriorityDisplay = z.infer<typeof PriorityDisplay>

export const MAX_DISPLAYS = 10

export const listPriorityDisplays = endpoint({
  method: 'GET',
  path: '/api/priority/displays',
  summary: 'List the displays of the pharmacy',
  ...guard,
  response: z.object({ displays: z.array(PriorityDisplay) }),
  errors: [],
})

/** Only this response contains the link of the display, with its token after the `#`. */
export const createPriorityDisplay = endpoint({
  method: 'POST',
  path: '/api/priority/displays',
  summary: 'Create the link of a display',
  audit: 'priority_display_added',
  ...guard,
  role: 'owner',
  body: z.strictObject({
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(DESK_NAME_LENGTH)),
  }),
  response: z.extend(PriorityDisplay, { url: z.url() }),
  status: 201,
  errors: ['priority.too_many_displays'],
})

export const removePriorityDisplay = endpoint({
  method: 'DELETE',
  path: '/api/priority/displays/:displayId',
  summary: 'Remove a display; its link ends at once',
  audit: 'priority_display_removed',
  ...guard,
  role: 'owner',
  params: z.object({ displayId: z.uuid() }),
  response: z.object({}),
  errors: ['priority.display_not_found'],
})
