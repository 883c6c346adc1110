import { expect, it } from 'vitest'
import { fileSize } from './content-types.ts'

it.each([
  [5, 5],
  ['5', 5],
  ['20MB', 20_000_000],
  ['20mb', 20_000_000],
  ['1.5 kB', 1500],
  ['1KiB', 1024],
  ['2GB', 2_000_000_000],
])('%j is %d bytes', (value, bytes) => {
  expect(fileSize(value)).toBe(bytes)
})

it.each([0, -1, '', 'MB', '1XB', '-5MB', '1e3', 'NaN', Number.NaN, '99999999999999 TB', '0.1B'])(
  '%j is no size',
  (value) => {
    expect(fileSize(value)).toBeUndefined()
  },
)
