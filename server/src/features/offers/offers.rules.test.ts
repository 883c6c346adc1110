import type { OfferFields } from '@bancone/contract/offers'
import { describe, expect, it } from 'vitest'
import {
  changedDraft,
  countsTowardsLimit,
  isSamePicture,
  type OfferDraft,
  productError,
  termsError,
} from './offers.rules.ts'

const TODAY = '2026-03-10'

const draft: OfferDraft = {
  Nome_Prodotto: 'Crema mani',
  Descrizione: 'Per mani secche',
  Categoria: 'Cosmetici',
  Codice_Minsan: null,
  Prezzo_Listino: 1_000,
  Prezzo_Offerta: 800,
  Prezzo_Precedente: null,
  Data_Inizio: '2026-03-01',
  Data_Fine: null,
  Stato_Offerta: 'Attiva',
  URL_Immagine: '/images/a/b',
  CloudinaryID: 'a',
}

function stored(fields: Partial<OfferFields> = {}): OfferFields {
  return { ...draft, Data_Fine: undefined, Farmacia_ID: 'PHARM-0001', ...fields }
}

describe('the terms of an offer', () => {
  it.each<[string, Partial<OfferDraft>, string | undefined]>([
    ['a price below the list price', {}, undefined],
    ['a price like the list price', { Prezzo_Offerta: 1_000 }, undefined],
    ['a cent above it', { Prezzo_Offerta: 1_001 }, 'offers.price_above_list'],
    ['that end today', { Data_Fine: TODAY }, undefined],
    ['that ended yesterday', { Data_Fine: '2026-03-09' }, 'offers.ends_too_early'],
    ['of a single day to come', { Data_Inizio: '2026-04-01', Data_Fine: '2026-04-01' }, undefined],
    [
      'that end before they begin',
      { Data_Inizio: '2026-04-02', Data_Fine: '2026-04-01' },
      'offers.ends_too_early',
    ],
  ])('%s', (_name, change, fault) => {
    expect(termsError({ ...draft, ...change }, undefined, TODAY)).toBe(fault)
  })

  it.each<[string, string, string | undefined]>([
    ['stays', '2026-03-05', undefined],
    ['is moved to another one', '2026-03-06', 'offers.ends_too_early'],
    ['comes before its beginning', '2026-02-20', 'offers.ends_too_early'],
  ])('may have ended when its last day %s', (_name, end, fault) => {
    const before = stored({ Data_Fine: '2026-03-05' })
    expect(termsError({ ...draft, Data_Fine: end }, before, TODAY)).toBe(fault)
  })
})

describe('the product of an offer', () => {
  it.each([
    ['012745093', 'medicinale_otc_sop', undefined],
    ['012745093', 'omeopatico', undefined],
    ['973344518', 'medicinale_otc_sop', 'offers.wrong_code'],
    ['973344518', 'omeopatico', 'offers.wrong_code'],
    ['012745094', 'medicinale_otc_sop', 'offers.wrong_code'],
    ['973344518', 'dispositivo_medico', undefined],
    ['973344518', 'veterinario', undefined],
    ['973344518', 'libero', undefined],
    [null, 'medicinale_otc_sop', undefined],
    [null, undefined, 'offers.unknown_category'],
  ] as const)('with the code %s, as %s', (code, regulatoryClass, fault) => {
    const product = { ...draft, Codice_Minsan: code }
    expect(productError(product, undefined, regulatoryClass)).toBe(fault)
  })

  it('is not held against who changes something else', () => {
    const product = { ...draft, Codice_Minsan: '973344518' }
    const before = stored({ Codice_Minsan: '973344518' })
    expect(productError(product, before, 'medicinale_otc_sop')).toBeUndefined()
    const moved = stored({ Codice_Minsan: '973344518', Categoria: 'Altro' })
    expect(productError(product, moved, 'medicinale_otc_sop')).toBe('offers.wrong_code')
  })
})

describe('an offer that is changed', () => {
  const before = stored({ Data_Fine: '2026-03-20', Codice_Minsan: '012745093' })

  it('keeps what is not given', () => {
    expect({ ...changedDraft(before, {}), Farmacia_ID: before.Farmacia_ID }).toEqual(before)
  })

  it('loses what is taken away', () => {
    const taken = { Data_Fine: null, Codice_Minsan: null, Descrizione: '' }
    expect(changedDraft(before, taken)).toMatchObject(taken)
  })

  it.each([
    [{ URL_Immagine: '/images/a/b' }, ['a', '/images/a/b']],
    [{ URL_Immagine: 'https://provider.example/1.png' }, [null, 'https://provider.example/1.png']],
    [{ CloudinaryID: null }, [null, '/images/a/b']],
    [{ CloudinaryID: 'c', URL_Immagine: '/images/c/d' }, ['c', '/images/c/d']],
  ])('to %j has that picture', (change, picture) => {
    const { CloudinaryID, URL_Immagine } = changedDraft(before, change)
    expect([CloudinaryID, URL_Immagine]).toEqual(picture)
  })

  it('has the same picture, whatever address of ours is given', () => {
    const kept = { CloudinaryID: 'a', URL_Immagine: '/one' }
    const outside = { CloudinaryID: null, URL_Immagine: '/one' }
    expect(isSamePicture(kept, { ...kept, URL_Immagine: '/other' })).toBe(true)
    expect(isSamePicture(kept, { ...kept, CloudinaryID: 'b' })).toBe(false)
    expect(isSamePicture(kept, outside)).toBe(false)
    expect(isSamePicture(outside, outside)).toBe(true)
    expect(isSamePicture(outside, { ...outside, URL_Immagine: '/other' })).toBe(false)
  })
})

describe('of the offers that there may be', () => {
  it.each<[string, Partial<OfferDraft>, boolean]>([
    ['one without an end is one', {}, true],
    ['one that ends today is one', { Data_Fine: TODAY }, true],
    ['one to come is one', { Data_Inizio: '2026-04-01' }, true],
    ['one that has ended is none', { Data_Fine: '2026-03-09' }, false],
    ['one that is switched off is none', { Stato_Offerta: 'Inattiva' }, false],
  ])('%s', (_name, change, counted) => {
    expect(countsTowardsLimit({ ...draft, ...change }, TODAY)).toBe(counted)
  })
})
