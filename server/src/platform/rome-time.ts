import { HOUR_MS, MINUTE_MS, ROME } from '@bancone/contract/dates'
import { createCache } from './cache.ts'

const rome = new Intl.DateTimeFormat('sv-SE', {
  timeZone: ROME,
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** UTC offsets by hour, within which they never change: `Intl` is slower than writing the rest of the file. */
const offsets = createCache<number>({ max: 10_000 })

/** By how much the clocks in Rome are ahead of UTC. All in milliseconds. @param time since 1970 */
export function romeOffset(time: number): number {
  const hour = Math.floor(time / HOUR_MS) * HOUR_MS
  const known = offsets.get(String(hour))
  if (known !== undefined) return known
  const found = Date.parse(`${rome.format(hour).replace(' ', 'T')}Z`) - hour
  offsets.set(String(hour), found)
  return found
}

/**
 * The wall clock time in Rome, to the minute.
 *
 * @param time ISO 8601
 * @returns milliseconds since 1970 that show this time in UTC; null for an invalid or unsupported time
 */
export function romeTime(time: string): number | null {
  const at = Date.parse(time)
  if (Number.isNaN(at)) return null
  const wall = at + romeOffset(at)
  // Years with five digits, or before year 1.
  if (Number.isNaN(wall)) return null
  return Math.floor(wall / MINUTE_MS) * MINUTE_MS
}

/** A time for operators, as they type it: `2026-11-22 10:00:07`. @param time milliseconds since 1970 */
export function romeTimeText(time: number): string {
  return rome.format(time)
}

/**
 * A time as it is typed: `2026-11-22 10:00`, with seconds or not, in Rome; or ISO 8601 with an offset.
 *
 * @returns milliseconds since 1970; NaN for anything else. In the hour that comes twice the first one is meant.
 */
export function timeInRome(text: string): number {
  const [, day, minute, second = '00', offset] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::(\d\d(?:\.\d{1,3})?))?(Z|[+-]\d\d:\d\d)?$/.exec(
      text.trim(),
    ) ?? []
  if (!day || !minute) return Number.NaN
  const wall = Date.parse(`${day}T${minute}:${second}${offset ?? 'Z'}`)
  if (offset !== undefined || Number.isNaN(wall)) return wall
  // Summer time first: of an hour that comes twice, it is the first one.
  const found = [2 * HOUR_MS, HOUR_MS].find((ahead) => romeOffset(wall - ahead) === ahead)
  return wall - (found ?? HOUR_MS)
}
