import { z } from 'zod'
import type { SourceImage } from '../../ports/order-source.ts'

/** Reads a cell as text: numbers are converted, blank cells are null. */
function textOf(value: string | number): string | null {
  return String(value).trim() || null
}

const Plain = z.union([z.string(), z.number()])

/** A text, or a lookup field: a list with the texts of the linked records. */
export const TextCell = z
  .union([Plain, z.array(Plain.nullable())])
  .nullish()
  .transform((value) => {
    const parts = Array.isArray(value) ? value : [value]
    return parts.flatMap((part) => textOf(part ?? '') ?? []).join(', ') || null
  })

const Attachment = z.object({
  id: z.string().startsWith('att').optional().catch(undefined),
  url: z.string(),
  size: z.number().int().min(0).optional().catch(undefined),
})
const Picture = z.union([
  z.string().transform((url) => ({ id: undefined, url, size: undefined })),
  Attachment,
])

/**
 * A picture: a URL, or a list of attachments of which the first is used. The id of an attachment is constant, while its
 * URL changes every few hours.
 */
export const ImageCell = z
  .union([Picture, z.array(Picture)])
  .nullish()
  .transform((value): SourceImage | null => {
    const first = Array.isArray(value) ? value[0] : value
    const url = textOf(first?.url ?? '')
    if (url === null) return null
    return { url, ref: first?.id ?? url, ...(first?.size !== undefined && { bytes: first.size }) }
  })

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
