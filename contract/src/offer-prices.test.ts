import { describe, expect, it, test } from 'vitest'
import { discountPercent, PriceCents, shownPrice } from './offer-prices.ts'

test.each([
  [1000, 800, 20],
  [990, 990, 0],
  [1000, 1, 100],
  [1000, 500, 50],
  [300, 200, 33],
  [300, 100, 67],
  // A half is rounded up, also where (1 - offer / list) × 100 is slightly less in floating point.
  [800, 700, 13],
  [1000, 995, 1],
  [1000, 996, 0],
  [200, 199, 1],
  [40, 17, 58],
  // No discount.
  [1000, 1001, 0],
  [1000, 0, 0],
  [1000, -1, 0],
  [0, 0, 0],
  [0, 100, 0],
  [Number.NaN, 800, 0],
  [1000, Number.NaN, 0],
])('from %d to %d are %d percent', (list, offer, percent) => {
  expect(discountPercent(list, offer)).toBe(percent)
})

describe('a price', () => {
  it('is measured by the list price, as long as nothing lower is known', () => {
    const shown = { type: 'discount', cents: 800, before: 1000, percent: 20 }
    expect(shownPrice(1000, 800, { cents: 1000 })).toEqual(shown)
    expect(shownPrice(1000, 800, { cents: 1400 })).toEqual(shown)
  })

  it('is measured by the lowest price before, where that is lower', () => {
    const shown = { type: 'discount', cents: 900, before: 1000, percent: 10 }
    expect(shownPrice(1400, 900, { cents: 1000 })).toEqual(shown)
  })

  it.each([
    ['that was lower before', 1000, 800, { cents: 700 }],
    ['that was the same before', 1000, 800, { cents: 800 }],
    ['of whose prices before nothing is known', 1000, 800, null],
    ['that is the list price', 1000, 1000, null],
    ['that is above the list price', 1000, 1200, null],
  ])('%s is no reduction', (_what, list, offer, prior) => {
    const shown = { type: 'featured', cents: offer, before: null, percent: 0 }
    expect(shownPrice(list, offer, prior)).toEqual(shown)
  })

  it('that is lower by less than half a percent is a reduction all the same', () => {
    const shown = { type: 'discount', cents: 9_999, before: 10_000, percent: 0 }
    expect(shownPrice(10_000, 9_999, { cents: 10_000 })).toEqual(shown)
  })

  it.each([0, -1, 9.9, 10_000_000, '990', null])('may not be %j cents', (cents) => {
    expect(PriceCents.safeParse(cents).success).toBe(false)
  })

  it.each([1, 990, 9_999_999])('may be %d cents', (cents) => {
    expect(PriceCents.parse(cents)).toBe(cents)
  })
})
