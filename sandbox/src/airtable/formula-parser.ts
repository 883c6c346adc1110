import { FormulaError, type Token, tokens } from './formula-tokens.ts'

export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | '&' | '+' | '-' | '*' | '/'

export type Expression =
  | { kind: 'literal'; value: string | number }
  | { kind: 'field'; name: string }
  | { kind: 'call'; name: string; given: Expression[] }
  | { kind: 'operation'; operator: Operator; left: Expression; right: Expression }

/** Operators by precedence, the lowest first; those of one line are left-associative. */
const LEVELS: readonly (readonly Operator[])[] = [
  ['=', '!=', '<', '<=', '>', '>='],
  ['&'],
  ['+', '-'],
  ['*', '/'],
]

/** The maximum nesting depth, which protects the stack. */
const DEEPEST = 60

const INVALID = 'Invalid formula. Please check your formula text.'

/** Parses a formula. @throws FormulaError */
export function parseFormula(formula: string): Expression {
  const words = tokens(formula)
  let at = 0
  let depth = 0

  const isSymbol = (value: string) => words[at]?.kind === 'symbol' && words[at]?.value === value

  const expect = (value: string) => {
    if (!isSymbol(value)) throw new FormulaError(INVALID)
    at += 1
  }

  function level(index: number): Expression {
    const operators = LEVELS[index]
    if (!operators) return single()
    let left = level(index + 1)
    for (;;) {
      const operator = operators.find(isSymbol)
      if (!operator) return left
      at += 1
      left = { kind: 'operation', operator, left, right: level(index + 1) }
    }
  }

  function whole(): Expression {
    depth += 1
    if (depth > DEEPEST) throw new FormulaError(INVALID)
    const found = level(0)
    depth -= 1
    return found
  }

  function call(name: string): Expression {
    expect('(')
    const given: Expression[] = []
    while (!isSymbol(')')) {
      if (given.length > 0) expect(',')
      given.push(whole())
    }
    expect(')')
    return { kind: 'call', name: name.toUpperCase(), given }
  }

  function single(): Expression {
    const word: Token | undefined = words[at]
    if (!word) throw new FormulaError(INVALID)
    if (isSymbol('-')) {
      at += 1
      depth += 1
      if (depth > DEEPEST) throw new FormulaError(INVALID)
      const right = single()
      depth -= 1
      return { kind: 'operation', operator: '-', left: { kind: 'literal', value: 0 }, right }
    }
    if (isSymbol('(')) {
      at += 1
      const inner = whole()
      expect(')')
      return inner
    }
    at += 1
    if (word.kind === 'text' || word.kind === 'number')
      return { kind: 'literal', value: word.value }
    if (word.kind === 'field') return { kind: 'field', name: word.value }
    if (word.kind === 'symbol') throw new FormulaError(INVALID)
    return isSymbol('(') ? call(word.value) : { kind: 'field', name: word.value }
  }

  const formulaAsWhole = whole()
  if (at < words.length) throw new FormulaError(INVALID)
  return formulaAsWhole
}
