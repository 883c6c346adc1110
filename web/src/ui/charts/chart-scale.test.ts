import { expect, test } from 'vitest'
import { niceTicks, plotOf, shownLabels } from './chart-scale.ts'

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [23, [0, 5, 10, 15, 20, 25]],
  [100, [0, 20, 40, 60, 80, 100]],
  [1_234_567_890, [0, 500_000_000, 1_000_000_000, 1_500_000_000]],
])('the axis up to %d has the ticks %j', (max, ticks) => {
  expect(niceTicks(max)).toEqual(ticks)
})

test('about seven labels are shown, and fewer where there is less room', () => {
  const year = Array.from({ length: 365 }, () => '12 mag')
  expect(shownLabels(year, 760)).toEqual([0, 53, 106, 159, 212, 265, 318])
  expect(shownLabels(year.slice(0, 7), 760)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(shownLabels(year, 280)).toHaveLength(4)
})

test('the pointer finds the nearest point, also beyond the edges', () => {
  const plot = plotOf({ width: 360, height: 240, count: 25, max: 9, inset: 6 })
  expect(plot.indexAt(plot.x(13) + plot.step * 0.4)).toBe(13)
  expect([plot.indexAt(-50), plot.indexAt(900)]).toEqual([0, 24])
  const single = plotOf({ width: 360, height: 240, count: 1, max: 9 })
  expect(single.indexAt(300)).toBe(0)
})
