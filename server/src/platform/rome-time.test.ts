import { expect, it } from 'vitest'
import { romeTime } from './rome-time.ts'

it.each([
  { time: '2026-01-15T08:00:00.000Z', shown: '2026-01-15T09:00' },
  { time: '2026-07-15T08:00:59.999Z', shown: '2026-07-15T10:00' },
  // The night in which an hour is missing, and the one in which an hour comes twice.
  { time: '2026-03-29T00:59:59.000Z', shown: '2026-03-29T01:59' },
  { time: '2026-03-29T01:00:00.000Z', shown: '2026-03-29T03:00' },
  { time: '2026-10-25T00:30:00.000Z', shown: '2026-10-25T02:30' },
  { time: '2026-10-25T01:30:00.000Z', shown: '2026-10-25T02:30' },
  { time: '2026-12-31T23:30:00.000Z', shown: '2027-01-01T00:30' },
])('$time is $shown in Rome', ({ time, shown }) => {
  expect(romeTime(time)).toBe(Date.parse(`${shown}Z`))
})

it.each(['infinity', '+012026-01-01T00:00:00.000Z', '-000043-01-01T00:00:00.000Z'])(
  '%s is no time',
  (time) => expect(romeTime(time)).toBeNull(),
)
