import { describe, expect, it } from 'vitest'
import { formatPrice, parsePrice } from './money.ts'

const NBSP = '\u00a0'

describe('a price', () => {
  it.each([
    ['9,90', 990],
    ['9.90', 990],
    ['9,9', 990],
    ['12', 1_200],
    ['0,05', 5],
    ['0', 0],
    ['€ 9,90', 990],
    ['€9,90', 990],
    ['9,90€', 990],
    [`9,90${NBSP}€`, 990],
    [`€${NBSP}9,90`, 990],
    ['9,90\u202f€', 990],
    ['EUR 9,90', 990],
    ['9,90 eur', 990],
    ['Euro 9,90', 990],
    ['9,90 euro', 990],
    [' 9,90\n', 990],
    ['1.234,50 €', 123_450],
    ['1234,50', 123_450],
    ['1.234', 123_400],
    ['99.999,99', 9_999_999],
  ])('is read from %j', (text, cents) => {
    expect(parsePrice(text)).toBe(cents)
  })

  it.each([
    '',
    ' ',
    '€',
    'gratis',
    '-1',
    '−1,00',
    '+1',
    '9,999',
    '9,90,0',
    '9,',
    ',90',
    '9 90',
    '9, 90',
    // Ambiguous: a thousand, or one with three decimals.
    '1,234.50',
    '1,234',
    '1.23.450',
    '123.456',
    '100000',
    '99.999,999',
    '9,90 - 12,50',
    'da 9,90',
    'circa 9,90 €',
    '€ 9,90 €',
    '$ 9,90',
    '9,90 %',
    '1e3',
    '0x10',
    'NaN',
    '９,９０',
  ])('is not read from %j', (text) => {
    expect(parsePrice(text)).toBeUndefined()
  })

  it.each([
    [990, '9,90 €'],
    [5, '0,05 €'],
    [0, '0,00 €'],
    [123_450, '1.234,50 €'],
    [1_234_500, '12.345,00 €'],
  ])('of %d cents is shown as %s', (cents, text) => {
    expect(formatPrice(cents).replace(NBSP, ' ')).toBe(text)
  })

  it.each([0, 1, 10, 99, 100, 990, 12_345, 123_456, 1_000_000, 9_999_999])(
    'of %d cents is read as it is shown',
    (cents) => {
      expect(parsePrice(formatPrice(cents))).toBe(cents)
    },
  )
})
