import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** The most texts a pharmacy keeps, and how long title and text may be, in characters. */
export const MOST_REPLY_TEXTS = 20
export const REPLY_TITLE_LENGTH = 60
export const REPLY_TEXT_LENGTH = 1_000

/** What a reply holds in the place of the customer's name and the order's number. */
export const replyPlaceholders = { name: '{nome}', number: '{numero}' } as const

/** What a pharmacy writes to its customers by WhatsApp, with placeholders. */
export const ReplyText = z.object({ id: z.uuid(), title: z.string(), text: z.string() })
export type ReplyText = z.infer<typeof ReplyText>

const Written = z.strictObject({
  title: z.string().trim().min(1).max(REPLY_TITLE_LENGTH),
  text: z.string().trim().min(1).max(REPLY_TEXT_LENGTH),
})
const ofText = z.object({ textId: z.uuid() })

/** In the order in which they were made. A pharmacy that has none of its own has none here. */
export const listReplyTexts = endpoint({
  method: 'GET',
  path: '/api/orders/reply-texts',
  summary: "The pharmacy's own texts for replies",
  access: 'pharmacy',
  response: z.object({ texts: z.array(ReplyText) }),
  errors: [],
})

export const addReplyText = endpoint({
  method: 'POST',
  path: '/api/orders/reply-texts',
  summary: 'Adds a text for replies',
  access: 'pharmacy',
  body: Written,
  response: ReplyText,
  errors: ['reply_texts.too_many'],
})

export const changeReplyText = endpoint({
  method: 'PATCH',
  path: '/api/orders/reply-texts/:textId',
  summary: 'Changes a text for replies',
  access: 'pharmacy',
  params: ofText,
  body: Written.partial(),
  response: ReplyText,
  errors: ['reply_texts.not_found'],
})

export const removeReplyText = endpoint({
  method: 'DELETE',
  path: '/api/orders/reply-texts/:textId',
  summary: 'Removes a text for replies',
  access: 'pharmacy',
  params: ofText,
  response: z.object({}),
  errors: ['reply_texts.not_found'],
})
