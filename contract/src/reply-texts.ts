import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The most texts of a pharmacy, and the maximum lengths of title and text in characters. */
export const MAX_REPLY_TEXTS = 20
export const REPLY_TITLE_LENGTH = 60
export const REPLY_TEXT_LENGTH = 1_000

/** The placeholders for the customer's name and the order number. */
export const replyPlaceholders = { name: '{nome}', number: '{numero}' } as const

/** A template for replies to customers by WhatsApp, with placeholders. */
export const ReplyText = z.object({ id: z.uuid(), title: z.string(), text: z.string() })
export type ReplyText = z.infer<typeof ReplyText>

const ReplyTextInput = z.strictObject({
  title: z.string().check(z.trim(), z.minLength(1), z.maxLength(REPLY_TITLE_LENGTH)),
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(REPLY_TEXT_LENGTH)),
})
const textParams = z.object({ textId: z.uuid() })

/** The pharmacy's own texts, oldest first. The built-in default texts are not included. */
export const listReplyTexts = endpoint({
  method: 'GET',
  path: '/api/orders/reply-texts',
  summary: "List the pharmacy's reply texts",
  access: 'pharmacy',
  response: z.object({ texts: z.array(ReplyText) }),
  errors: [],
})

export const addReplyText = endpoint({
  method: 'POST',
  path: '/api/orders/reply-texts',
  summary: 'Create a reply text',
  access: 'pharmacy',
  audit: 'reply_text_added',
  body: ReplyTextInput,
  response: ReplyText,
  errors: ['reply_texts.too_many'],
})

export const changeReplyText = endpoint({
  method: 'PATCH',
  path: '/api/orders/reply-texts/:textId',
  summary: 'Update a reply text',
  access: 'pharmacy',
  audit: 'reply_text_changed',
  params: textParams,
  body: z.partial(ReplyTextInput),
  response: ReplyText,
  errors: ['reply_texts.not_found'],
})

export const removeReplyText = endpoint({
  method: 'DELETE',
  path: '/api/orders/reply-texts/:textId',
  summary: 'Delete a reply text',
  access: 'pharmacy',
  audit: 'reply_text_removed',
  params: textParams,
  response: z.object({}),
  errors: ['reply_texts.not_found'],
})
