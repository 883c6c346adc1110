import type { OfferFields, OfferRecord } from '@bancone/contract/offers'
import { expect, test } from 'vitest'
import { offer } from '../../../test/offers.ts'
import { countLimited, countTabs, listedOffers, priceShown, stateOf } from './offer-lists.ts'
import { parseOffersAddress } from './offers-address.ts'

const today = '2026-03-10'

const names = (offers: readonly OfferRecord[]) => offers.map(({ fields }) => fields.Nome_Prodotto)

const active = offer(1, { Nome_Prodotto: 'Crema dell’uomo mani' })
const ending = offer(2, { Nome_Prodotto: 'Aspirina', Data_Fine: today })
const scheduled = offer(3, { Nome_Prodotto: 'Échinacea', Data_Inizio: '2026-03-11' })
const expired = offer(4, { Nome_Prodotto: 'Burrocacao', Data_Fine: '2026-03-09' })
const off = offer(5, { Nome_Prodotto: 'Dentifricio', Stato_Offerta: 'Inattiva' })
const offAndOver = offer(6, { Stato_Offerta: 'Inattiva', Data_Fine: '2026-03-01' })
const all = [offAndOver, off, expired, scheduled, ending, active]

test('Attive counts what is stored, and lists what is so today', () => {
  expect(countTabs(all, today)).toEqual({ tutte: 6, attive: 4, inattive: 2, archivio: 2 })
  const listed = (stato: string) => listedOffers(all, parseOffersAddress(`?stato=${stato}`), today)
  expect(listed('attive')).toEqual([ending, active])
  expect(listed('inattive')).toEqual([offAndOver, off])
  expect(listed('archivio')).toEqual([offAndOver, expired])
  expect(listed('tutte')).toEqual(all)
})

test('what must not be published is on, and not with what customers see', () => {
  const refused: OfferRecord = { ...active, refusal: 'offers.code_missing' }
  expect(stateOf(refused, today)).toBe('refused')
  expect(listedOffers([refused, ending], parseOffersAddress('?stato=attive'), today)).toEqual([
    ending,
  ])
  expect(countLimited([refused], today)).toBe(1)
  expect(stateOf({ ...off, refusal: 'offers.code_missing' }, today)).toBe('inactive')
})

test('the limit counts what is on and not over, later ones too', () => {
  expect(countLimited(all, today)).toBe(3)
})

test.each([
  ['echin', ['Échinacea']],
  ['  CREMA   mani ', ['Crema dell’uomo mani']],
  ["dell'uomo", ['Crema dell’uomo mani']],
  ['crema piedi', []],
  ['0123', ['Aspirina']],
  ['A 012345678', ['Aspirina']],
  ['igiene', ['Dentifricio']],
  ['', ['Dentifricio', 'Échinacea', 'Aspirina', 'Crema dell’uomo mani']],
])('«%s» finds %s', (q, expected) => {
  const offers = [
    offer(5, { Nome_Prodotto: 'Dentifricio', Categoria: 'Igiene personale' }),
    scheduled,
    offer(2, { Nome_Prodotto: 'Aspirina', Codice_Minsan: '012345678' }),
    active,
  ]
  const search = `?${new URLSearchParams({ q })}`
  expect(names(listedOffers(offers, parseOffersAddress(search), today))).toEqual(expected)
})

const prices: [string, Partial<OfferFields>][] = [
  ['Zinco', { Prezzo_Offerta: 500, Data_Fine: '2026-12-31' }],
  ['Àloe', { Prezzo_Offerta: 900 }],
  ['Miele', { Prezzo_Offerta: 1_000, Data_Fine: '2026-05-01' }],
]

test.each([
  ['recenti', ['Zinco', 'Àloe', 'Miele']],
  ['nome', ['Àloe', 'Miele', 'Zinco']],
  ['nome-za', ['Zinco', 'Miele', 'Àloe']],
  ['prezzo', ['Zinco', 'Àloe', 'Miele']],
  ['prezzo-alto', ['Miele', 'Àloe', 'Zinco']],
  ['sconto', ['Zinco', 'Àloe', 'Miele']],
  ['scadenza', ['Miele', 'Zinco', 'Àloe']],
  ['boh', ['Zinco', 'Àloe', 'Miele']],
])('sorted by %s they are %s', (ordina, expected) => {
  const offers = prices.map(([Nome_Prodotto, fields], index) =>
    offer(9 - index, { Nome_Prodotto, ...fields }),
  )
  expect(names(listedOffers(offers, parseOffersAddress(`?ordina=${ordina}`), today))).toEqual(
    expected,
  )
})

test('where the product was cheaper before, the discount is measured by that', () => {
  const cheap = { ...offer(1), prior: { cents: 800, declared: false } }
  expect(priceShown(cheap)).toEqual({ type: 'featured', cents: 900, before: null, percent: 0 })
})
