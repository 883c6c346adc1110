import { type Expression, type Operator, parseFormula } from './formula-parser.ts'
import { FormulaError } from './formula-tokens.ts'
import {
  areEqual,
  CellError,
  compare,
  isTrue,
  toNumber,
  toText,
  toTimestamp,
  type Value,
} from './formula-values.ts'

/** The properties of a record that formulas can use. */
export type Row = {
  id: string
  createdTime: number
  modifiedTime: number
  cell(name: string): Value
}

type Evaluate = (row: Row) => Value

/** A function's number of arguments, and its implementation. */
type Definition = { least: number; most: number; value: (given: Evaluate[], row: Row) => Value }

/** A function whose arguments are all computed; an error in one of them is its result. */
const define = (
  least: number,
  most: number,
  value: (given: Value[], row: Row) => Value,
): Definition => ({
  least,
  most,
  value: (given, row) =>
    value(
      given.map((part) => part(row)),
      row,
    ),
})

/** The nth argument. Its presence is checked when the formula is parsed. */
const nth = (given: Value[], index: number): Value => given[index] ?? null

function position(given: Value[], fold: (text: string) => string): number {
  const from = Math.max(0, toNumber(nth(given, 2)) - 1)
  return fold(toText(nth(given, 1))).indexOf(fold(toText(nth(given, 0))), from) + 1
}

const functions: Record<string, Definition> = {
  AND: define(1, Infinity, (given) => given.every(isTrue)),
  OR: define(1, Infinity, (given) => given.some(isTrue)),
  NOT: define(1, 1, (given) => !isTrue(nth(given, 0))),
  TRUE: define(0, 0, () => true),
  FALSE: define(0, 0, () => false),
  // Only the chosen branch is computed: an error in the other has no effect.
  IF: {
    least: 2,
    most: 3,
    value: ([condition, then, otherwise], row) => {
      const chosen = condition && isTrue(condition(row)) ? then : otherwise
      return chosen?.(row) ?? null
    },
  },
  ISERROR: { least: 1, most: 1, value: ([part], row) => isError(part, row) },
  BLANK: define(0, 0, () => null),
  RECORD_ID: define(0, 0, (_, row) => row.id),
  CREATED_TIME: define(0, 0, (_, row) => ({ moment: row.createdTime })),
  LAST_MODIFIED_TIME: define(0, 0, (_, row) => ({ moment: row.modifiedTime })),
  DATETIME_PARSE: define(1, 1, (given) => ({ moment: toTimestamp(nth(given, 0)) })),
  IS_AFTER: define(2, 2, (given) => toTimestamp(nth(given, 0)) > toTimestamp(nth(given, 1))),
  IS_BEFORE: define(2, 2, (given) => toTimestamp(nth(given, 0)) < toTimestamp(nth(given, 1))),
  LOWER: define(1, 1, (given) => toText(nth(given, 0)).toLowerCase()),
  UPPER: define(1, 1, (given) => toText(nth(given, 0)).toUpperCase()),
  LEN: define(1, 1, (given) => toText(nth(given, 0)).length),
  FIND: define(2, 3, (given) => position(given, (text) => text)),
  // Unlike FIND, it ignores case, and returns an empty cell when nothing is found.
  SEARCH: define(2, 3, (given) => position(given, (text) => text.toLowerCase()) || null),
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

const operations: Record<Operator, (left: Value, right: Value) => Value> = {
  '=': areEqual,
  '!=': (left, right) => !areEqual(left, right),
  '<': (left, right) => compare(left, right) < 0,
  '<=': (left, right) => compare(left, right) <= 0,
  '>': (left, right) => compare(left, right) > 0,
  '>=': (left, right) => compare(left, right) >= 0,
  '&': (left, right) => toText(left) + toText(right),
  '+': (left, right) => toNumber(left) + toNumber(right),
  '-': (left, right) => toNumber(left) - toNumber(right),
  '*': (left, right) => toNumber(left) * toNumber(right),
  '/': (left, right) => {
    if (toNumber(right) === 0) throw new CellError('division by zero')
    return toNumber(left) / toNumber(right)
  },
}

/** Resolves all names once, so that an invalid formula is refused before any row is read. */
function prepare(expression: Expression, hasField: (field: string) => boolean): Evaluate {
  switch (expression.kind) {
    case 'literal':
      return () => expression.value
    case 'field': {
      const { name } = expression
      if (!hasField(name)) throw new FormulaError(`Unknown field names: ${name.toLowerCase()}`)
      return (row) => row.cell(name)
    }
    case 'operation': {
      const operate = operations[expression.operator]
      const left = prepare(expression.left, hasField)
      const right = prepare(expression.right, hasField)
      return (row) => operate(left(row), right(row))
    }
    case 'call': {
      const definition = functions[expression.name]
      const count = expression.given.length
      if (!definition || count < definition.least || count > definition.most) {
        throw new FormulaError('Invalid formula. Please check your formula text.')
      }
      const given = expression.given.map((part) => prepare(part, hasField))
      return (row) => definition.value(given, row)
    }
  }
}

/**
 * Compiles a formula into a filter. Rows for which it cannot be computed are left out.
 *
 * @param hasField whether the table has a field of that name
 * @throws FormulaError when the formula is invalid, or names an unknown field
 */
export function formulaFilter(
  formula: string,
  hasField: (field: string) => boolean,
): (row: Row) => boolean {
  const evaluate = prepare(parseFormula(formula), hasField)
  return (row) => {
    try {
      return isTrue(evaluate(row))
    } catch (error) {
      if (error instanceof CellError) return false
      throw error
    }
  }
}
