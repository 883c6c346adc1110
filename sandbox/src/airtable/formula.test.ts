import { describe, expect, it } from 'vitest'
import { formulaFilter, type Row } from './formula.ts'
import { FormulaError } from './formula-tokens.ts'
import type { Value } from './formula-values.ts'

const CELLS: Record<string, Value> = {
  Cliente: "Caterina D'Angelo",
  Stato: 'In attesa',
  Pezzi: 7,
  Zero: 0,
  Vuoto: null,
  Giorno: '2026-02-10',
  Last: { moment: Date.parse('2026-02-11T10:00:00.000Z') },
  'Città {vecchia}': 'Venezia',
}

const row: Row = {
  id: 'recAbC123',
  createdTime: Date.parse('2026-02-10T08:00:00.000Z'),
  modifiedTime: Date.parse('2026-02-11T10:00:00.000Z'),
  cell: (name) => CELLS[name] ?? null,
}

const passes = (formula: string) =>
  formulaFilter(formula, (name) => Object.hasOwn(CELLS, name))(row)

describe('a row is let through by', () => {
  it.each([
    // operators
    "{Stato} = 'In attesa'",
    "Stato != 'Confermato'",
    '{Pezzi} > 6',
    '{Pezzi} >= 7',
    '{Pezzi} < 8',
    '{Pezzi} <= 7',
    '{Pezzi} + 1 = 8',
    '{Pezzi} - 10 = -3',
    '{Pezzi} * 2 = 14',
    '{Pezzi} / 2 = 3.5',
    "{Stato} & '/' & {Pezzi} = 'In attesa/7'",
    '-{Pezzi} < 0',
    // what is computed first
    '1 + 2 * 3 = 7',
    '(1 + 2) * 3 = 9',
    '10 - 4 - 3 = 3',
    '12 / 2 * 3 = 18',
    '2 * -3 = -6',
    '--1 = 1',
    '.5 + 1.50 = 2',
    "1 + 1 = '2' & ''",
    "'a' & 1 + 2 = 'a3'",
    // values of different kinds
    "1 = '1'",
    'BLANK() = 0',
    'BLANK() = FALSE()',
    "'9' < 10",
    "'10' < '9'",
    'BLANK() < 1',
    // what a row holds, alone
    '{Pezzi}',
    '1',
    "'testo'",
    // empty cells
    "{Vuoto} = ''",
    '{Vuoto} = BLANK()',
    'BLANK() = {Vuoto}',
    '{Cliente} != BLANK()',
    "{Vuoto} & 'a' = 'a'",
    '{Vuoto} + 1 = 1',
    'NOT({Vuoto})',
    // logic
    'AND(1, {Pezzi}, TRUE())',
    'OR(0, {Vuoto}, {Pezzi})',
    'NOT(FALSE())',
    'TRUE() = 1',
    'and(true(), Not(false()))',
    // choices
    "IF({Pezzi}, 'sì', {Vuoto})",
    "IF({Zero}, 'sì', 'no') = 'no'",
    'IF({Zero}, 1) = BLANK()',
    // errors, and what is not one
    'ISERROR({Pezzi} / {Zero})',
    "ISERROR(IS_AFTER({Vuoto}, '2026-01-01'))",
    "NOT(ISERROR(IS_AFTER({Last}, '2026-01-01')))",
    'NOT(ISERROR({Vuoto}))',
    'NOT(ISERROR(BLANK()))',
    'ISERROR(AND(1, ISERROR({Stato} * 2), {Stato} * 2))',
    // an error in the branch that is not taken
    'IF({Pezzi}, 1, {Stato} * 2)',
    'IF({Zero}, {Stato} * 2, 1)',
    'OR(IF(ISERROR({Stato} * 2), FALSE(), {Stato} * 2), {Pezzi})',
    `OR(${Array.from({ length: 500 }, (_, n) => `{Pezzi} = ${n}`).join(', ')})`,
    // about the record
    "RECORD_ID() = 'recAbC123'",
    "IS_AFTER(CREATED_TIME(), '2026-02-10T07:59:59.999Z')",
    "IS_BEFORE(CREATED_TIME(), '2026-02-10T08:00:00.001Z')",
    "IS_AFTER(LAST_MODIFIED_TIME(), '2026-02-11T09:59:59.999Z')",
    'IS_BEFORE(CREATED_TIME(), LAST_MODIFIED_TIME())',
    'LAST_MODIFIED_TIME() = {Last}',
    // dates
    "IS_AFTER({Last}, DATETIME_PARSE('2026-02-11T09:59:59.999Z'))",
    "IS_AFTER({Last}, '2026-02-11')",
    "IS_BEFORE({Giorno}, '2026-02-11')",
    "{Last} > '2026-02-11T10:59:59+01:00'",
    "{Giorno} = '2026-02-10'",
    "DATETIME_PARSE('2026-01-01T12:00:00+02:00') = DATETIME_PARSE('2026-01-01 10:00:00')",
    "DATETIME_PARSE('2026-01-01T12:00-0130') = '2026-01-01T13:30:00.000Z'",
    // text
    String.raw`LEN('a\\b\n\t') = 5`,
    `LEN("l'ordine {b}") = 12`,
    "LOWER({Stato}) = 'in attesa'",
    "UPPER({Stato}) = 'IN ATTESA'",
    'LEN({Stato}) = 9',
    'LEN({Vuoto}) = 0',
    "FIND('attesa', {Stato}) = 4",
    "FIND('t', {Stato}, 6) = 6",
    "FIND('Attesa', {Stato}) = 0",
    "SEARCH('ATTESA', {Stato}) = 4",
    "SEARCH('x', {Stato}) = BLANK()",
    String.raw`{Cliente} = 'Caterina D\'Angelo'`,
    `{Cliente} = "Caterina D'Angelo"`,
    String.raw`{Città {vecchia\}} = 'Venezia'`,
  ])('%s', (formula) => {
    expect(passes(formula)).toBe(true)
  })
})

describe('a row is held back by', () => {
  it.each([
    "{Stato} = 'in attesa'",
    "{Stato} != 'In attesa'",
    '{Pezzi} > 7',
    '{Pezzi} < 7',
    '{Pezzi} >= 8',
    '{Pezzi} <= 6',
    "'a' = 'a '",
    "'' = 0",
    'TRUE() = 2',
    "BLANK() = 'a'",
    '{Zero}',
    '{Vuoto}',
    "''",
    'BLANK()',
    'AND({Pezzi}, {Zero})',
    'OR({Vuoto}, {Zero}, FALSE())',
    'NOT({Pezzi})',
    "RECORD_ID() = 'recabc123'",
    "IS_AFTER(CREATED_TIME(), '2026-02-10T08:00:00.000Z')",
    "IS_BEFORE(CREATED_TIME(), '2026-02-10T08:00:00.000Z')",
    "IS_AFTER({Last}, DATETIME_PARSE('2026-02-11T10:00:00.000Z'))",
    "FIND('z', {Stato})",
    "FIND('I', {Stato}, 2)",
    "SEARCH('z', {Stato})",
    'IF({Zero}, 1)',
    'IF({Pezzi}, {Zero}, 1)',
    'ISERROR({Pezzi})',
    'ISERROR(ISERROR({Stato} * 2))',
  ])('%s', (formula) => {
    expect(passes(formula)).toBe(false)
  })
})

describe('a row that cannot be computed is left out by', () => {
  it.each([
    '{Pezzi} / {Zero} = 1',
    '{Pezzi} / {Zero} != 1',
    '{Stato} + 1 = 1',
    'NOT({Stato} * 2)',
    "IS_AFTER({Vuoto}, '2026-01-01')",
    "NOT(IS_AFTER({Vuoto}, '2026-01-01'))",
    "IS_BEFORE('domani', {Last})",
    "DATETIME_PARSE('11/02/2026')",
    "DATETIME_PARSE('2026-13-01')",
    "DATETIME_PARSE('2026-01-01T25:00')",
    "DATETIME_PARSE('2026')",
    'DATETIME_PARSE(20260101)',
    '{Last} + 1',
    '{Last} < BLANK()',
    'OR(1, {Stato} > 5)',
    'IF({Pezzi}, {Stato} * 2, 1)',
    'IF({Zero}, 1, {Stato} * 2)',
    'IF({Stato} * 2, 1, 1)',
    'OR(1, IF({Stato} * 2, 1, 1))',
    'AND(ISERROR({Stato} * 2), {Stato} * 2)',
  ])('%s', (formula) => {
    expect(passes(formula)).toBe(false)
  })
})

describe('before any row is looked at', () => {
  const prepare = (formula: string) => () => formulaFilter(formula, (name) => name === 'Stato')

  it.each([
    "{Telefono} = 'x'",
    "AND(1, LOWER({Telefono}) = 'x')",
    // An unknown field is an error even in an unused branch.
    'IF(1, 1, {Telefono})',
    'ISERROR({Telefono})',
    // Not a field, despite its name.
    "{createdTime} > '2026-01-01'",
  ])('%s is refused, with the name of the column', (formula) => {
    expect(prepare(formula)).toThrow(/^Unknown field names: (?:telefono|createdtime)$/)
    expect(prepare(formula)).toThrow(FormulaError)
  })

  it.each([
    'NOW_AND_THEN()',
    'AND()',
    'NOT()',
    'NOT(1, 2)',
    'IF(1)',
    'IF(1, 2, 3, 4)',
    'ISERROR()',
    'ISERROR(1, 2)',
    'TRUE(1)',
    'RECORD_ID(1)',
    "IS_AFTER('2026-01-01')",
    "FIND('a')",
    "FIND('a', 'b', 1, 2)",
    'LEN()',
    'toString()',
    'constructor(1)',
    '1 +',
    '= 1',
    '1 2',
    '(1',
    '1)',
    '()',
    'AND(1,)',
    'AND(,1)',
    'AND(1 2)',
    '{Stato} {Stato}',
    '1 == 2',
    '2x',
    "'senza fine",
    '{senza fine',
    String.raw`'fine protetta\'`,
    '1;2',
    '!',
  ])('%s is refused', (formula) => {
    expect(prepare(formula)).toThrow('Invalid formula. Please check your formula text.')
  })

  it.each(['(', '-'])('a formula of endless %s is refused', (sign) => {
    expect(prepare(`${sign.repeat(100_000)}1`)).toThrow(FormulaError)
  })
})
