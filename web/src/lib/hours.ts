/** Monday first, as in `OpeningWeek`. */
export const weekdays = [
  'Lunedì',
  'Martedì',
  'Mercoledì',
  'Giovedì',
  'Venerdì',
  'Sabato',
  'Domenica',
] as const

/** '08–09'. */
export function hourRange(hour: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(hour)}–${two(hour + 1)}`
}

/** The hours of a day from the first to the last in which something happened. */
export function busyHours<T>(hours: readonly T[], isBusy: (hour: T) => boolean): readonly T[] {
  const first = hours.findIndex(isBusy)
  return first === -1 ? [] : hours.slice(first, hours.findLastIndex(isBusy) + 1)
}
