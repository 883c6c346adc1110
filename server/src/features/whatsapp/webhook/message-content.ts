import { z } from 'zod'
import type { Echo } from './webhook-events.ts'

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

const Contact = z.object({
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
    return list(Contact)
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
