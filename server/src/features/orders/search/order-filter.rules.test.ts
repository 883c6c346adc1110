import { describe, expect, it } from 'vitest'
import { isCounted, joinNumbers, resolveFilter } from './order-filter.rules.ts'

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
