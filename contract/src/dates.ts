import { z } from 'zod/mini'

/** The time zone of all days. */
export const ROME = 'Europe/Rome'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** A valid calendar day as `yyyy-MM-dd`; the calendar has no year 0. */
export const Day = z.iso.date().check(z.regex(/^(?!0000)/))
export type Day = z.infer<typeof Day>

const romeDay = new Intl.DateTimeFormat('sv-SE', { timeZone: ROME, dateStyle: 'short' })

/** The day in Rome at a time. @param time milliseconds since 1970, or a Date */
export function dayOf(time: number | Date): Day {
  return romeDay.format(time)
}

/** Adds days; a negative number subtracts. Calculated in UTC, which has no daylight saving time. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** @returns the end of that day in Rome, in milliseconds since 1970 */
export function endOfDay(day: Day): number {
  const next = addDays(day, 1)
  // Rome is two hours ahead of UTC in summer, and one in winter.
  const summer = Date.parse(next) - 2 * HOUR_MS
  return dayOf(summer) === next ? summer : summer + HOUR_MS
}

/** Formats a day for display: `31/12/2026`. */
export function formatShortDay(day: Day): string {
  return day.split('-').reverse().join('/')
}
