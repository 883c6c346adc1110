import { expect, test } from 'vitest'
import { busyHours, hourRange } from '../../../lib/hours.ts'
import { durationText } from './priority-report-page.tsx'

test.each([
  [null, '–'],
  [0, '0 s'],
  [45.4, '45 s'],
  [59.6, '1 min'],
  [270, '4 min 30 s'],
  [3_600, '60 min'],
])('a wait of %j seconds is %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

test('the hours reach from the first arrival to the last', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    hour,
    arrivals: hour === 9 || hour === 12 ? 2 : 0,
    medianWait: null,
  }))
  const isBusy = ({ arrivals }: { arrivals: number }) => arrivals > 0
  expect(busyHours(hours, isBusy).map(({ hour }) => hourRange(hour))).toEqual([
    '09–10',
    '10–11',
    '11–12',
    '12–13',
  ])
  expect(busyHours(hours.slice(0, 9), isBusy)).toEqual([])
})
