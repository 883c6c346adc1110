import { ROME } from '@bancone/contract/dates'

const HOUR = 60
const DAY = 24 * HOUR

/** "15 minuti", "un'ora", "24 ore", "7 giorni": in the largest unit that divides it. */
export function durationInWords(minutes: number): string {
  // Rounds down, so that the stated lifetime is never too long.
  const whole = Math.max(1, Math.floor(minutes))
  if (whole === 1) return 'un minuto'
  if (whole === HOUR) return "un'ora"
  if (whole % DAY === 0 && whole > DAY) return `${whole / DAY} giorni`
  if (whole % HOUR === 0) return `${whole / HOUR} ore`
  return `${whole} minuti`
}

const rome = new Intl.DateTimeFormat('it-IT', {
  timeZone: ROME,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
})
const romeHour = new Intl.DateTimeFormat('it-IT', {
  timeZone: ROME,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** "21/11/2026 alle 11:20", in the time zone of Italy. */
export function timeInRome(at: Date): string {
  return `${rome.format(at)} alle ${romeHour.format(at)}`
}

/** A name for a subject: on one line, and cut to 40 characters. */
export function nameInSubject(name: string): string {
  const line = name.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return line.length > 40 ? `${line.slice(0, 39).trimEnd()}…` : line
}
