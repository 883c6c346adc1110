import type { Period } from '@bancone/contract/orders'
import { describe, expect, it } from 'vitest'
import { daysOf, isCounted, joinNumbers, resolveFilter } from './order-filter.rules.ts'

describe('a telephone number among the words', () => {
  it.each([
    ['3331234567', '3331234567'],
    ['333 123 4567', '3331234567'],
    ['333-1234567', '3331234567'],
    ['+39 333 1234567', '3331234567'],
    ['+39333', '333'],
    ['0039 333 12', '33312'],
    ['393331234567', '3331234567'],
    ['39 333 1234567', '3331234567'],
    ['(041) 522 33.44', '(0415223344'],
    ['041/5223344', '0415223344'],
    ['+41 79 123 45 67', '41791234567'],
    ['rossi 333 123 4567 garibaldi', 'rossi 3331234567 garibaldi'],
    ['３３３ １２３４５６７', '3331234567'],
  ])('%s is looked for as %s', (typed, words) => {
    expect(joinNumbers(typed)).toBe(words)
  })

  it.each([
    '482193',
    '39333',
    '30172 12',
    '1000 30172',
    'tachipirina 1000 3331234567',
    '12/03/2024',
    '12345678901',
    '+39',
    '+',
    'via Roma 1, 30121',
    '333 12',
    '',
  ])('%s stays as it is', (typed) => {
    expect(joinNumbers(typed)).toBe(typed)
  })
})

describe('what is sought', () => {
  const now = Date.parse('2026-06-15T10:00:00Z')

  it('is counted already when it is a state alone', () => {
    expect(isCounted(resolveFilter({}, now))).toBe(true)
    expect(isCounted(resolveFilter({ stato: ['Annullato'] }, now))).toBe(true)
    expect(isCounted(resolveFilter({ q: 'rossi' }, now))).toBe(false)
    expect(isCounted(resolveFilter({ periodo: 'oggi' }, now))).toBe(false)
    expect(isCounted(resolveFilter({ ritardo: 'si' }, now))).toBe(true)
    expect(isCounted(resolveFilter({ al: '2026-06-15' }, now))).toBe(false)
  })
  it('is late from two hours on, to the minute, whatever state is asked for', () => {
    const filter = resolveFilter({ ritardo: 'si', stato: ['Annullato'] }, now + 59_999)
    expect(filter).toMatchObject({
      statuses: ['In attesa'],
      lateBefore: '2026-06-15T08:00:00.000Z',
    })
  })
})

describe('the days of a period', () => {
  it.each<[Period, string, string, string]>([
    ['oggi', '2026-06-15T10:00:00Z', '2026-06-15', '2026-06-15'],
    ['ieri', '2026-06-15T10:00:00Z', '2026-06-14', '2026-06-14'],
    ['ultimi-7-giorni', '2026-06-15T10:00:00Z', '2026-06-09', '2026-06-15'],
    ['ultimi-30-giorni', '2026-06-15T10:00:00Z', '2026-05-17', '2026-06-15'],
    ['questo-mese', '2026-06-15T10:00:00Z', '2026-06-01', '2026-06-15'],
    ['mese-scorso', '2026-06-15T10:00:00Z', '2026-05-01', '2026-05-31'],
    // In Rome it is tomorrow already.
    ['oggi', '2026-06-30T22:00:00Z', '2026-07-01', '2026-07-01'],
    ['oggi', '2026-06-30T21:59:59Z', '2026-06-30', '2026-06-30'],
    ['questo-mese', '2026-06-30T22:30:00Z', '2026-07-01', '2026-07-01'],
    ['mese-scorso', '2026-12-31T23:30:00Z', '2026-12-01', '2026-12-31'],
    ['ieri', '2026-01-01T12:00:00Z', '2025-12-31', '2025-12-31'],
    ['mese-scorso', '2028-03-31T12:00:00Z', '2028-02-01', '2028-02-29'],
    // Summer time begins on March 29 at 01:00 UTC, and ends on October 25.
    ['oggi', '2026-03-28T23:00:00Z', '2026-03-29', '2026-03-29'],
    ['oggi', '2026-03-29T21:59:59Z', '2026-03-29', '2026-03-29'],
    ['oggi', '2026-03-29T22:00:00Z', '2026-03-30', '2026-03-30'],
    ['ieri', '2026-03-29T22:30:00Z', '2026-03-29', '2026-03-29'],
    ['ultimi-7-giorni', '2026-10-25T22:59:59Z', '2026-10-19', '2026-10-25'],
    ['ultimi-7-giorni', '2026-10-25T23:00:00Z', '2026-10-20', '2026-10-26'],
  ])('%s at %s is %s to %s', (periodo, now, from, to) => {
    expect(daysOf({ periodo }, Date.parse(now))).toEqual({ from, to })
  })

  it.each([
    [{}, null, null],
    [{ dal: '2026-03-29' }, '2026-03-29', null],
    [{ al: '2026-03-29' }, null, '2026-03-29'],
    [{ dal: '2026-03-30', al: '2026-03-29' }, '2026-03-30', '2026-03-29'],
    // What is given counts.
    [{ periodo: 'oggi' as const, al: '2026-03-29' }, null, '2026-03-29'],
    // There is no year 0 in PostgreSQL.
    [{ dal: '0000-05-01' }, '0001-01-01', null],
  ])('%j is %s to %s', (filter, from, to) => {
    expect(daysOf(filter, Date.parse('2026-06-15T10:00:00Z'))).toEqual({ from, to })
  })
})
