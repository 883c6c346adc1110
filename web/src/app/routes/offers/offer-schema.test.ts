import { errorText } from '@bancone/contract/errors'
import type { Medicine } from '@bancone/contract/medicines'
import type { Category, RegulatoryClass } from '@bancone/contract/product-categories'
import { zodResolver } from '@hookform/resolvers/zod'
import { expect, test } from 'vitest'
import { emptyDraft, type OfferDraft } from './offer-draft.ts'
import { errorSummary, offerSchema } from './offer-schema.ts'

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

const categoriesOf = (regulatoryClass: RegulatoryClass): Category[] => [
  { id: '0f0c6a0e-7a54-4b0a-9c39-000000000001', name: 'Cosmetici', regulatoryClass },
]
const deursil: Medicine = {
  code: '023605114',
  name: 'DEURSIL',
  pack: '300 mg capsule rigide 20 capsule',
  supply: 'RR',
  authorised: true,
}
const context = {
  today,
  storedEnd: undefined,
  categories: categoriesOf('libero'),
  medicineOf: () => null,
}

/** Null when nothing is wrong. */
async function judge(
  change: Partial<OfferDraft>,
  other: Partial<Parameters<typeof offerSchema>[0]> = {},
) {
  const draft = { ...sound, ...change }
  const resolve = zodResolver(offerSchema({ ...context, ...other }))
  const options = { fields: {}, shouldUseNativeValidation: false }
  const { errors } = await resolve(draft, undefined, options)
  if (Object.keys(errors).length === 0) return null
  const fields = Object.fromEntries(
    Object.entries(errors).map(([field, error]) => [field, error.message]),
  )
  return { ...errorSummary(errors, draft), fields }
}

test('nothing is wrong with a sound offer, nor with equal prices', async () => {
  expect(await judge({})).toBeNull()
  expect(await judge({ offerPrice: '€ 9,90' })).toBeNull()
  expect(await judge({ starts: '2026-03-12', ends: '2026-03-12' })).toBeNull()
})

const missing = ['Dati mancanti', 'Compila tutti i campi obbligatori'] as const
const numbers = ['Errore nei prezzi', 'I prezzi devono essere numeri validi'] as const
const positive = ['Errore nei prezzi', 'I prezzi devono essere maggiori di zero'] as const
const large = ['Errore nei prezzi', 'Il prezzo non può superare 99.999,99\u00a0€'] as const
const above = [
  'Errore nei prezzi',
  'Il prezzo in offerta non può essere maggiore del prezzo di listino',
] as const
const priorAbove = ['Errore nei prezzi', errorText('offers.prior_above_list')] as const
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
  [{ priorPrice: '9,91' }, priorAbove, 'priorPrice'],
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
])('%j: %j, beside %s', async (change, [title, text], field) => {
  const found = await judge(change)
  expect(found).toMatchObject({ title, text })
  expect(Object.keys(found?.fields ?? {})).toEqual([field])
})

test('what is missing is said first, and every field says what is wrong with it', async () => {
  const found = await judge({ name: '', listPrice: 'x', picture: null, ends: '2026-01-01' })
  expect(found).toMatchObject({ title: missing[0], text: missing[1] })
  expect(Object.keys(found?.fields ?? {}).toSorted()).toEqual([
    'ends',
    'listPrice',
    'name',
    'picture',
  ])
})

test('a category that is gone is to be chosen anew, unless the categories are unknown', async () => {
  const gone = await judge({ category: 'Altro' })
  expect(gone?.fields['category']).toBe("La categoria non c'è più: scegline un'altra.")
  expect(await judge({ category: 'Altro' }, { categories: null })).toBeNull()
})

test('the end of an offer that is over may stay, but not before its start', async () => {
  const over = { starts: '2026-02-01', ends: '2026-02-20' }
  expect(await judge(over)).toMatchObject({ title: 'Date non valide' })
  expect(await judge(over, { storedEnd: '2026-02-20' })).toBeNull()
  expect(await judge({ ...over, starts: '2026-02-21' }, { storedEnd: '2026-02-20' })).toMatchObject(
    { title: 'Date non valide' },
  )
})

test.each([
  ['012745093', null],
  ['', errorText('offers.code_missing')],
  ['934208014', errorText('offers.wrong_code')],
  ['012745094', errorText('offers.wrong_code')],
])('the code of a medicine must be sure: %s', async (typed, text) => {
  const found = await judge({ code: typed }, { categories: categoriesOf('medicinale_otc_sop') })
  expect(found?.fields['code'] ?? null).toBe(text)
})

test('a medicine without a code may be saved as long as it is not published', async () => {
  const categories = categoriesOf('medicinale_otc_sop')
  expect(await judge({ active: false }, { categories })).toBeNull()
})

test('a medicine that needs a prescription is not published', async () => {
  const medicineOf = (): Medicine => ({ ...deursil })
  const text = errorText('offers.prescription')
  expect((await judge({ code: deursil.code }, { medicineOf }))?.fields).toEqual({ code: text })
  expect(await judge({ code: deursil.code, active: false }, { medicineOf })).toBeNull()
})

test('of what is no medicine a code of which nothing is known will do', async () => {
  expect(await judge({ code: '934208014' })).toBeNull()
})
