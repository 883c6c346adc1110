import { normalizeDisplayName } from '@bancone/contract/display-name'
import { z } from 'zod'

/** Texts that the database stores as they are, and in an index. */
const Id = z.string().min(1).max(300)
const Timestamp = z.coerce.number().int().min(0).max(4_102_444_800)

export const Envelope = z.object({
  entry: z
    .array(
      z.object({
        id: z.coerce.string(),
        changes: z.array(z.object({ field: z.string(), value: z.unknown() })).default([]),
      }),
    )
    .default([]),
})

const Contact = z.object({
  profile: z
    .object({ name: z.string().max(200).optional() })
    .optional()
    .catch(undefined),
  wa_id: z.string().optional(),
  user_id: Id.optional(),
})

/** What it says is under the name of its type: `contentOf`. */
export const Message = z.looseObject({
  id: Id,
  timestamp: Timestamp,
  type: z.string().catch('unknown'),
  from: z.string().optional(),
  from_user_id: Id.optional(),
  system: z
    .object({
      type: z.string(),
      wa_id: z.string().optional(),
      /** The name of `wa_id` in older webhooks. */
      new_wa_id: z.string().optional(),
      user_id: Id.optional(),
      previous_user_id: Id.optional(),
      body: z.string().optional(),
    })
    .optional()
    .catch(undefined),
})
export type Message = z.output<typeof Message>

/** A message that the pharmacy has written in the WhatsApp Business app. */
export const Echo = z.looseObject({
  id: Id,
  timestamp: Timestamp,
  type: z.string().catch('unknown'),
  to: z.string().optional(),
  to_user_id: Id.optional(),
})
export type Echo = z.output<typeof Echo>

export const Status = z.object({
  id: Id,
  status: z.enum(['sent', 'delivered', 'read', 'failed']),
  timestamp: Timestamp,
  /** Ours, if the message had one. */
  biz_opaque_callback_data: z.uuid().optional().catch(undefined),
  errors: z
    .array(z.object({ code: z.number().int() }))
    .optional()
    .catch(undefined),
})

/** The value of events about a number. Items that are not readable are left out, and do not hide the others. */
export const NumberValue = z.object({
  metadata: z.object({ phone_number_id: Id }),
  contacts: z.array(Contact.or(z.null().catch(null))).catch([]),
  messages: z.array(Message.or(z.null().catch(null))).catch([]),
  message_echoes: z.array(Echo.or(z.null().catch(null))).catch([]),
  statuses: z.array(Status.or(z.null().catch(null))).catch([]),
  user_id_update: z
    .array(z.object({ user_id: z.object({ previous: Id, current: Id }) }).or(z.null().catch(null)))
    .catch([]),
})
export type NumberValue = z.output<typeof NumberValue>

export const AccountUpdate = z.object({
  event: z.string(),
  waba_info: z.object({ waba_id: z.coerce.string() }).optional().catch(undefined),
})

/** The E.164 number in a `wa_id` or `from`, which may hold another id. */
export function phoneOf(text: string | undefined): string | null {
  return text !== undefined && /^\+?\d{6,15}$/.test(text) ? `+${text.replace('+', '')}` : null
}

/**
 * Who sent a message, or got it. Null when the webhook does not say.
 * @param named the ids in the message
 */
export function personOf(
  named: { phone: string | undefined; userId: string | undefined },
  contacts: NumberValue['contacts'],
) {
  const known = contacts.filter((contact) => contact !== null)
  const contact =
    known.find(
      ({ user_id: userId, wa_id: waId }) =>
        (userId !== undefined && userId === named.userId) ||
        (waId !== undefined && waId === named.phone),
    ) ?? (known.length === 1 ? known[0] : undefined)
  const userId = named.userId ?? contact?.user_id ?? null
  const phone = phoneOf(named.phone) ?? phoneOf(contact?.wa_id)
  if (userId === null && phone === null) return null
  return { userId, phone, name: normalizeDisplayName(contact?.profile?.name ?? '') || null }
}

export const isoTime = (seconds: number) => new Date(seconds * 1_000).toISOString()

/** More than WhatsApp lets people write. */
const MAX_LENGTH = 70_000

const Words = z
  .string()
  .transform((text) => text.slice(0, MAX_LENGTH))
  .optional()
  .catch(undefined)
const Figure = z.union([z.number(), z.string()]).optional().catch(undefined)
const list = <T extends z.ZodType>(item: T) => z.array(item).catch([])

const Reply = z.object({ title: Words, description: Words }).optional().catch(undefined)

/** What Meta has under the name of a type, of all types. */
const Part = z.object({
  body: Words,
  text: Words,
  title: Words,
  caption: Words,
  filename: Words,
  name: Words,
  address: Words,
  latitude: Figure,
  longitude: Figure,
  emoji: Words,
  button_reply: Reply,
  list_reply: Reply,
  nfm_reply: z.object({ body: Words, response_json: Words }).optional().catch(undefined),
  product_items: list(
    z.object({
      product_retailer_id: Words,
      quantity: Figure,
      item_price: Figure,
      currency: Words,
    }),
  ),
  /** The message that is edited or deleted, or that has got a reaction. */
  original_message_id: Words,
  message_id: Words,
  /** The new content of an edited message. */
  message: z.looseObject({ type: z.string() }).optional().catch(undefined),
})
type Part = z.output<typeof Part>

const SentContact = z.object({
  name: z.object({ formatted_name: Words }).optional().catch(undefined),
  phones: list(z.object({ phone: Words })),
})

const lines = (...texts: (string | undefined)[]) => texts.filter(Boolean).join('\n')

function orderLine({
  quantity,
  product_retailer_id: id,
  item_price,
  currency,
}: Part['product_items'][number]) {
  const price =
    item_price === undefined ? '' : ` (${item_price} ${currency ?? ''})`.replace(' )', ')')
  return `${quantity ?? 1} × ${id ?? '?'}${price}`
}

function place({ latitude, longitude }: Part) {
  return latitude === undefined || longitude === undefined ? undefined : `${latitude}, ${longitude}`
}

/** The words in what a customer has sent, of any type, also of one that does not exist yet. */
function wordsOf(type: string, content: unknown): string {
  if (type === 'contacts')
    return list(SentContact)
      .parse(content)
      .map(({ name, phones }) => [name?.formatted_name, ...phones.map(({ phone }) => phone)])
      .map((words) => words.filter(Boolean).join(' '))
      .join('\n')
  const part = Part.safeParse(content).data
  if (!part) return ''
  if (type === 'edit' && part.message && part.message.type !== 'edit')
    return wordsOf(part.message.type, part.message[part.message.type])
  const { button_reply: button, list_reply: chosen, nfm_reply: form } = part
  return lines(
    ...part.product_items.map(orderLine),
    part.filename,
    part.name,
    part.address,
    place(part),
    part.title,
    part.emoji,
    button?.title,
    chosen?.title,
    chosen?.description,
    form?.body,
    form?.response_json,
    part.caption,
    part.body,
    part.text,
  )
}

/** What a message says. `text` is null without words; files are not fetched. `about`: the id of another message. */
export function contentOf(message: Echo) {
  const { type } = message
  const content = message[type]
  const part = Part.safeParse(content).data
  return {
    type: type.slice(0, 50),
    text: wordsOf(type, content) || null,
    about: part?.original_message_id ?? part?.message_id ?? null,
  }
}
