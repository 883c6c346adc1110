import { describe, expect, it } from 'vitest'
import { FormulaError, tokens } from './formula-tokens.ts'

const values = (formula: string) => tokens(formula).map(({ kind, value }) => [kind, value])

describe('the words of a formula', () => {
  it.each([
    { formula: '', words: [] },
    { formula: ' \n\t ', words: [] },
    { formula: '12', words: [['number', 12]] },
    { formula: '1.50', words: [['number', 1.5]] },
    { formula: '.5', words: [['number', 0.5]] },
    { formula: 'Cliente', words: [['name', 'Cliente']] },
    { formula: 'IS_AFTER', words: [['name', 'IS_AFTER']] },
    { formula: 'Città2', words: [['name', 'Città2']] },
    { formula: '{ID Ordine}', words: [['field', 'ID Ordine']] },
    { formula: '{}', words: [['field', '']] },
    {
      formula: '<=<>=>!==',
      words: [
        ['symbol', '<='],
        ['symbol', '<'],
        ['symbol', '>='],
        ['symbol', '>'],
        ['symbol', '!='],
        ['symbol', '='],
      ],
    },
    {
      formula: '&+-*/(),',
      words: Array.from('&+-*/(),', (sign) => ['symbol', sign]),
    },
    {
      formula: "AND({A}='b',1)",
      words: [
        ['name', 'AND'],
        ['symbol', '('],
        ['field', 'A'],
        ['symbol', '='],
        ['text', 'b'],
        ['symbol', ','],
        ['number', 1],
        ['symbol', ')'],
      ],
    },
  ])('are read in $formula', ({ formula, words }) => {
    expect(values(formula)).toEqual(words)
  })

  it.each([
    { formula: `'testo'`, text: 'testo' },
    { formula: `"testo"`, text: 'testo' },
    { formula: `''`, text: '' },
    { formula: `"l'ordine"`, text: `l'ordine` },
    { formula: `'dice "sì"'`, text: 'dice "sì"' },
    { formula: String.raw`'D\'Angelo'`, text: `D'Angelo` },
    { formula: String.raw`"\"così\""`, text: '"così"' },
    { formula: String.raw`'a\\b'`, text: String.raw`a\b` },
    { formula: String.raw`'a\nb\tc'`, text: 'a\nb\tc' },
    { formula: `'a{b}c'`, text: 'a{b}c' },
  ])('give the text $text for $formula', ({ formula, text }) => {
    expect(values(formula)).toEqual([['text', text]])
  })

  it('take a bracket that a backslash protects into the name of a column', () => {
    expect(values(String.raw`{a\}b}`)).toEqual([['field', 'a}b']])
  })

  it.each([
    "'senza fine",
    '"senza fine',
    '{senza fine',
    String.raw`'fine protetta\'`,
    '§',
    'a;b',
    '!',
  ])('are refused in %s', (formula) => {
    expect(() => tokens(formula)).toThrow(FormulaError)
  })
})
