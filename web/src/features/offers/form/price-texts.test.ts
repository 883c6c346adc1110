import { expect, test } from 'vitest'
import { offerPreview, priorSource, priorText, priorWarning } from './price-texts.ts'

const prior = (cents: number, since: string | null = null) => ({ cents, since, declared: false })
const plain = (text: string | null) => text?.replaceAll('\u00a0', ' ') ?? null

test.each([
  [1_000, 800, null, 'Offerta con sconto del 20%'],
  [1_000, 1_000, null, 'Prodotto in evidenza (nessuno sconto)'],
  [1_400, 900, prior(1_000), 'Offerta con sconto del 10%'],
  [1_000, 800, prior(700), 'Prodotto in evidenza (nessuno sconto)'],
])('%d, %d, %j: %s', (list, offer, before, text) => {
  expect(offerPreview(list, offer, before)).toBe(text)
})

test.each([
  [1_000, 800, null, null],
  [1_000, 800, prior(1_000), null],
  [1_000, 800, prior(1_200), null],
  [
    1_400,
    900,
    prior(1_000),
    'Negli ultimi 30 giorni il prodotto è già costato 10,00 €: per legge lo sconto si calcola da lì. I clienti vedranno -10% invece di -36%.',
  ],
  [
    1_000,
    800,
    prior(700),
    'Negli ultimi 30 giorni il prodotto è già costato 7,00 €: per legge non si può mostrare come sconto. I clienti lo vedranno «In Evidenza».',
  ],
])('%d, %d, %j warns: %s', (list, offer, before, text) => {
  expect(plain(priorWarning(list, offer, before))).toBe(text)
})

test('what was lowest is said with its price, with the day where it is known for fewer than 30', () => {
  expect(plain(priorText(prior(1_000)))).toBe('Prezzo più basso degli ultimi 30 giorni: 10,00 €')
  expect(plain(priorText(prior(1_000, '2026-03-01')))).toBe(
    'Prezzo più basso degli ultimi 30 giorni: 10,00 € (dal 01/03)',
  )
})

test('and how anybody knows', () => {
  expect(priorSource(prior(1), '9')).toBe('dallo storico')
  expect(priorSource({ ...prior(1), declared: true }, '9')).toBe('dichiarato da te')
  expect(priorSource({ ...prior(1), declared: true }, ' ')).toBe('è quello di listino')
})
