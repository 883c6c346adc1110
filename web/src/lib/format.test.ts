import { describe, expect, test } from 'vitest'
import {
  formatCompactNumber,
  formatDateTime,
  formatMoment,
  formatNumber,
  formatRelative,
  formatTime,
} from './format.ts'

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
    ['20 seconds ahead', '2026-01-05T12:00:20Z', '2026-01-05T12:00:00Z', 'adesso'],
    ['50 seconds', '2026-01-05T11:59:10Z', '2026-01-05T12:00:00Z', 'adesso'],
    ['a minute', '2026-01-05T11:59:00Z', '2026-01-05T12:00:00Z', '1 minuto fa'],
    ['minutes', '2026-01-05T11:57:00Z', '2026-01-05T12:00:00Z', '3 minuti fa'],
    ['an hour', '2026-01-05T11:00:00Z', '2026-01-05T12:00:00Z', '1 ora fa'],
    ['since midnight in Rome', '2026-01-04T23:00:00Z', '2026-01-05T22:59:00Z', '23 ore fa'],
    ['seconds over midnight', '2026-01-04T22:59:50Z', '2026-01-04T23:00:30Z', 'adesso'],
    ['minutes over midnight', '2026-01-04T22:58:00Z', '2026-01-04T23:00:00Z', 'ieri'],
    ['less than a day, but yesterday', '2026-01-04T13:00:00Z', '2026-01-05T12:00:00Z', 'ieri'],
    ['almost two days, but yesterday', '2026-01-03T23:01:00Z', '2026-01-05T22:00:00Z', 'ieri'],
    ['less than two days', '2025-11-19T14:49:00Z', '2025-11-21T10:00:00Z', 'l\u2019altro ieri'],
    ['three days', '2026-01-02T22:00:00Z', '2026-01-05T12:00:00Z', '3 giorni fa'],
    ['six days', '2025-12-30T01:00:00Z', '2026-01-05T12:00:00Z', '6 giorni fa'],
    ['seven days', '2025-12-29T22:00:00Z', '2026-01-05T12:00:00Z', null],
    [
      'over the day of 23 hours',
      '2026-03-28T22:30:00Z',
      '2026-03-29T22:30:00Z',
      'l\u2019altro ieri',
    ],
    ['within the day of 23 hours', '2026-03-28T23:30:00Z', '2026-03-29T21:30:00Z', '22 ore fa'],
    ['within the day of 25 hours', '2026-10-24T22:30:00Z', '2026-10-25T22:30:00Z', '24 ore fa'],
    [
      'over the day of 25 hours',
      '2026-10-24T21:30:00Z',
      '2026-10-25T23:30:00Z',
      'l\u2019altro ieri',
    ],
    ['over the new year', '2025-12-31T22:00:00Z', '2026-01-01T10:00:00Z', 'ieri'],
    ['a day ahead', '2026-01-06T12:00:00Z', '2026-01-05T12:00:00Z', null],
    ['no date', 'niente', '2026-01-05T12:00:00Z', null],
  ])('%s: %s seen at %s is %s', (_case, value, seen, text) => {
    expect(formatRelative(value, Date.parse(seen))).toBe(text)
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

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,0K'],
  [1250, '1,3K'],
  [12_340, '12,3K'],
  [999_949, '999,9K'],
  [999_950, '1,0M'],
  [1_000_000, '1,0M'],
  [1_234_567_890, '1.234,6M'],
])('%d in short is %s', (value, text) => {
  expect(formatCompactNumber(value)).toBe(text)
})
