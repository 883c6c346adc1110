import { describe, expect, it } from 'vitest'
import { FormulaError, formulaFilter, type Row, type Value } from './formula.ts'

const CELLS: Record<string, Value> = {
  Stato: 'In attesa',
  Pezzi: 7,
  Zero: 0,
  Vuoto: null,
  Giorno: '2026-02-10',
  Last: { moment: Date.parse('2026-02-11T10:00:00.000Z') },
}

const row: Row = {
  id: 'recAbC123',
  createdTime: Date.parse('2026-02-10T08:00:00.000Z'),
  cell: (name) => CELLS[name] ?? null,
}

const passes = (formula: string) =>
  formulaFilter(formula, (name) => Object.hasOwn(CELLS, name))(row)

describe('a row is let through by', () => {
  it.each([
    "{Stato} = 'In attesa'",
    "{Pezzi} = '7'",
    "{Vuoto} = ''",
    '{Pezzi}',
    "'testo'",
    'OR({Zero}, {Vuoto}, {Pezzi})',
    "IF({Pezzi}, 'sì', {Vuoto})",
    "IF({Zero}, 'sì', 'no') = 'no'",
    "ISERROR(IS_AFTER({Vuoto}, '2026-01-01'))",
    "ISERROR(OR('1', IS_AFTER({Stato}, '2026-01-01')))",
    // an error in the branch that is not taken
    'IF({Pezzi}, {Pezzi}, IS_AFTER({Stato}, {Last}))',
    "OR(IF(ISERROR(IS_AFTER({Vuoto}, {Last})), FALSE(), IS_AFTER({Vuoto}, {Last})), IS_AFTER(CREATED_TIME(), '2026-01-01'))",
    `OR(${Array.from({ length: 500 }, (_, n) => `{Pezzi} = '${n}'`).join(', ')})`,
    "RECORD_ID() = 'recAbC123'",
    "IS_AFTER(CREATED_TIME(), '2026-02-10T07:59:59.999Z')",
    "IS_AFTER({Last}, DATETIME_PARSE('2026-02-11T09:59:59.999Z'))",
    "IS_AFTER({Giorno}, '2026-02-09')",
  ])('%s', (formula) => {
    expect(passes(formula)).toBe(true)
  })
})

describe('a row is held back by', () => {
  it.each([
    "{Stato} = 'in attesa'",
    '{Zero}',
    '{Vuoto}',
    "''",
    'OR({Vuoto}, {Zero}, FALSE())',
    "RECORD_ID() = 'recabc123'",
    "IS_AFTER(CREATED_TIME(), '2026-02-10T08:00:00.000Z')",
    "IS_AFTER({Last}, DATETIME_PARSE('2026-02-11T10:00:00.000Z'))",
    'IF({Zero}, {Pezzi})',
    'ISERROR({Vuoto})',
    // what cannot be computed
    "IS_AFTER({Vuoto}, '2026-01-01')",
    "DATETIME_PARSE('11/02/2026')",
    "DATETIME_PARSE('2026-13-01')",
    'DATETIME_PARSE({Pezzi})',
    'OR({Pezzi}, IS_AFTER({Stato}, {Last}))',
  ])('%s', (formula) => {
    expect(passes(formula)).toBe(false)
  })
})

describe('before any row is looked at', () => {
  const prepare = (formula: string) => () => formulaFilter(formula, (name) => name === 'Stato')

  it.each([
    "{Telefono} = 'x'",
    // An unknown field is an error even in an unused branch.
    "IF('1', '1', {Telefono})",
    'ISERROR({Telefono})',
  ])('%s is refused, with the name of the column', (formula) => {
    expect(prepare(formula)).toThrow('Unknown field names: telefono')
    expect(prepare(formula)).toThrow(FormulaError)
  })

  it.each([
    '',
    'NOW_AND_THEN()',
    'toString()',
    'OR()',
    "IF('1')",
    "RECORD_ID('1')",
    "IS_AFTER('2026-01-01')",
    "'1' =",
    "= '1'",
    "'1' '2'",
    "OR('1',)",
    "OR('1' '2')",
    "OR('1'",
    "'1')",
    "'senza fine",
    '{senza fine',
  ])('%s is refused', (formula) => {
    expect(prepare(formula)).toThrow('Invalid formula. Please check your formula text.')
  })
})
