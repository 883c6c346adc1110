import { describe, expect, it, test } from 'vitest'
import {
  changeOffer,
  checkOfferPrice,
  createOffer,
  OfferFields,
  type OfferState,
  type OfferStatus,
  offerState,
} from './offers.ts'

test.each<[OfferStatus, string, string | undefined, OfferState]>([
  ['Attiva', '2026-06-01', undefined, 'active'],
  ['Attiva', '2026-06-15', undefined, 'active'],
  ['Attiva', '2026-06-01', '2026-06-15', 'active'],
  ['Attiva', '2026-06-15', '2026-06-15', 'active'],
  ['Attiva', '2026-06-16', undefined, 'scheduled'],
  ['Attiva', '2026-06-16', '2026-06-30', 'scheduled'],
  ['Attiva', '2026-06-01', '2026-06-14', 'expired'],
  ['Inattiva', '2026-06-01', undefined, 'inactive'],
  ['Inattiva', '2026-06-01', '2026-06-15', 'inactive'],
  ['Inattiva', '2026-06-16', undefined, 'inactive'],
  ['Inattiva', '2026-06-01', '2026-06-14', 'expired'],
])('on 2026-06-15 one that is %s from %s to %s is %s', (status, start, end, state) => {
  const fields = { Stato_Offerta: status, Data_Inizio: start, ...(end && { Data_Fine: end }) }
  expect(offerState(fields, '2026-06-15')).toBe(state)
})

const written = {
  Nome_Prodotto: 'Crema mani',
  Categoria: 'Cosmetici',
  Prezzo_Listino: 990,
  Prezzo_Offerta: 790,
  URL_Immagine: '/product-placeholder.svg',
}

const create = (given: Record<string, unknown>) =>
  createOffer.body.safeParse({ fields: { ...written, ...given } })

const change = (fields: Record<string, unknown>) => changeOffer.body.safeParse({ fields })

describe('what is written of a new offer', () => {
  it('is completed', () => {
    expect(create({}).data?.fields).toEqual({
      ...written,
      Descrizione: '',
      Codice_Minsan: null,
      Prezzo_Precedente: null,
      Stato_Offerta: 'Attiva',
      CloudinaryID: null,
    })
  })

  it.each(Object.keys(written))('has to have %s', (name) => {
    expect(create({ [name]: undefined }).success).toBe(false)
  })

  it.each([
    ['a blank name', { Nome_Prodotto: ' \t' }],
    ['a name that is too long', { Nome_Prodotto: 'a'.repeat(201) }],
    ['a description that is too long', { Descrizione: 'a'.repeat(100_000) }],
    ['no category', { Categoria: ' ' }],
    ['a price of nothing', { Prezzo_Offerta: 0 }],
    ['a price below zero', { Prezzo_Listino: -1 }],
    ['parts of a cent', { Prezzo_Offerta: 7.9 }],
    ['a price as text', { Prezzo_Listino: '990' }],
    ['an infinite price', { Prezzo_Listino: Infinity }],
    ['a declared price of nothing', { Prezzo_Precedente: 0 }],
    ['a day that is in no calendar', { Data_Inizio: '2026-02-30' }],
    ['a day with its time', { Data_Fine: '2026-06-30T10:00:00Z' }],
    ['a state that there is not', { Stato_Offerta: 'Scaduta' }],
    ['a wrong check digit', { Codice_Minsan: '034208014' }],
    ['what is no code', { Codice_Minsan: 'Tachipirina' }],
    ['an address that is too long', { URL_Immagine: 'a'.repeat(2_001) }],
    ['an unknown field', { Prezzo: 1 }],
  ])('may not be %s', (_what, given) => {
    expect(create(given).success).toBe(false)
  })

  it('is trimmed', () => {
    const given = {
      Nome_Prodotto: ' Crema mani\n',
      Descrizione: ' Per le mani ',
      Categoria: ' Altro ',
    }
    expect(create(given).data?.fields).toMatchObject({
      Nome_Prodotto: 'Crema mani',
      Descrizione: 'Per le mani',
      Categoria: 'Altro',
    })
  })

  it.each([
    ['', null],
    [null, null],
    ['034208013', '034208013'],
    ['A034208013', '034208013'],
    ['0D4YD5', '012745093'],
    // Not the code of a medicine, so its check digit cannot be verified.
    ['912345678', '912345678'],
  ])('has the code %j as %j', (Codice_Minsan, code) => {
    expect(create({ Codice_Minsan }).data?.fields.Codice_Minsan).toBe(code)
  })
})

describe('what is changed of an offer', () => {
  it('is what is given and nothing more', () => {
    expect(change({ Stato_Offerta: 'Inattiva' }).data?.fields).toEqual({
      Stato_Offerta: 'Inattiva',
    })
    expect(change({}).data?.fields).toEqual({})
  })

  it('takes away what may be absent', () => {
    const fields = {
      Descrizione: '',
      Codice_Minsan: null,
      Prezzo_Precedente: null,
      Data_Fine: null,
      CloudinaryID: null,
    }
    expect(change(fields).data?.fields).toEqual(fields)
    expect(change({ Codice_Minsan: '' }).data?.fields).toEqual({ Codice_Minsan: null })
  })

  it.each([
    { Nome_Prodotto: '  ' },
    { Data_Inizio: null },
    { Prezzo_Offerta: null },
    { Codice_Minsan: '034208014' },
    { id: '00000000-0000-4000-8000-000000000001' },
  ])('may not be %j', (fields) => {
    expect(change(fields).success).toBe(false)
  })
})

test('a price is checked without what it does not depend on', () => {
  const { Nome_Prodotto, Prezzo_Listino, Prezzo_Offerta, ...most } = written
  const fields = { Nome_Prodotto, Prezzo_Listino, Prezzo_Offerta }
  const check = (given: object) => checkOfferPrice.body.safeParse({ offerId: null, fields: given })
  expect(check(fields).data?.fields).toEqual({
    ...fields,
    Codice_Minsan: null,
    Prezzo_Precedente: null,
    Stato_Offerta: 'Attiva',
  })
  expect(check({ ...fields, ...most }).success).toBe(false)
})

test('an offer without an end has no last day', () => {
  const fields = OfferFields.parse({
    ...written,
    Descrizione: '',
    Codice_Minsan: null,
    Prezzo_Precedente: null,
    Data_Inizio: '2026-06-01',
    Stato_Offerta: 'Attiva',
    CloudinaryID: null,
    Farmacia_ID: 'PHARM-0001',
  })
  expect('Data_Fine' in fields).toBe(false)
})
