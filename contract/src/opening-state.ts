import { addDays, type Day, dayOf, formatShortDay, HOUR_MS, ROME } from './dates.ts'
import type { Closing, OpeningSpan, OpeningWeek } from './opening-hours.ts'

/** Days for which the next opening is looked for. */
const HORIZON_DAYS = 90

const romeClock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: ROME,
  dateStyle: 'short',
  timeStyle: 'short',
})

/** Whether a pharmacy is open, and when that changes: milliseconds since 1970; null where it does not within months. */
export type OpeningState = { isOpen: boolean; changesAt: number | null }

type Interval = { start: number; end: number }

/**
 * Whether a pharmacy is open at a time. A day of closing has no openings of its own; what began on the day before still
 * ends at its time.
 * @param now milliseconds since 1970
 */
export function openingState(
  week: OpeningWeek,
  closings: readonly Closing[],
  now: number,
): OpeningState {
  const current = intervals(week, closings, dayOf(now)).find(({ end }) => end > now)
  if (!current) return { isOpen: false, changesAt: null }
  const isOpen = current.start <= now
  const changesAt = isOpen ? current.end : current.start
  return { isOpen, changesAt: changesAt - now < HORIZON_DAYS * 24 * HOUR_MS ? changesAt : null }
}

const clock = new Intl.DateTimeFormat('it-IT', { timeZone: ROME, timeStyle: 'short' })
const weekdayName = new Intl.DateTimeFormat('it-IT', { timeZone: ROME, weekday: 'long' })

/**
 * A time to come in words: `alle 15:30`, `domani alle 08:30`, `lunedì alle 08:30`, `il 07/12/2026 alle 08:30`.
 * @param time and `now`: milliseconds since 1970
 */
export function timeToCome(time: number, now: number): string {
  return `${dayName(time, dayOf(now))}alle ${clock.format(time)}`
}

function dayName(time: number, today: Day): string {
  const day = dayOf(time)
  if (day === today) return ''
  if (day === addDays(today, 1)) return 'domani '
  return day < addDays(today, 7) ? `${weekdayName.format(time)} ` : `il ${formatShortDay(day)} `
}

/** The times of a day by the week alone, in order. */
export function spansOf(week: OpeningWeek, day: Day): OpeningSpan[] {
  const weekday = (new Date(day).getUTCDay() + 6) % 7
  return (week[weekday] ?? []).toSorted((one, other) => one.from.localeCompare(other.from))
}

/** The closing that a day belongs to. */
export function closingOn(closings: readonly Closing[], day: Day): Closing | undefined {
  return closings.find(({ from, to }) => from <= day && day <= to)
}

/** When it is open from the day before on. Adjoining times are one interval. */
function intervals(week: OpeningWeek, closings: readonly Closing[], today: Day): Interval[] {
  const found: Interval[] = []
  for (let offset = -1; offset <= HORIZON_DAYS; offset += 1) {
    const day = addDays(today, offset)
    if (closingOn(closings, day)) continue
    for (const { from, to } of spansOf(week, day)) {
      const start = timeInRome(day, from)
      const end = timeInRome(from < to ? day : addDays(day, 1), to)
      const last = found.at(-1)
      if (last && start <= last.end) last.end = Math.max(last.end, end)
      else if (start < end) found.push({ start, end })
    }
  }
  return found
}

/**
 * The time at which the clocks in Rome show that day and time of day: the first one of two. A time that is skipped in
 * spring is the one at which the clocks change.
 */
function timeInRome(day: Day, time: string): number {
  const utc = Date.parse(`${day}T${time}Z`)
  const shown = [2, 1].map((hours) => utc - hours * HOUR_MS)
  const found = shown.find((each) => romeClock.format(each) === `${day} ${time}`)
  return found ?? Date.parse(`${day}T01:00Z`)
}
