import { addDays } from '@bancone/contract/dates'
import { expect, test } from 'vitest'
import { offer, offersToday } from '../../../test/offers.ts'
import { badgeText } from '../../lib/shown-prices.ts'
import { endsSoon, shownDay, shownEnd, unshownText } from './offer-texts.ts'

test.each([
  ['2026-12-31', '31/12/2026'],
  [undefined, 'N/D'],
  [null, 'N/D'],
  ['', 'N/D'],
  ['2026-02-30', 'Data non valida'],
  ['domani', 'Data non valida'],
])('the day %j is shown as %s', (day, text) => {
  expect(shownDay(day)).toBe(text)
})

test('a period without an end says so', () => {
  expect([shownEnd('2026-12-31'), shownEnd(undefined)]).toEqual([
    'A 31/12/2026',
    'Nessuna scadenza',
  ])
})

test.each([
  [0, 'Scade oggi'],
  [1, 'Scade domani'],
  [2, 'Scade tra 2 giorni'],
  [3, 'Scade tra 3 giorni'],
  [4, null],
])('what is shown and ends in %d days: %j', (days, text) => {
  const ending = offer(1, { Data_Fine: addDays(offersToday, days) })
  expect(endsSoon(ending, 'active', offersToday)).toBe(text)
})

test('of what is not shown, or has no end, nothing ends soon', () => {
  expect(endsSoon(offer(1), 'active', offersToday)).toBeNull()
  expect(endsSoon(offer(1, { Data_Fine: offersToday }), 'inactive', offersToday)).toBeNull()
})

test.each([
  [{ type: 'discount', cents: 900, before: 1_000, percent: 10 }, '-10%'],
  [{ type: 'discount', cents: 999, before: 1_000, percent: 0 }, 'Offerta'],
  [{ type: 'featured', cents: 1_000, before: null, percent: 0 }, 'In Evidenza'],
] as const)('the badge of %j says %s', (price, text) => {
  expect(badgeText(price)).toBe(text)
})

test.each([
  [4, 0, 0, 0, null],
  [1, 1, 0, 0, 'L’unica attiva è programmata'],
  [4, 1, 0, 0, 'Delle 4 attive, 1 è programmata'],
  [9, 2, 1, 1, 'Delle 9 attive, 2 sono programmate, 1 è scaduta e 1 non si può pubblicare'],
])('of %d, %d to come, %d over and %d refused: %s', (on, scheduled, expired, refused, text) => {
  expect(unshownText({ on, scheduled, expired, refused })).toBe(text)
})
