import { errorText } from '@bancone/contract/errors'
import { expect, test } from 'vitest'
import { draft } from '../../../test/product-draft.ts'
import { ApiError } from '../../lib/api.ts'
import { priceText } from '../../lib/shown-prices.ts'
import { draftFailure, isRetryable } from './assistant-panel.tsx'
import { priceProblem, shownPrice } from './price-text.ts'
import { proposalsOf, validValues } from './proposals.ts'

test('what passed its checks can be used', () => {
  expect(validValues(proposalsOf(draft))).toEqual({
    description: 'Compresse per il dolore e la febbre.',
    price: '9,90',
    code: '012745093',
  })
})

test('what failed has no value, and says why', () => {
  const proposals = proposalsOf({
    description: null,
    price: { text: '€ 0,00', cents: null, problem: 'not_positive' },
    minsan: { text: '012745094', code: null, problem: 'check_digit' },
  })
  expect(proposals).toEqual({
    price: {
      suggested: '€ 0,00',
      value: null,
      problem: 'un prezzo deve essere maggiore di zero',
    },
    code: { suggested: '012745094', value: null, problem: 'la cifra di controllo non torna' },
  })
  expect(validValues(proposals)).toEqual({})
})

test('a code of which nothing is known can be used, but not without looking', () => {
  const minsan = { text: '934208014', code: '934208014', problem: 'unverified' } as const
  const proposals = proposalsOf({ ...draft, minsan })
  expect(proposals.code?.value).toBe('934208014')
  expect(validValues(proposals)).not.toHaveProperty('code')
})

test.each([
  [990, '9,90'],
  [123450, '1.234,50'],
  [5, '0,05'],
])('%i cents stand in a field as %s', (cents, text) => {
  expect(priceText(cents)).toBe(text)
})

test.each([
  ['', true],
  ['9,90', true],
  ['€ 9.90', true],
  ['0', false],
  ['gratis', false],
  ['-1', false],
])('%j may stand there: %s', (text, fine) => {
  expect(priceProblem(text) === null).toBe(fine)
})

test('a price is shown with its sign, and what is none as it is', () => {
  expect(shownPrice('9.9').replaceAll(/\s/g, ' ')).toBe('9,90 €')
  expect(shownPrice(' gratis ')).toBe('gratis')
})

test.each([
  [
    new ApiError(502, 'Errore API: 500', { code: 'assistant.failed' }),
    'Impossibile generare i dati: Errore API: 500',
  ],
  [
    new ApiError(504, errorText('assistant.timeout'), { code: 'assistant.timeout' }),
    'Impossibile generare i dati: nessuna risposta entro 30 secondi.',
  ],
  [
    new ApiError(409, errorText('assistant.not_configured'), {
      code: 'assistant.not_configured',
    }),
    'Impossibile generare i dati: la generazione con AI non è attiva. Chiedi a chi gestisce Bancone di configurarla.',
  ],
  [
    new ApiError(0, 'x'),
    'Impossibile generare i dati: il server non risponde. Controlla la connessione e riprova.',
  ],
])('%s', (error, text) => {
  expect(draftFailure(error)).toBe(text)
})

test('what is not configured is not tried again', () => {
  expect(isRetryable(new ApiError(409, '', { code: 'assistant.not_configured' }))).toBe(false)
  expect(isRetryable(new ApiError(502, '', { code: 'assistant.failed' }))).toBe(true)
})
