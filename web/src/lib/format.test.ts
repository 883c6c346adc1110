import { describe, expect, test } from 'vitest'
import { formatDateTime, formatMoment, formatNumber, formatRelative, formatTime } from './format.ts'

describe('a date and time', () => {
  test.each([
    ['2026-01-05T08:03:00.000Z', '05/01/2026 09:03'],
    ['2026-07-05T22:30:00.000Z', '06/07/2026 00:30'],
    ['2026-03-29T00:59:00Z', '29/03/2026 01:59'],
    ['2026-03-29T01:00:00Z', '29/03/2026 03:00'],
    ['2026-10-24T23:30:00+02:00', '24/10/2026 23:30'],
    ['', 'Data non valida'],
    ['ieri', 'Data non valida'],
    [undefined, 'Data non valida'],
  ])('%s reads %s in Rome', (value, text) => {
    expect(formatDateTime(value)).toBe(text)
  })
})

const now = Date.parse('2026-01-05T12:00:00Z')

describe('how long ago', () => {
  test.each([
    ['2026-01-05T12:00:20Z', 'adesso'],
    ['2026-01-05T11:59:10Z', 'adesso'],
    ['2026-01-05T11:59:00Z', '1 minuto fa'],
    ['2026-01-05T11:57:00Z', '3 minuti fa'],
    ['2026-01-05T11:00:00Z', '1 ora fa'],
    ['2026-01-04T13:00:00Z', '23 ore fa'],
    ['2026-01-04T12:00:00Z', 'ieri'],
    ['2026-01-02T12:00:00Z', '3 giorni fa'],
    ['2025-12-01T12:00:00Z', null],
    ['2026-01-06T12:00:00Z', null],
    ['niente', null],
  ])('%s is %s', (value, text) => {
    expect(formatRelative(value, now)).toBe(text)
  })
})

test('a moment carries its day when that is not today', () => {
  expect(formatMoment('2026-01-05T07:30:00Z', now)).toBe('delle 08:30')
  expect(formatMoment('2026-01-04T22:59:00Z', now)).toBe('delle 23:59 del 04/01/2026')
})

test('times and numbers are Italian', () => {
  expect(formatTime(now)).toBe('13:00')
  expect(formatNumber(1234)).toBe('1.234')
  expect(formatNumber(1234567)).toBe('1.234.567')
})
