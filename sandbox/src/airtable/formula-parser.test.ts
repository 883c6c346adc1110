import { describe, expect, it } from 'vitest'
import { type Expression, parseFormula } from './formula-parser.ts'
import { FormulaError } from './formula-tokens.ts'

/** An expression with all its brackets. */
function shown(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return JSON.stringify(expression.value)
    case 'field':
      return `{${expression.name}}`
    case 'call':
      return `${expression.name}(${expression.given.map(shown).join(', ')})`
    case 'operation':
      return `(${shown(expression.left)} ${expression.operator} ${shown(expression.right)})`
  }
}

describe('a formula', () => {
  it.each([
    ['1 + 2 * 3', '(1 + (2 * 3))'],
    ['(1 + 2) * 3', '((1 + 2) * 3)'],
    ['10 - 4 - 3', '((10 - 4) - 3)'],
    ['12 / 2 * 3', '((12 / 2) * 3)'],
    ["1 + 1 = '2' & ''", '((1 + 1) = ("2" & ""))'],
    ["'a' & 1 + 2", '("a" & (1 + 2))'],
    ['1 < 2 = 3', '((1 < 2) = 3)'],
    ['-3 + 5', '((0 - 3) + 5)'],
    ['2 * -3', '(2 * (0 - 3))'],
    ['--1', '(0 - (0 - 1))'],
    ['-(1 + 2)', '(0 - (1 + 2))'],
    ['Stato', '{Stato}'],
    ['{ID Ordine}>5', '({ID Ordine} > 5)'],
    ['true()', 'TRUE()'],
    ['And ( 1 ,Stato )', 'AND(1, {Stato})'],
    ["NOT(OR({A}='x', 2))", 'NOT(OR(({A} = "x"), 2))'],
  ])('%s is read as %s', (formula, brackets) => {
    expect(shown(parseFormula(formula))).toBe(brackets)
  })

  it.each([
    '',
    '  ',
    '1 +',
    '= 1',
    '* 2',
    '1 2',
    "'a' 'b'",
    '(1',
    '1)',
    '()',
    'AND(',
    'AND(1',
    'AND(1,',
    'AND(1,)',
    'AND(,1)',
    'AND(1 2)',
    'AND(1))',
    '{A} {B}',
    '1 == 2',
    '1 <> 2',
    '2x',
  ])('%j is refused', (formula) => {
    expect(() => parseFormula(formula)).toThrow(FormulaError)
  })

  it('may be deep, but not without end', () => {
    const deep = (levels: number) => `${'('.repeat(levels)}1${')'.repeat(levels)}`
    expect(shown(parseFormula(deep(50)))).toBe('1')
    expect(() => parseFormula(deep(100_000))).toThrow(FormulaError)
    expect(() => parseFormula(`${'-'.repeat(100_000)}1`)).toThrow(FormulaError)
  })
})
