// UTC, because the value is a calendar day: a time zone would shift it.
const worded = new Intl.DateTimeFormat('it-IT', { timeZone: 'UTC', dateStyle: 'full' })

/** 'sabato 21 novembre 2026' */
export function formatDay(day: string): string {
  return worded.format(new Date(`${day}T00:00:00Z`))
}
