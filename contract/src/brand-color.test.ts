import { expect, it } from 'vitest'
import { brandPalette, contrast } from './brand-color.ts'

it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#767676', '#ffffff', 4.54],
  ['#0b7a4b', '#ffffff', 5.43],
])('the contrast of %s and %s is %d', (one, other, expected) => {
  expect(contrast(one, other)).toBeCloseTo(expected, 1)
  expect(contrast(other, one)).toBe(contrast(one, other))
})

it('every colour becomes accents that can be read on every ground', () => {
  const steps = ['00', '33', '66', '99', 'cc', 'ff']
  const colors = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)))
  expect(colors.length).toBe(216)
  for (const color of colors) {
    const { light, dark } = brandPalette(color)
    const lowest = Math.min(
      ...['#ffffff', '#fbfaf7', '#f5f4ef', light.soft].map((at) => contrast(light.accent, at)),
      ...['#101312', '#161a18', '#1d2220', dark.soft].map((at) => contrast(dark.accent, at)),
      ...[light, dark].flatMap(({ on, accent, strong }) => [
        contrast(on, accent),
        contrast(on, strong),
      ]),
    )
    expect([color, lowest >= 4.5]).toEqual([color, true])
  }
})

it.each([
  ['a colour that can be read stays as it is', '#0b7a4b', '#0b7a4b'],
  ['a colour that is too light becomes darker', '#ffd400', '#806a00'],
  ['white becomes grey', '#ffffff', '#6b6b6b'],
])('%s', (_name, color, expected) => {
  expect(brandPalette(color).light.accent).toBe(expected)
})
