import { LRUCache } from 'lru-cache'

const HOUR_MS = 60 * 60_000
const MINUTE_MS = 60_000

const rome = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Rome',
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** By the hour, within which the clocks never change: asking for it each time costs more than the file. */
const offsets = new LRUCache<number, number>({ max: 10_000 })

function offset(hour: number): number {
  const known = offsets.get(hour)
  if (known !== undefined) return known
  const found = Date.parse(`${rome.format(hour).replace(' ', 'T')}Z`) - hour
  offsets.set(hour, found)
  return found
}

/**
 * What the clocks in Rome show at that time, to the minute.
 *
 * @param time ISO 8601
 * @returns milliseconds that would be that time of day in UTC; null for what is no time, or none of ours
 */
export function romeTime(time: string): number | null {
  const at = Date.parse(time)
  if (Number.isNaN(at)) return null
  const wall = at + offset(Math.floor(at / HOUR_MS) * HOUR_MS)
  // In a year of five digits, or before the first.
  if (Number.isNaN(wall)) return null
  return Math.floor(wall / MINUTE_MS) * MINUTE_MS
}
