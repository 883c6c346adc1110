/** An invalid formula. The message is part of the response. */
export class FormulaError extends Error {
  override readonly name = 'FormulaError'
}

export type Token =
  | { kind: 'text'; value: string }
  | { kind: 'number'; value: number }
  | { kind: 'field'; value: string }
  | { kind: 'name'; value: string }
  | { kind: 'symbol'; value: string }

const SYMBOL = /[<>!]=|[=<>&+\-*/(),]/y
const NUMBER = /\d+(?:\.\d+)?|\.\d+/y
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy
const SPACE = /\s+/y

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r' }

/** Splits a formula into tokens. */
export function tokens(formula: string): Token[] {
  const found: Token[] = []
  let at = 0

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(formula)?.[0]
    if (match !== undefined) at += match.length
    return match
  }

  /** The text up to the closing character; a backslash escapes. */
  const enclosed = (end: string): string => {
    let value = ''
    for (at += 1; at < formula.length; at += 1) {
      const sign = formula.charAt(at)
      if (sign === end) {
        at += 1
        return value
      }
      if (sign === '\\') {
        at += 1
        const escaped = formula.charAt(at)
        value += escapes[escaped] ?? escaped
      } else value += sign
    }
    throw new FormulaError('Invalid formula. Please check your formula text.')
  }

  while (at < formula.length) {
    if (take(SPACE) !== undefined) continue
    const sign = formula.charAt(at)
    if (sign === "'" || sign === '"') {
      found.push({ kind: 'text', value: enclosed(sign) })
      continue
    }
    if (sign === '{') {
      found.push({ kind: 'field', value: enclosed('}') })
      continue
    }
    const number = take(NUMBER)
    if (number !== undefined) {
      found.push({ kind: 'number', value: Number(number) })
      continue
    }
    const name = take(NAME)
    if (name !== undefined) {
      found.push({ kind: 'name', value: name })
      continue
    }
    const symbol = take(SYMBOL)
    if (symbol === undefined) {
      throw new FormulaError('Invalid formula. Please check your formula text.')
    }
    found.push({ kind: 'symbol', value: symbol })
  }
  return found
}
