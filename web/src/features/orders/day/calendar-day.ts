// The day is one already: its midnight in UTC must not be moved to another.
const worded = new Intl.DateTimeFormat('it-IT', { timeZone: 'UTC', dateStyle: 'full' })

/** 'sabato 21 novembre 2026' */
export function formatDay(day: string): string {
  return worded.format(new Date(`${day}T00:00:00Z`))
}
