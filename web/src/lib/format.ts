import { DAY_MS, HOUR_MS, MINUTE_MS, ROME } from '@bancone/contract/dates'

const dateTime = new Intl.DateTimeFormat('it-IT', {
  timeZone: ROME,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const relative = new Intl.RelativeTimeFormat('it', { numeric: 'auto' })
const whole = new Intl.NumberFormat('it-IT', { useGrouping: 'always', maximumFractionDigits: 0 })
const oneDecimal = new Intl.NumberFormat('it-IT', {
  useGrouping: 'always',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

function parts(date: Date) {
  const found = new Map(dateTime.formatToParts(date).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => found.get(type) ?? ''
  return {
    day: `${part('day')}/${part('month')}`,
    year: part('year'),
    time: `${part('hour')}:${part('minute')}`,
  }
}

function parse(value: string | number | undefined): Date | null {
  if (value === undefined || value === '') return null
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date
}

/** `dd/MM/yyyy HH:mm` in Rome, from an ISO text or milliseconds since 1970. */
export function formatDateTime(value: string | number | undefined): string {
  const date = parse(value)
  if (!date) return 'Data non valida'
  const { day, year, time } = parts(date)
  return `${day}/${year} ${time}`
}

/** `HH:mm` in Rome. */
export function formatTime(value: string | number): string {
  const date = parse(value)
  return date ? parts(date).time : 'Data non valida'
}

/** 'delle HH:mm', with the date when it is not today. */
export function formatMoment(value: string | number, now: number): string {
  const date = parse(value)
  if (!date) return 'Data non valida'
  const then = parts(date)
  const today = parts(new Date(now))
  const sameDay = then.day === today.day && then.year === today.year
  return sameDay ? `delle ${then.time}` : `delle ${then.time} del ${then.day}/${then.year}`
}

/** Number of the calendar day in Rome: daylight saving changes make days of 23 and 25 hours. */
function dayNumber(date: Date): number {
  const { day, year } = parts(date)
  const [dayOfMonth, month] = day.split('/').map(Number)
  return Date.UTC(Number(year), Number(month) - 1, dayOfMonth) / DAY_MS
}

/**
 * '3 minuti fa' on the same day in Rome, 'ieri' or '3 giorni fa' before that; null when the time is a week old or
 * older, in the future, or invalid.
 */
export function formatRelative(value: string | undefined, now: number): string | null {
  const date = parse(value)
  if (!date) return null
  const age = now - date.getTime()
  if (age < -MINUTE_MS) return null
  if (age < MINUTE_MS) return 'adesso'
  const days = dayNumber(new Date(now)) - dayNumber(date)
  if (days > 0) return days < 7 ? relative.format(-days, 'day') : null
  if (age < HOUR_MS) return relative.format(-Math.floor(age / MINUTE_MS), 'minute')
  return relative.format(-Math.floor(age / HOUR_MS), 'hour')
}

/** A whole number with the Italian thousands point. */
export function formatNumber(value: number): string {
  return whole.format(value)
}

/** '1 ordine', '1.200 ordini'. */
export function formatCount(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** A number with one decimal: '4,3'. */
export function formatDecimal(value: number): string {
  return oneDecimal.format(value)
}

/** '999', from a thousand on '1,2K', from a million on '1,2M'. Rounded: 999.950 is '1,0M'. */
export function formatCompactNumber(value: number): string {
  if (value < 1000) return whole.format(value)
  // What would read '1.000,0K'.
  if (value < 999_950) return `${oneDecimal.format(value / 1000)}K`
  return `${oneDecimal.format(value / 1_000_000)}M`
}
