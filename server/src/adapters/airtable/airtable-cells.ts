import { z } from 'zod'
import type { SourceImage } from '../../ports/order-source.ts'

/** A cell that is text to us: numbers are taken too, blank ones are null. PostgreSQL takes no NUL. */
function textOf(value: string | number): string | null {
  return String(value).replaceAll('\0', '').trim() || null
}

const Plain = z.union([z.string(), z.number()])

/** Text, or what a lookup makes of it: the texts of all the records it looks at. */
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
})
const Picture = z.union([z.string().transform((url) => ({ id: undefined, url })), Attachment])

/**
 * A picture: its address, or the attachments of the column, of which the first counts. An attachment
 * keeps its id while its address changes every few hours.
 */
export const ImageCell = z
  .union([Picture, z.array(Picture)])
  .nullish()
  .transform((value): SourceImage | null => {
    const first = Array.isArray(value) ? value[0] : value
    const url = textOf(first?.url ?? '')
    return url === null ? null : { url, ref: first?.id ?? url }
  })

/** What PostgreSQL and JavaScript read in the same way, and what an order may have. */
const EARLIEST = Date.UTC(1900, 0)
const LATEST = Date.UTC(2201, 0)

/**
 * A time in ISO 8601, as Airtable gives it; a day is its midnight in UTC. Nothing else: JavaScript
 * takes 05/11/2026 for a day in May, and a time without a zone for that of this machine.
 */
export const Time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text, context) => {
    const time = Date.parse(text)
    if (time >= EARLIEST && time < LATEST) return new Date(time).toISOString()
    context.addIssue({ code: 'custom', message: 'not a time an order may have' })
    return z.NEVER
  })
