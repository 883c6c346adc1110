import type { OfferFields } from '@bancone/contract/offers'
import { describe, expect, it } from 'vitest'
import { changedDraft, countsTowardsLimit, isSamePicture, type OfferDraft } from './offers.rules.ts'

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
