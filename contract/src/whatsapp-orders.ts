import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { RecordId } from './orders.ts'
import { MessageReason, MessageState, NoticeKind } from './whatsapp-messages.ts'

const guard = { access: 'pharmacy', feature: 'whatsapp_integration' } as const

export const Consent = z.object({
  isGiven: z.boolean(),
  /** `counter`: recorded by the staff; `message`: written by the customer. */
  channel: z.enum(['counter', 'message']),
  /** The user who recorded it; null for a message, or when they do not exist any more. */
  by: z.nullable(z.string()),
  at: z.string(),
  /** What the customer was asked, or what they wrote. */
  wording: z.string(),
})
export type Consent = z.infer<typeof Consent>

export const CustomerNotice = z.object({
  id: z.uuid(),
  kind: NoticeKind,
  state: MessageState,
  reason: z.nullable(MessageReason),
  isAutomatic: z.boolean(),
  /** When it is sent at the earliest. */
  dueAt: z.string(),
  /** When its state was reached, as far as it is known. */
  at: z.string(),
})
export type CustomerNotice = z.infer<typeof CustomerNotice>

/**
 * What a message is.
 * - `order`: products of the catalogue at WhatsApp
 * - `system`: WhatsApp says something of the customer, for example another number
 * - `edit`: an earlier message with another text; `deletion`: of an earlier message
 * - `other`: of a type that is not known, or that Meta does not deliver
 */
export const MessageContent = z.enum([
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'order',
  'system',
  'edit',
  'deletion',
  'other',
])
export type MessageContent = z.infer<typeof MessageContent>

/** A message between the pharmacy and a customer. */
export const ChatMessage = z.object({
  id: z.uuid(),
  from: z.enum(['customer', 'pharmacy']),
  at: z.string(),
  content: MessageContent,
  /** What is written, also with a picture or another file, which is not fetched; null: nothing. */
  text: z.nullable(z.string()),
  /** What was done to it later. An edited message keeps the text that it had. */
  change: z.nullable(z.enum(['edited', 'deleted'])),
  /** Of a message of the pharmacy. Null: it was written in the WhatsApp Business app. */
  state: z.nullable(MessageState),
  reason: z.nullable(MessageReason),
  /**
   * Whether an order can be made of it, or was made. Null: it is no text of the customer, gives or ends a consent, or was
   * dismissed as a draft.
   */
  order: z.nullable(z.enum(['possible', 'made'])),
})
export type ChatMessage = z.infer<typeof ChatMessage>

/** What concerns WhatsApp in the details of an order. */
export const OrderWhatsApp = z.object({
  /** The pharmacy sends messages. */
  isOn: z.boolean(),
  /** Whether it is known whom to write to: the order has a valid number, or the customer has written. */
  isReachable: z.boolean(),
  /** The latest consent or withdrawal; null: none. */
  consent: z.nullable(Consent),
  /** Earlier ones too, newest first. */
  consents: z.array(Consent),
  /** The question to ask at the counter, with its version. */
  question: z.object({ version: z.int(), text: z.string() }),
  /** The newest notice of each kind. */
  notices: z.array(CustomerNotice),
  /** Why the notice is not sent by itself; null: it may be. */
  products: z.nullable(z.enum(['medicine', 'unknown_products'])),
  /** Some of its lines are there, and not all. */
  isPartlyReady: z.boolean(),
  /** How many reminders can still be sent; 0 unless the order is overdue. */
  remindersLeft: z.int(),
  /** Links of priority access can be sent. */
  sendsLinks: z.boolean(),
  /** Until when a reply can be written: 24 hours after the customer's last message. Null: not now. */
  windowEndsAt: z.nullable(z.string()),
  /** Of the last 30 days, oldest first. */
  conversation: z.array(ChatMessage),
})
export type OrderWhatsApp = z.infer<typeof OrderWhatsApp>

const params = z.object({ recordId: RecordId })

export const getOrderWhatsApp = endpoint({
  method: 'GET',
  path: '/api/whatsapp/orders/:recordId',
  summary: 'Get consent, notices and conversation of the customer of an order',
  ...guard,
  params,
  response: OrderWhatsApp,
  errors: ['orders.not_found'],
})

/** `isGiven` false: the customer does not want notices any more. `version`: that of the question. */
export const recordWhatsAppConsent = endpoint({
  method: 'POST',
  path: '/api/whatsapp/orders/:recordId/consents',
  summary: 'Record what the customer of an order has said at the counter',
  audit: { none: 'consents have a history of their own' },
  ...guard,
  params,
  body: z.strictObject({ isGiven: z.boolean(), version: z.int() }),
  response: OrderWhatsApp,
  errors: [
    'orders.not_found',
    'whatsapp.messages_off',
    'whatsapp.unreachable',
    'whatsapp.other_terms',
    'orders.changed_meanwhile',
  ],
})

/** A notice that a person can ask for. */
export const AskedNotice = z.enum(['ready', 'part', 'reminder', 'link'])
export type AskedNotice = z.infer<typeof AskedNotice>

/**
 * Sends a notice after half a minute, in which it can be taken back. `now`: also outside the hours of the day. A notice
 * is sent once, and again only after a failure; a reminder twice.
 */
export const sendOrderNotice = endpoint({
  method: 'POST',
  path: '/api/whatsapp/orders/:recordId/notices',
  summary: 'Send a notice to the customer of an order',
  audit: { none: 'messages have a history of their own' },
  ...guard,
  params,
  body: z.strictObject({
    kind: AskedNotice,
    now: z._default(z.boolean(), false),
  }),
  response: OrderWhatsApp,
  errors: [
    'orders.not_found',
    'whatsapp.messages_off',
    'whatsapp.unreachable',
    'whatsapp.no_consent',
    'whatsapp.no_order_number',
    'whatsapp.reminded_twice',
    'orders.changed_meanwhile',
  ],
})

export const cancelOrderNotice = endpoint({
  method: 'DELETE',
  path: '/api/whatsapp/orders/:recordId/notices/:noticeId',
  summary: 'Take back a notice that has not been sent',
  audit: { none: 'nothing has been sent' },
  ...guard,
  params: z.extend(params, { noticeId: z.uuid() }),
  response: OrderWhatsApp,
  errors: ['orders.not_found', 'whatsapp.notice_gone'],
})

/** A customer of whom the staff have not read everything. */
export const UnreadCustomer = z.object({
  /** Of the customer's newest order. */
  recordId: RecordId,
  number: z.nullable(z.string()),
  name: z.nullable(z.string()),
  /** When the customer wrote last. */
  at: z.string(),
})
export type UnreadCustomer = z.infer<typeof UnreadCustomer>

export const listUnreadCustomers = endpoint({
  method: 'GET',
  path: '/api/whatsapp/unread',
  summary: 'List the customers with an order whose last message has not been read, newest first',
  ...guard,
  response: z.object({ customers: z.array(UnreadCustomer) }),
  errors: [],
})

/** `until`: when the last message was written that was shown. */
export const markCustomerRead = endpoint({
  method: 'POST',
  path: '/api/whatsapp/orders/:recordId/read',
  summary: 'Mark the messages of the customer of an order as read',
  audit: { none: 'marks what has been read' },
  ...guard,
  params,
  body: z.strictObject({ until: z.iso.datetime() }),
  response: z.object({}),
  errors: ['orders.not_found'],
})

export const REPLY_LENGTH = 1_000

/** Refused where the text names what was ordered, or a medicine. */
export const sendWhatsAppReply = endpoint({
  method: 'POST',
  path: '/api/whatsapp/orders/:recordId/replies',
  summary: 'Reply to a customer who has written in the last 24 hours',
  audit: { none: 'messages have a history of their own' },
  ...guard,
  params,
  body: z.strictObject({
    /** Chosen by the caller and repeated with every retry, so that the reply is sent only once. */
    id: z.uuid(),
    text: z.string().check(z.trim(), z.minLength(1), z.maxLength(REPLY_LENGTH)),
  }),
  response: OrderWhatsApp,
  errors: [
    'orders.not_found',
    'whatsapp.messages_off',
    'whatsapp.window_closed',
    'whatsapp.names_product',
    'whatsapp.too_many',
    'orders.changed_meanwhile',
  ],
})
