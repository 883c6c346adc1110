import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * The notices about an order.
 * - `ready`: it is ready to be collected; `part`: a part of it is
 * - `reminder`: it is ready, and was not collected in time
 * - `received`: it has come in while the pharmacy is closed
 * - `link`: the link of priority access
 * - `call`: a desk has called the customer
 */
export const NoticeKind = z.enum(['ready', 'part', 'reminder', 'received', 'link', 'call'])
export type NoticeKind = z.infer<typeof NoticeKind>

/**
 * How far a message is. From `sent` on it is what Meta has reported by webhook.
 * - `queued`: it is sent at `dueAt`; `reason` says what it waits for
 * - `sending`: Meta is being asked
 * - `unsure`: Meta did not respond, and may have sent it
 * - `accepted`: Meta has taken it, and has reported nothing yet
 * - `held_back`: it is not sent by itself, for that `reason`
 */
export const MessageState = z.enum([
  'queued',
  'sending',
  'unsure',
  'accepted',
  'sent',
  'delivered',
  'read',
  'failed',
  'held_back',
])
export type MessageState = z.infer<typeof MessageState>

/**
 * What a message waits for, or why it was not sent.
 * - waits: `hours`, `budget`, `quality`, `connection`, `template`, `rate`, `person` (Meta delivers no notices to this
 *   person for a day), `no_response`
 * - either: what the pharmacy can mend at Meta: `payment`, `name`, `registration` (see `MessageRefusal`)
 * - ends: `own_number` (the order has that of the pharmacy), `policy` (against Meta's rules), `off`, `no_consent`, `no_number` (the order has none), `not_on_whatsapp`, `medicine` (the order holds medicines),
 *   `unknown_products` (it may hold some), `monthly_limit`, `cancelled`, `outdated` (the order is not ready, or not overdue, any more), `window_closed`, `late`, `refused`,
 *   `restricted`
 */
export const MessageReason = z.enum([
  'hours',
  'budget',
  'quality',
  'connection',
  'template',
  'rate',
  'person',
  'no_response',
  'payment',
  'name',
  'registration',
  'own_number',
  'policy',
  'off',
  'no_consent',
  'no_number',
  'not_on_whatsapp',
  'medicine',
  'unknown_products',
  'monthly_limit',
  'cancelled',
  'outdated',
  'window_closed',
  'late',
  'refused',
  'restricted',
])
export type MessageReason = z.infer<typeof MessageReason>

const guard = { access: 'pharmacy', feature: 'whatsapp_integration' } as const

export const MIN_DAILY_LIMIT = 1
export const MAX_DAILY_LIMIT = 1_000
export const INITIAL_DAILY_LIMIT = 100

export const MAX_MONTHLY_LIMIT = 100_000

/** Free texts of a number and month for which Meta asks nothing, since October 2026. Templates cost from the first on. */
export const FREE_TEXTS_PER_MONTH = 1_000

/** The most that one message may cost, in euros. */
export const MAX_MESSAGE_PRICE = 1

/** The most reminders about one order. */
export const MAX_REMINDERS = 2

const Chosen = z.object({
  /** Whether orders are announced by themselves when they are ready. */
  announcesReady: z.boolean(),
  /** Whether customers are reminded by themselves of ready orders that are overdue. */
  sendsReminders: z.boolean(),
  /** Whether an order that comes in while the pharmacy is closed is answered at once. */
  answersClosed: z.boolean(),
  /** Whether links of priority access can be sent. */
  sendsLinks: z.boolean(),
  /** Whether customers get a notice when a desk calls them. */
  sendsCalls: z.boolean(),
  /** Whether customers are addressed by 'tu', not by 'Lei'. */
  saysTu: z.boolean(),
  /** The most notices of a day in Rome. */
  dailyLimit: z.int().check(z.minimum(MIN_DAILY_LIMIT), z.maximum(MAX_DAILY_LIMIT)),
  /** The most messages of a month that cost something, after which no notice is sent by itself; null: no limit. */
  monthlyLimit: z.nullable(z.int().check(z.minimum(0), z.maximum(MAX_MONTHLY_LIMIT))),
  /** What Meta asks for a message, in euros without VAT; null: the owner has not entered it. */
  messagePrice: z.nullable(
    z.number().check(z.minimum(0), z.maximum(MAX_MESSAGE_PRICE), z.multipleOf(0.0001)),
  ),
})

/** What a message to a customer is: a notice, a reply of the staff, or the answer to a wish. */
export const SentKind = z.enum([...NoticeKind.options, 'reply', 'answer'])
export type SentKind = z.infer<typeof SentKind>

/** The messages of a month in Rome that Meta has accepted. */
export const MessageUsage = z.object({
  kinds: z.array(z.object({ kind: SentKind, count: z.int() })),
  /** Those of free text, of which the first `FREE_TEXTS_PER_MONTH` cost nothing. */
  texts: z.int(),
  /** Those that cost something: templates, and free texts beyond the free ones. */
  paid: z.int(),
})
export type MessageUsage = z.infer<typeof MessageUsage>

/** A template at Meta. `status` and `category` are Meta's words, for example `APPROVED` and `UTILITY`. */
export const MessageTemplate = z.object({
  name: z.string(),
  kind: NoticeKind,
  /** The text with sample values. */
  preview: z.string(),
  /** Null: not known yet. */
  status: z.nullable(z.string()),
  category: z.nullable(z.string()),
})
export type MessageTemplate = z.infer<typeof MessageTemplate>

export const WhatsAppMessages = z.extend(Chosen, {
  isOn: z.boolean(),
  /** Why Bancone has switched the messages off: Meta has restricted the account, or has refused messages three times. */
  stoppedFor: z.nullable(z.enum(['restricted', 'policy'])),
  /** The last acceptance; null: none. */
  acceptance: z.nullable(
    z.object({ version: z.int(), by: z.nullable(z.string()), at: z.string() }),
  ),
  templates: z.array(MessageTemplate),
  /** The notices that Meta has accepted today. */
  sentToday: z.int(),
  /** The notices that wait. */
  waiting: z.int(),
  usage: MessageUsage,
  /** Whether the profile has the hours without which no order is answered while the pharmacy is closed. */
  hasOpeningHours: z.boolean(),
})
export type WhatsAppMessages = z.infer<typeof WhatsAppMessages>

export const getWhatsAppMessages = endpoint({
  method: 'GET',
  path: '/api/whatsapp/messages',
  summary: 'Get how the pharmacy sends WhatsApp messages',
  ...guard,
  response: WhatsAppMessages,
  errors: [],
})

/** Switches the messages on. `version`: that of the terms which the owner has read. */
export const acceptWhatsAppTerms = endpoint({
  method: 'POST',
  path: '/api/whatsapp/messages/acceptances',
  summary: 'Accept what WhatsApp messages mean, and switch them on',
  audit: 'whatsapp_terms_accepted',
  ...guard,
  role: 'owner',
  body: z.strictObject({ version: z.int() }),
  response: WhatsAppMessages,
  errors: ['whatsapp.not_connected', 'whatsapp.other_terms'],
})

export const switchOffWhatsAppMessages = endpoint({
  method: 'DELETE',
  path: '/api/whatsapp/messages',
  summary: 'Switch the WhatsApp messages off; those that wait are not sent',
  audit: 'whatsapp_messages_off',
  ...guard,
  role: 'owner',
  response: WhatsAppMessages,
  errors: [],
})

export const changeWhatsAppMessages = endpoint({
  method: 'PUT',
  path: '/api/whatsapp/messages',
  summary: 'Change what is sent over WhatsApp',
  audit: 'whatsapp_messages_changed',
  ...guard,
  role: 'owner',
  body: z.strictObject(Chosen.shape),
  response: WhatsAppMessages,
  errors: ['whatsapp.messages_off'],
})
