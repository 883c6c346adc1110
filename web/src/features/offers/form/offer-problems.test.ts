import { expect, test } from 'vitest'
import { emptyDraft, type OfferDraft } from './offer-draft.ts'
import { offerProblems } from './offer-problems.ts'

const today = '2026-03-10'
const picture = {
  url: '/images/a/1',
  publicId: 'a',
  width: 1,
  height: 1,
  source: 'manual',
} as const
const sound: OfferDraft = {
  ...emptyDraft,
  name: 'Crema',
  category: 'Cosmetici',
  listPrice: '9,90',
  offerPrice: '7.90',
  picture,
}
const circumstances = { today, endBefore: '', categories: ['Cosmetici'], medicine: false }

function judge(change: Partial<OfferDraft>, other: Partial<typeof circumstances> = {}) {
  return offerProblems({ ...sound, ...change }, { ...circumstances, ...other })
}

test('nothing is wrong with a sound offer, nor with equal prices', () => {
  expect(judge({})).toBeNull()
  expect(judge({ offerPrice: '€ 9,90' })).toBeNull()
  expect(judge({ starts: '2026-03-12', ends: '2026-03-12' })).toBeNull()
})

const missing = ['Dati mancanti', 'Compila tutti i campi obbligatori'] as const
const numbers = ['Errore nei prezzi', 'I prezzi devono essere numeri validi'] as const
const positive = ['Errore nei prezzi', 'I prezzi devono essere maggiori di zero'] as const
const large = ['Errore nei prezzi', 'Il prezzo non può superare 99.999,99\u00a0€'] as const
const above = [
  'Errore nei prezzi',
  'Il prezzo in offerta non può essere maggiore del prezzo di listino',
] as const
const early = [
  'Date non valide',
  'La data di fine non può precedere la data di inizio, né oggi.',
] as const
const code = ['Codice non valido', 'Correggi il codice prodotto, o lascia vuoto il campo.'] as const

test.each<[Partial<OfferDraft>, readonly [string, string], keyof OfferDraft]>([
  [{ name: '  ' }, missing, 'name'],
  [{ listPrice: '' }, missing, 'listPrice'],
  [{ offerPrice: ' ' }, missing, 'offerPrice'],
  [{ category: '' }, missing, 'category'],
  [{ offerPrice: '7,9,0' }, numbers, 'offerPrice'],
  [{ listPrice: 'dieci' }, numbers, 'listPrice'],
  [{ offerPrice: '9,999' }, numbers, 'offerPrice'],
  [{ listPrice: '99999999' }, large, 'listPrice'],
  [{ listPrice: '100.000,00' }, large, 'listPrice'],
  [{ offerPrice: '0' }, positive, 'offerPrice'],
  [{ listPrice: '-9,90' }, positive, 'listPrice'],
  [{ priorPrice: '0,00' }, positive, 'priorPrice'],
  [{ offerPrice: '9,91' }, above, 'offerPrice'],
  [{ picture: null }, ['Immagine mancante', "Carica un'immagine per il prodotto"], 'picture'],
  [{ code: '012745094' }, code, 'code'],
  [{ code: '123' }, code, 'code'],
  [
    { description: 'a'.repeat(2001) },
    ['Descrizione troppo lunga', 'Al massimo 2000 caratteri.'],
    'description',
  ],
  [{ ends: '2026-03-09' }, early, 'ends'],
  [{ starts: '2026-03-20', ends: '2026-03-19' }, early, 'ends'],
])('%j: %j, beside %s', (change, [title, text], field) => {
  const found = judge(change)
  expect(found).toMatchObject({ title, text })
  expect(Object.keys(found?.fields ?? {})).toEqual([field])
})

test('what is missing is said first, and every field says what is wrong with it', () => {
  const found = judge({ name: '', listPrice: 'x', picture: null, ends: '2026-01-01' })
  expect(found).toMatchObject({ title: missing[0], text: missing[1] })
  expect(Object.keys(found?.fields ?? {}).toSorted()).toEqual([
    'ends',
    'listPrice',
    'name',
    'picture',
  ])
})

test('a category that is gone is to be chosen anew, unless nobody knows the categories', () => {
  expect(judge({ category: 'Altro' })?.fields.category).toBe(
    "La categoria non c'è più: scegline un'altra.",
  )
  expect(
    offerProblems({ ...sound, category: 'Altro' }, { ...circumstances, categories: null }),
  ).toBeNull()
})

test('the end of an offer that is over may stay, but not before its start', () => {
  const over = { starts: '2026-02-01', ends: '2026-02-20' }
  expect(judge(over)?.title).toBe('Date non valide')
  expect(judge(over, { endBefore: '2026-02-20' })).toBeNull()
  expect(judge({ ...over, starts: '2026-02-21' }, { endBefore: '2026-02-20' })?.title).toBe(
    'Date non valide',
  )
})

test.each([
  ['012745093', null],
  ['', null],
  [
    '934208014',
    'Per un medicinale serve un codice AIC valido: correggilo, o lascia vuoto il campo.',
  ],
  [
    '012745094',
    'Per un medicinale serve un codice AIC valido: correggilo, o lascia vuoto il campo.',
  ],
])('the code of a medicine must be sure: %s', (typed, text) => {
  expect(judge({ code: typed }, { medicine: true })?.fields.code ?? null).toBe(text)
})

test('of what is no medicine a code of which nothing is known will do', () => {
  expect(judge({ code: '934208014' })).toBeNull()
})
