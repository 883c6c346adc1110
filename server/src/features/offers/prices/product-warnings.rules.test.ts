import { expect, test } from 'vitest'
import { otherPrice, type PriceTerms, raisedFrom } from './price-history.rules.ts'

const today = '2026-06-30'

function terms(offerId: string, given: Partial<PriceTerms> = {}): PriceTerms {
  return {
    offerId,
    listPrice: 1000,
    offerPrice: 800,
    startDate: '2026-06-01',
    endDate: null,
    isActive: true,
    fromDay: '2026-06-01',
    toDay: null,
    endedAt: null,
    ...given,
  }
}

const ended = (at: string, listPrice: number) =>
  terms('gone', { listPrice, toDay: at, endedAt: `${at}T10:00:00.000Z` })

test.each([
  ['of an unknown product', [], 9000, null],
  ['that stays', [terms('own')], 1000, null],
  ['that rises by a fifth', [terms('own')], 1200, null],
  ['that rises by more', [terms('own')], 1201, 1000],
  ['of an offer that is gone', [ended('2026-05-01', 1000)], 1890, 1000],
  ['that was raised before', [ended('2026-05-01', 500), ended('2026-06-01', 1000)], 1100, null],
  ['that is in force, not one that was', [terms('own'), ended('2026-06-20', 3000)], 3000, 1000],
])('a list price %s', (_which, known, listPrice, expected) => {
  expect(raisedFrom(known, { offerId: 'own', listPrice })).toBe(expected)
  expect(raisedFrom(known.toReversed(), { offerId: 'own', listPrice })).toBe(expected)
})

test('a list price that an offer has already is not raised, though a newer offer of the product has a lower one', () => {
  const known = [
    terms('own', { listPrice: 3000 }),
    terms('newer', { listPrice: 1000, fromDay: '2026-06-20' }),
  ]
  expect(raisedFrom(known, { offerId: 'own', listPrice: 3000 })).toBeNull()
  expect(raisedFrom(known, { offerId: 'own', listPrice: 4000 })).toBe(3000)
  expect(raisedFrom(known, { offerId: null, listPrice: 3000 })).toBe(1000)
})

test.each([
  ['of the same offer', [terms('own', { offerPrice: 700 })], null],
  ['that is the same', [terms('other')], null],
  [
    'that is another',
    [terms('other', { offerPrice: 700 }), terms('third', { offerPrice: 750 })],
    700,
  ],
  [
    'of an offer that is switched off',
    [terms('other', { offerPrice: 700, isActive: false })],
    null,
  ],
  ['of an offer that is over', [terms('other', { offerPrice: 700, endDate: '2026-06-29' })], null],
  ['of an offer that ends today', [terms('other', { offerPrice: 700, endDate: today })], 700],
  ['of before', [terms('other', { offerPrice: 700, toDay: today, endedAt: 'at' })], null],
])('a price %s', (_which, known, expected) => {
  expect(otherPrice(known, { offerId: 'own', offerPrice: 800 }, today)).toBe(expected)
})
