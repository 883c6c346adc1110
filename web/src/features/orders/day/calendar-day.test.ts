import { expect, test } from 'vitest'
import { addDays, CalendarDay, dayOf, formatDay } from './calendar-day.ts'

test.each([
  ['2026-11-21T12:00:00Z', '2026-11-21'],
  ['2026-11-21T22:59:59Z', '2026-11-21'],
  ['2026-11-21T23:00:00Z', '2026-11-22'],
  ['2026-07-01T22:00:00Z', '2026-07-02'],
])('%s is the day %s in Rome', (moment, day) => {
  expect(dayOf(Date.parse(moment))).toBe(day)
})

test.each([
  ['2026-11-21', 1, '2026-11-22'],
  ['2026-03-01', -1, '2026-02-28'],
  ['2028-02-28', 1, '2028-02-29'],
  ['2026-12-31', 1, '2027-01-01'],
  // The days on which the clocks change.
  ['2026-03-29', 1, '2026-03-30'],
  ['2026-10-25', -1, '2026-10-24'],
])('%s and %i days is %s', (day, days, other) => {
  expect(addDays(day, days)).toBe(other)
})

test('a day is written out in Italian', () => {
  expect(formatDay('2026-11-21')).toBe('sabato 21 novembre 2026')
})

test.each(['2026-02-30', '21/11/2026', '', 'oggi'])('%j is no day', (text) => {
  expect(CalendarDay.safeParse(text).success).toBe(false)
})
