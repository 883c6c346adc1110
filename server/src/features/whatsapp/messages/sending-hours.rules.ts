import { addDays, dayOf, endOfDay } from '@bancone/contract/dates'

/** Notices are sent from 8:00 until 20:30 in Rome. */
const OPENS = '08:00'
const CLOSES = '20:30'

const romeTime = new Intl.DateTimeFormat('it-IT', {
  timeZone: 'Europe/Rome',
  hour: '2-digit',
  minute: '2-digit',
})

const HOUR_MS = 3_600_000

/** 8:00 in Rome of the day that begins at `midnight`: on the days of a clock change that is not eight hours later. */
function opening(midnight: number): number {
  const found = [7, 8, 9]
    .map((hours) => midnight + hours * HOUR_MS)
    .find((time) => romeTime.format(time) === OPENS)
  return found ?? midnight + 8 * HOUR_MS
}

/** The first time at which a notice may be sent: now, or the next opening. Milliseconds since 1970. */
export function nextSendingTime(now: number): number {
  const time = romeTime.format(now)
  if (time >= OPENS && time < CLOSES) return now
  const today = dayOf(now)
  const midnight = time < OPENS ? endOfDay(addDays(today, -1)) : endOfDay(today)
  return opening(midnight)
}

/** The next opening after today. */
export function nextDay(now: number): number {
  return opening(endOfDay(dayOf(now)))
}
