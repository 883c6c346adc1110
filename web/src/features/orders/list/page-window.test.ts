import { expect, test } from 'vitest'
import { pageWindow } from './pagination-bar.tsx'

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [3, 3, [1, 2, 3]],
  [1, 5, [1, 2, 3, 4, 5]],
  [5, 5, [1, 2, 3, 4, 5]],
  [1, 9, [1, 2, 3, 4, 5]],
  [2, 9, [1, 2, 3, 4, 5]],
  [3, 9, [1, 2, 3, 4, 5]],
  [4, 9, [2, 3, 4, 5, 6]],
  [5, 9, [3, 4, 5, 6, 7]],
  [7, 9, [5, 6, 7, 8, 9]],
  [8, 9, [5, 6, 7, 8, 9]],
  [9, 9, [5, 6, 7, 8, 9]],
  [12, 9, [5, 6, 7, 8, 9]],
  [1, 0, []],
])('on page %i of %i the buttons are %j', (current, total, expected) => {
  expect(pageWindow(current, total)).toEqual(expected)
})
