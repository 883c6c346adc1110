import { z } from 'zod'
import type { MetaAccount } from './accounts.ts'

const Parameters = z.array(z.object({ type: z.literal('text'), text: z.string().min(1) }))

const NewTemplate = z.object({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/),
  language: z.string(),
  category: z.string(),
  components: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
})

const NewMessage = z
  .object({
    messaging_product: z.literal('whatsapp'),
    to: z
      .string()
      .regex(/^\d{6,15}$/)
      .optional(),
    recipient: z.string().min(1).optional(),
    biz_opaque_callback_data: z.string().max(512).optional(),
  })
  .and(
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('text'),
        text: z.object({ body: z.string().min(1).max(4_096) }),
      }),
      z.object({
        type: z.literal('template'),
        template: z.object({
          name: z.string(),
          language: z.object({ code: z.string() }),
          components: z.array(z.object({ type: z.string(), parameters: Parameters })),
        }),
      }),
    ]),
  )

/** A message that the stand-in has accepted. `to` is the number, or the user id of a person whose number is hidden. */
export type SentMessage = {
  id: string
  to: string
  reference: string | undefined
  /** The name of the template; null for a text. */
  template: string | null
  /** The text, or the values of the template. */
  text: string
}

type Refusal = { code: number; message: string }
export type Outcome<T> = { done: T } | { refused: Refusal }

const refuse = (code: number, message: string): { refused: Refusal } => ({
  refused: { code, message },
})

/** As Meta: a text neither begins nor ends with a variable. */
export function addTemplate(account: MetaAccount, body: unknown): Outcome<object> {
  const parsed = NewTemplate.safeParse(body)
  if (!parsed.success) return refuse(100, 'Invalid parameter')
  const { name, language, category, components } = parsed.data
  const text = components.find(({ type }) => type === 'BODY')?.text?.trim() ?? ''
  if (text === '' || text.startsWith('{{') || text.endsWith('}}'))
    return refuse(100, 'Variables may not be at the start or end of the template')
  if (account.templates.some((each) => each.name === name))
    return refuse(100, 'Content in this language already exists')
  const id = String(700_000_000_000_000 + account.templates.length)
  const status = account.newTemplateStatus
  account.templates.push({ id, name, language, category, status, components })
  return { done: { id, status, category } }
}

let sent = 0

export function acceptMessage(account: MetaAccount, body: unknown): Outcome<SentMessage> {
  const parsed = NewMessage.safeParse(body)
  if (!parsed.success) return refuse(100, 'Invalid parameter')
  const { to, recipient } = parsed.data
  const person = to ?? recipient
  if (person === undefined) return refuse(100, 'The parameter to is required')
  sent += 1
  const message = {
    id: `wamid.sandbox.${process.pid}.${sent}`,
    to: person,
    reference: parsed.data.biz_opaque_callback_data,
  }
  if (parsed.data.type === 'text')
    return { done: { ...message, template: null, text: parsed.data.text.body } }
  const { name, components } = parsed.data.template
  const template = account.templates.find((each) => each.name === name)
  if (!template || template.status !== 'APPROVED')
    return refuse(132_001, 'Template name does not exist in the translation')
  const values = components.flatMap(({ parameters }) => parameters.map(({ text }) => text))
  const pattern = template.components.find(({ type }) => type === 'BODY')?.text ?? ''
  const wanted = new Set(pattern.match(/\{\{\d+\}\}/g)).size
  const given = components.find(({ type }) => type === 'body')?.parameters.length ?? 0
  if (wanted !== given) return refuse(132_000, 'Number of parameters does not match')
  return { done: { ...message, template: name, text: values.join(' | ') } }
}
