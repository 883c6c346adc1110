import { expect, test } from 'vitest'
import { addDays, Day, dayOf, endOfDay, formatShortDay } from './dates.ts'

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

test.each([
  ['2026-11-22', '2026-11-22T23:00:00.000Z'],
  ['2026-07-01', '2026-07-01T22:00:00.000Z'],
  // The clocks change within these.
  ['2026-03-29', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', '2026-10-25T23:00:00.000Z'],
  ['2026-03-28', '2026-03-28T23:00:00.000Z'],
  ['2026-10-24', '2026-10-24T22:00:00.000Z'],
  ['2026-12-31', '2026-12-31T23:00:00.000Z'],
])('%s ends in Rome at %s', (day, end) => {
  expect(new Date(endOfDay(day)).toISOString()).toBe(end)
})

test('a day is shown as Italians write it', () => {
  expect(formatShortDay('2026-11-21')).toBe('21/11/2026')
})

test.each(['2026-02-30', '0000-01-01', '0000-02-29', '21/11/2026', '', 'oggi'])(
  '%j is no day',
  (text) => {
    expect(Day.safeParse(text).success).toBe(false)
  },
)
