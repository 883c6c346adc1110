import { type Expression, type Operator, parseFormula } from './formula-parser.ts'
import { FormulaError } from './formula-tokens.ts'
import {
  areEqual,
  CellError,
  compare,
  isTrue,
  toMoment,
  toNumber,
  toText,
  type Value,
} from './formula-values.ts'

/** What a formula may ask of a record. */
export type Row = {
  id: string
  createdTime: number
  modifiedTime: number
  cell(name: string): Value
}

type Evaluate = (row: Row) => Value

/** How many values a function takes, and what it makes of them. */
type Definition = { least: number; most: number; value: (given: Evaluate[], row: Row) => Value }

/** One that computes all it is given: an error in any of it is its own. */
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

/** The nth value given to a function: that it is there was checked when the formula was read. */
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
  // The branch that is not taken is not computed: an error in it is nobody's.
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
  DATETIME_PARSE: define(1, 1, (given) => ({ moment: toMoment(nth(given, 0)) })),
  IS_AFTER: define(2, 2, (given) => toMoment(nth(given, 0)) > toMoment(nth(given, 1))),
  IS_BEFORE: define(2, 2, (given) => toMoment(nth(given, 0)) < toMoment(nth(given, 1))),
  LOWER: define(1, 1, (given) => toText(nth(given, 0)).toLowerCase()),
  UPPER: define(1, 1, (given) => toText(nth(given, 0)).toUpperCase()),
  LEN: define(1, 1, (given) => toText(nth(given, 0)).length),
  FIND: define(2, 3, (given) => position(given, (text) => text)),
  // Unlike FIND: letters of either case are the same, and nothing found is an empty cell.
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

/** Looks every name up once, so that a formula that cannot work is refused before any row. */
function prepare(expression: Expression, knows: (field: string) => boolean): Evaluate {
  switch (expression.kind) {
    case 'literal':
      return () => expression.value
    case 'field': {
      const { name } = expression
      if (!knows(name)) throw new FormulaError(`Unknown field names: ${name.toLowerCase()}`)
      return (row) => row.cell(name)
    }
    case 'operation': {
      const operate = operations[expression.operator]
      const left = prepare(expression.left, knows)
      const right = prepare(expression.right, knows)
      return (row) => operate(left(row), right(row))
    }
    case 'call': {
      const definition = functions[expression.name]
      const count = expression.given.length
      if (!definition || count < definition.least || count > definition.most) {
        throw new FormulaError('Invalid formula. Please check your formula text.')
      }
      const given = expression.given.map((part) => prepare(part, knows))
      return (row) => definition.value(given, row)
    }
  }
}

/**
 * Makes a filter of a formula. A row the formula cannot be computed for is left out.
 *
 * @param knows whether the table has a field of that name
 * @throws FormulaError when it is not a formula, or asks for what is not there
 */
export function formulaFilter(
  formula: string,
  knows: (field: string) => boolean,
): (row: Row) => boolean {
  const evaluate = prepare(parseFormula(formula), knows)
  return (row) => {
    try {
      return isTrue(evaluate(row))
    } catch (error) {
      if (error instanceof CellError) return false
      throw error
    }
  }
}
