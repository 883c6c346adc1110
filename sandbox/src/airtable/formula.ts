/** An invalid formula. The message is part of the response. */
export class FormulaError extends Error {
  override readonly name = 'FormulaError'
}

/** A cell that cannot be computed, which Airtable shows as #ERROR!. */
class CellError extends Error {
  override readonly name = 'CellError'
}

/** A date and time, distinct from text and numbers. In ms since 1970. */
type DateTime = { moment: number }

export type Value = string | number | boolean | DateTime | null

/** The properties of a record that formulas can use. */
export type Row = { id: string; createdTime: number; cell(name: string): Value }

const invalid = () => new FormulaError('Invalid formula. Please check your formula text.')

type Evaluate = (row: Row) => Value

/** A function's number of arguments, and its implementation. */
type Definition = { least: number; most: number; value: (given: Evaluate[], row: Row) => Value }

const functions: Record<string, Definition> = {
  // Every argument is computed: an error in one of them is the result.
  OR: {
    least: 1,
    most: Infinity,
    value: (given, row) => given.map((part) => isTrue(part(row))).includes(true),
  },
  // Only the chosen branch is computed: an error in the other has no effect.
  IF: {
    least: 2,
    most: 3,
    value: ([condition, then, otherwise], row) =>
      (condition && isTrue(condition(row)) ? then : otherwise)?.(row) ?? null,
  },
  ISERROR: { least: 1, most: 1, value: ([part], row) => isError(part, row) },
  FALSE: { least: 0, most: 0, value: () => false },
  RECORD_ID: { least: 0, most: 0, value: (_, row) => row.id },
  CREATED_TIME: { least: 0, most: 0, value: (_, row) => ({ moment: row.createdTime }) },
  DATETIME_PARSE: {
    least: 1,
    most: 1,
    value: ([text], row) => ({ moment: toTimestamp(text?.(row)) }),
  },
  IS_AFTER: {
    least: 2,
    most: 2,
    value: ([one, other], row) => toTimestamp(one?.(row)) > toTimestamp(other?.(row)),
  },
}

function isError(part: Evaluate | undefined, row: Row): boolean {
  try {
    part?.(row)
    return false
  } catch (error) {
    if (error instanceof CellError) return true
    throw error
  }
}

function isTrue(value: Value): boolean {
  return value !== null && value !== '' && value !== 0 && value !== false
}

/** Parses ISO 8601 only. */
function toTimestamp(value: Value | undefined): number {
  if (typeof value === 'object' && value !== null) return value.moment
  const isDate = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(value)
  const parsed = isDate ? Date.parse(value) : Number.NaN
  if (Number.isNaN(parsed)) throw new CellError('not a date')
  return parsed
}

function toText(value: Value): string {
  if (value === null) return ''
  return typeof value === 'object' ? new Date(value.moment).toISOString() : String(value)
}

const TEXT = /\s*'([^'\\]*)'/y
const FIELD = /\s*\{([^}\\]*)\}/y
const CALL = /\s*([A-Z_]+)\(/y
const SIGNS = { equals: /\s*(=)/y, comma: /\s*(,)/y, close: /\s*(\))/y, end: /\s*($)/y }

/**
 * Compiles a formula into a filter. It knows texts, fields, `=` and some functions: what clients of this sandbox send. All
 * names are resolved before any row is read. Rows for which the formula cannot be computed are left out.
 *
 * @param hasField whether the table has a field of that name
 * @throws FormulaError when the formula is invalid, or names an unknown field
 */
export function formulaFilter(
  formula: string,
  hasField: (field: string) => boolean,
): (row: Row) => boolean {
  let at = 0

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(formula)
    at += found?.[0].length ?? 0
    return found?.[1]
  }
  const expect = (pattern: RegExp) => {
    if (take(pattern) === undefined) throw invalid()
  }

  function whole(): Evaluate {
    const left = single()
    if (take(SIGNS.equals) === undefined) return left
    const right = single()
    return (row) => toText(left(row)) === toText(right(row))
  }

  function single(): Evaluate {
    const text = take(TEXT)
    if (text !== undefined) return () => text
    const field = take(FIELD)
    if (field === undefined) return call()
    if (!hasField(field)) throw new FormulaError(`Unknown field names: ${field.toLowerCase()}`)
    return (row) => row.cell(field)
  }

  function call(): Evaluate {
    const definition = functions[take(CALL) ?? '']
    if (!definition) throw invalid()
    const given: Evaluate[] = []
    while (take(SIGNS.close) === undefined) {
      if (given.length > 0) expect(SIGNS.comma)
      given.push(whole())
    }
    if (given.length < definition.least || given.length > definition.most) throw invalid()
    return (row) => definition.value(given, row)
  }

  const evaluate = whole()
  expect(SIGNS.end)
  return (row) => {
    try {
      return isTrue(evaluate(row))
    } catch (error) {
      if (error instanceof CellError) return false
      throw error
    }
  }
}
