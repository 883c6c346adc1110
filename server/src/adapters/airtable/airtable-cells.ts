import { isWebAddress } from '@bancone/contract/web-address'
import { wellFormedText } from '@bancone/contract/well-formed-text'
import { z } from 'zod'
import type { SourceAttachment, SourceImage } from '../../ports/order-source.ts'

/** Reads a cell as text: numbers are converted, blank cells are null. */
function textOf(value: string | number): string | null {
  return String(value).trim() || null
}

const Plain = z.union([z.string(), z.number()])

/** The text of a collaborator, a barcode, a button or an answer of Airtable's AI. An error of a formula has none. */
const Inner = z
  .object({
    name: Plain.optional().catch(undefined),
    text: Plain.optional().catch(undefined),
    value: Plain.optional().catch(undefined),
    label: Plain.optional().catch(undefined),
    email: Plain.optional().catch(undefined),
  })
  .transform(({ name, text, value, label, email }, context) => {
    const found = [name, text, value, label, email].find(
      (one) => one !== undefined && textOf(one) !== null,
    )
    if (found !== undefined) return found
    context.addIssue({ code: 'custom', message: 'an object without a text' })
    return z.NEVER
  })

const Part = z.union([Plain, Inner]).nullable()

function joined(parts: readonly (string | number | null)[]): string | null {
  return parts.flatMap((part) => textOf(part ?? '') ?? []).join(', ') || null
}

/** A text, or a list of texts such as those of a lookup field. */
export const TextCell = z
  .union([Part, z.array(Part).refine((parts) => !parts.some(isRecordId))])
  .nullish()
  .transform((value) => joined([value ?? null].flat()))

/** The same of a column that is not shown, and may name linked records by their ids. */
export const NameCell = z
  .union([Part, z.array(Part)])
  .nullish()
  .transform((value) => joined([value ?? null].flat()))

/** A linked record, of which Airtable tells only the id. */
function isRecordId(part: unknown): boolean {
  return typeof part === 'string' && /^rec[A-Za-z0-9]{14}$/.test(part)
}

/** A web address or blank: a link to anything else, such as `javascript:`, is no picture. */
const Address = z.string().refine((text) => text.trim() === '' || isWebAddress(text.trim()))

const Attachment = z.object({
  id: z
    .string()
    .regex(/^att\w{1,100}$/)
    .optional()
    .catch(undefined),
  url: Address,
  filename: z.string().optional().catch(undefined),
  size: z.number().int().min(0).optional().catch(undefined),
  type: z
    .string()
    .regex(/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/)
    .optional()
    .catch(undefined),
})
type Attachment = z.infer<typeof Attachment>

const Picture = z.union([Address.transform((url): Attachment => ({ url })), Attachment])

/** The media types of pictures that every browser shows. */
const PICTURE_TYPES = new Set(['jpeg', 'png', 'webp', 'gif', 'avif'].map((type) => `image/${type}`))

/**
 * Attachments: a URL, or a list. The id of an attachment is constant, while its URL changes every few hours.
 */
export const ImageCell = z
  .union([Picture, z.array(Picture)])
  .nullish()
  .transform((value): SourceImage | null => {
    const attachments = [value ?? []].flat().flatMap(sourceAttachment)
    const [first] = attachments
    if (first === undefined) return null
    const sizes = attachments.flatMap(({ bytes }) => bytes ?? [])
    const arePlain =
      attachments.length === 1 && (first.type === null || PICTURE_TYPES.has(first.type))
    return {
      url: first.url,
      ref: attachments.map(({ ref }) => ref).join(' '),
      ...(sizes.length > 0 && { bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) }),
      ...(!arePlain && { attachments }),
    }
  })

function sourceAttachment({ id, url: text, filename, size, type }: Attachment): SourceAttachment[] {
  const url = textOf(text)
  if (url === null) return []
  const name = wellFormedText((textOf(filename ?? '') ?? '').slice(0, 200)) || null
  return [{ url, ref: id ?? url, name, type: type?.toLowerCase() ?? null, bytes: size ?? null }]
}

/** The range of times that PostgreSQL and JavaScript both support. */
const EARLIEST = Date.UTC(1900, 0)
const LATEST = Date.UTC(2201, 0)

/**
 * A time in ISO 8601, as Airtable returns it; a date is midnight UTC. Other formats are rejected: JavaScript parses
 * 05/11/2026 as a day in May, and a time without a zone as local time.
 */
export const TimeCell = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text, context) => {
    const time = Date.parse(text)
    if (time >= EARLIEST && time < LATEST) return new Date(time).toISOString()
    context.addIssue({ code: 'custom', message: 'not a time an order may have' })
    return z.NEVER
  })
