import { expect, test } from 'vitest'
import { usualPrices } from '../../../../test/offer-form.ts'
import { priorText } from '../../../lib/shown-prices.ts'
import { offerPreview, priceWarnings, priorSource } from './price-texts.ts'

const prior = (cents: number) => ({ cents, declared: false })
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

const warnings = (list: number, offer: number, check: Partial<typeof usualPrices>) =>
  priceWarnings(list, offer, { ...usualPrices, ...check }).map(plain)

test.each([
  [1_000, 800, prior(1_000), 'Offerta con sconto del 20%'],
  [1_000, 800, null, 'Prodotto in evidenza (nessuno sconto)'],
  [1_000, 1_000, null, 'Prodotto in evidenza (nessuno sconto)'],
  [1_400, 900, prior(1_000), 'Offerta con sconto del 10%'],
  [1_000, 800, prior(700), 'Prodotto in evidenza (nessuno sconto)'],
])('%d, %d, %j: %s', (list, offer, before, text) => {
  expect(offerPreview(list, offer, before)).toBe(text)
})

test.each([
  [1_000, 1_000, null, []],
  [1_000, 800, prior(1_000), []],
  [1_000, 800, prior(1_200), []],
  [
    1_400,
    900,
    prior(1_000),
    [
      'Negli ultimi 30 giorni il prodotto è già costato 10,00 €: per legge lo sconto si calcola da lì. I clienti vedranno -10% invece di -36%.',
    ],
  ],
  [
    1_000,
    800,
    prior(700),
    [
      'Negli ultimi 30 giorni il prodotto è già costato 7,00 €: per legge non si può mostrare come sconto. I clienti lo vedranno «In Evidenza».',
    ],
  ],
  [
    1_000,
    800,
    null,
    [
      'Per mostrare lo sconto serve sapere che il prezzo di listino è stato praticato negli ultimi 30 giorni: senza la spunta, i clienti vedranno il prodotto «In Evidenza», senza percentuale.',
    ],
  ],
])('%d, %d, %j warns: %j', (list, offer, before, texts) => {
  expect(warnings(list, offer, { prior: before })).toEqual(texts)
})

test('a list price that was far lower, and another price of the same product, are told', () => {
  expect(warnings(10_000, 10_000, { raisedFrom: 1_890, otherPrice: 990 })).toEqual([
    "Il prezzo di listino di questo prodotto era 18,90 €: controlla che 100,00 € sia giusto. L'aumento resta registrato.",
    "Lo stesso prodotto è già in un'altra offerta attiva a 9,90 €: i clienti vedranno due prezzi diversi.",
  ])
})

test('the lowest price is shown with its source', () => {
  expect(plain(priorText(prior(1_000)))).toBe('Prezzo più basso degli ultimi 30 giorni: 10,00 €')
  expect(priorSource(prior(1))).toBe('dallo storico')
  expect(priorSource({ ...prior(1), declared: true })).toBe('dichiarato da te')
})
