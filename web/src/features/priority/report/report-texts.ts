import type { PriorityReport } from '@bancone/contract/priority-report'
import { formatNumber } from '../../../lib/format.ts'

const MINUTE = 60

/** '4 min 30 s', '45 s'; '–' without a value. @param seconds of waiting */
export function durationText(seconds: number | null): string {
  if (seconds === null) return '–'
  const whole = Math.round(seconds)
  const minutes = Math.floor(whole / MINUTE)
  const rest = whole % MINUTE
  if (minutes === 0) return `${rest} s`
  return rest === 0 ? `${formatNumber(minutes)} min` : `${formatNumber(minutes)} min ${rest} s`
}

/** The hours from the first to the last with an arrival. */
export function busyHours({ hours }: Pick<PriorityReport, 'hours'>): PriorityReport['hours'] {
  const first = hours.findIndex(({ arrivals }) => arrivals > 0)
  const last = hours.findLastIndex(({ arrivals }) => arrivals > 0)
  return first === -1 ? [] : hours.slice(first, last + 1)
}

/** '09–10'. */
export function hourText(hour: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(hour)}–${two(hour + 1)}`
}
