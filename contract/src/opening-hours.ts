import { z } from 'zod/mini'
import { Day } from './dates.ts'

export const MAX_SPANS_PER_DAY = 4
export const MAX_CLOSINGS = 40
export const CLOSING_NOTE_LENGTH = 80

/** A time of day in Rome: `HH:mm`. */
const TimeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

/**
 * A time in which a pharmacy is open. One that ends at or before the time it begins at ends on the next day: equal times
 * are 24 hours.
 */
export const OpeningSpan = z.object({ from: TimeOfDay, to: TimeOfDay })
export type OpeningSpan = z.infer<typeof OpeningSpan>

/** Whether the times of one day do not overlap: only the last one may end on the next day. */
function areSeparate(spans: readonly OpeningSpan[]): boolean {
  const sorted = spans.toSorted((one, other) => one.from.localeCompare(other.from))
  return sorted.every(({ from, to }, index) => {
    const next = sorted[index + 1]
    return next === undefined || (from < to && to <= next.from)
  })
}

/** The times of the seven days, Monday first. A day without times is closed. At least one day is open. */
export const OpeningWeek = z
  .array(z.array(OpeningSpan).check(z.maxLength(MAX_SPANS_PER_DAY), z.refine(areSeparate)))
  .check(
    z.length(7),
    z.refine((week) => week.some((spans) => spans.length > 0)),
  )
export type OpeningWeek = z.infer<typeof OpeningWeek>

/** Days on which a pharmacy stays closed, first and last day included. */
export const Closing = z
  .object({
    from: Day,
    to: Day,
    note: z.string().check(z.trim(), z.maxLength(CLOSING_NOTE_LENGTH)),
  })
  .check(z.refine(({ from, to }) => from <= to, { path: ['to'] }))
export type Closing = z.infer<typeof Closing>
