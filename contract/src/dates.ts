import { z } from 'zod'

/** Whose days they are. */
export const ROME = 'Europe/Rome'

const DAY_MS = 24 * 60 * 60_000

/** A day as `yyyy-MM-dd`, which is in the calendar; that has no year 0. */
export const Day = z.iso.date().regex(/^(?!0000)/)
export type Day = z.infer<typeof Day>

const romeDay = new Intl.DateTimeFormat('sv-SE', { timeZone: ROME, dateStyle: 'short' })

/** The day in Rome. @param time milliseconds since 1970, or anything else that is a time */
export function dayOf(time: number | Date): Day {
  return romeDay.format(time)
}

/** So many days later, or earlier when it is negative. Of days alone: no clock changes in UTC. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** A day as it is shown: `31/12/2026`. */
export function shortDay(day: Day): string {
  return day.split('-').reverse().join('/')
}
