import { createOffer } from '@bancone/contract/offers'
import { expect, test } from 'vitest'
import { writtenFields } from '../../../../test/offer-form.ts'
import { offer } from '../../../../test/offers.ts'
import { copyOf, draftOf, emptyDraft, type OfferDraft } from './offer-draft.ts'
import { toOfferChange } from './offer-fields.ts'
import { offerSchema } from './offer-schema.ts'
import { priceRequest } from './use-price-check.ts'

const today = '2026-03-10'
const schema = offerSchema({
  today,
  storedEnd: '2026-04-01',
  categories: null,
  medicineOf: () => null,
})
const fieldsOf = (draft: OfferDraft) => schema.safeParse(draft).data
const full = offer(1, {
  Descrizione: 'Buona',
  Codice_Minsan: '012745093',
  Prezzo_Listino: 123_450,
  Prezzo_Offerta: 99_900,
  Prezzo_Precedente: 110_000,
  Data_Fine: '2026-04-01',
  Stato_Offerta: 'Inattiva',
  URL_Immagine: '/images/archive_1/0',
  CloudinaryID: 'archive_1',
})

test('an offer that is read into the form is written as it was', () => {
  const draft = draftOf(full)
  expect(draft).toMatchObject({ listPrice: '1.234,50', picture: { source: 'cache' } })
  expect(fieldsOf(draft)).toEqual(writtenFields(full))
})

test('what is written is what the server takes', () => {
  const body = { fields: fieldsOf(draftOf(offer(2))) }
  expect(createOffer.body.parse(body).fields.Data_Inizio).toBe('2026-03-01')
})

test('without an end a change takes the end away, and without a start it is today', () => {
  const fields = fieldsOf({ ...draftOf(full), starts: '', ends: '' })
  expect(fields).not.toHaveProperty('Data_Fine')
  expect(fields && toOfferChange(fields)).toMatchObject({ Data_Fine: null, Data_Inizio: today })
})

test('a copy begins today, has no end and is active', () => {
  expect(copyOf(full)).toEqual({ ...draftOf(full), starts: '', ends: '', active: true })
})

test('what has no price or no picture is not written', () => {
  expect(fieldsOf(emptyDraft)).toBeUndefined()
  expect(fieldsOf({ ...draftOf(full), picture: null })).toBeUndefined()
})

test.each([
  ['a product without a name', { name: ' ' }],
  ['a price that is none', { offerPrice: 'x' }],
  ['what costs more', { offerPrice: '2.000,00' }],
])('of %s no price is asked', (_what, change) => {
  expect(priceRequest({ ...draftOf(full), ...change }, null, today)).toBeNull()
})

test('what cannot be meant is left out of the question', () => {
  const draft = { ...draftOf(full), code: '12', priorPrice: 'x', ends: '2026-03-01' }
  expect(priceRequest(draft, full.id, today)?.body).toEqual({
    offerId: full.id,
    fields: {
      Nome_Prodotto: 'Prodotto 1',
      Codice_Minsan: null,
      Prezzo_Listino: 123_450,
      Prezzo_Offerta: 99_900,
      Prezzo_Precedente: null,
      Data_Inizio: '2026-03-01',
      Stato_Offerta: 'Inattiva',
    },
  })
})
