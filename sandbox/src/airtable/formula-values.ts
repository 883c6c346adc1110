/** A date and time, distinct from text and numbers. In ms since 1970. */
export type DateTime = { moment: number }

export type Value = string | number | boolean | DateTime | null

/** A cell that cannot be computed, which Airtable shows as #ERROR!. */
export class CellError extends Error {
  override readonly name = 'CellError'
}

export function isDateTime(value: Value): value is DateTime {
  return typeof value === 'object' && value !== null
}

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Parses ISO 8601 only; a time without a zone is in UTC, as in Airtable. */
export function toTimestamp(value: Value): number {
  if (isDateTime(value)) return value.moment
  if (typeof value !== 'string' || !ISO.test(value)) throw new CellError('not a date')
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(value.slice(10))
  const parsed = Date.parse(value.length === 10 || hasZone ? value : `${value.replace(' ', 'T')}Z`)
  if (Number.isNaN(parsed)) throw new CellError('not a date')
  return parsed
}

export function toText(value: Value): string {
  if (value === null) return ''
  return isDateTime(value) ? new Date(value.moment).toISOString() : String(value)
}

export function toNumber(value: Value): number {
  if (value === null || value === '') return 0
  if (isDateTime(value)) throw new CellError('not a number')
  const number = Number(value)
  if (Number.isNaN(number)) throw new CellError('not a number')
  return number
}

export function isTrue(value: Value): boolean {
  return value !== null && value !== '' && value !== 0 && value !== false
}

function isCountable(value: Value): value is number | boolean {
  return typeof value === 'number' || typeof value === 'boolean'
}

export function areEqual(left: Value, right: Value): boolean {
  if (isDateTime(left) && isDateTime(right)) return left.moment === right.moment
  if (left === null || right === null) {
    const other = left ?? right
    return other === null || other === '' || other === 0 || other === false
  }
  if (typeof left === typeof right && !isDateTime(left)) return left === right
  // True equals 1 in Airtable: formulas compare checkboxes either way.
  if (isCountable(left) && isCountable(right)) return Number(left) === Number(right)
  return toText(left) === toText(right)
}

/** Negative, zero or positive. Texts are compared alphabetically, dates by time, and all else as numbers. */
export function compare(left: Value, right: Value): number {
  if (isDateTime(left) || isDateTime(right)) return toTimestamp(left) - toTimestamp(right)
  if (typeof left === 'string' && typeof right === 'string') {
    return left === right ? 0 : left < right ? -1 : 1
  }
  return toNumber(left) - toNumber(right)
}
