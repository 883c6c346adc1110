import { z } from 'zod'

/** A day of Europe/Rome as `yyyy-MM-dd`. */
export const CalendarDay = z.iso.date()

// The one language that writes days as they are sorted.
const sortable = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome', dateStyle: 'short' })
// The day is one already: its midnight in UTC must not be moved to another.
const worded = new Intl.DateTimeFormat('it-IT', { timeZone: 'UTC', dateStyle: 'full' })

/** The day it is in Rome at a moment. */
export function dayOf(moment: number): string {
  return sortable.format(moment)
}

/** So many days later; earlier when it is negative. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** 'sabato 21 novembre 2026' */
export function formatDay(day: string): string {
  return worded.format(new Date(`${day}T00:00:00Z`))
}
