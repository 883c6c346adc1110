import type { PublicOffers } from '@bancone/contract/public-offers'
import { describe, expect, it } from 'vitest'
import { shownOffer, shownOffers } from '../../../../test/shown-offers.ts'
import { shareCard } from './share-images.rules.ts'
import { shareImagePath } from './share-images.service.ts'

const id = '00000000-0000-4000-8000-000000000001'
const GONE = '00000000-0000-4000-8000-000000000003'
const photo = '/images/archive_1/abc'

const offer = (more: Parameters<typeof shownOffer>[0] = {}) => shownOffer({ id, ...more })
const cardOf = (more: Parameters<typeof shownOffer>[0]) => shareCard(shownOffers([offer(more)]), id)

describe('the preview of an offer', () => {
  it('says what it is, what it costs and who has it', () => {
    expect(cardOf({ fields: { URL_Immagine: photo } })).toEqual({
      kind: 'offer',
      name: 'Supradyn Ricarica',
      price: '8,00\u00a0€',
      before: '10,00\u00a0€',
      badge: '-20%',
      pharmacy: 'Farmacia San Marco',
      photo,
    })
  })

  it('is of a reduction by the lowest price of the 30 days before', () => {
    expect(cardOf({ prior: { cents: 900 } })).toMatchObject({
      before: '9,00\u00a0€',
      badge: '-11%',
    })
    expect(cardOf({ prior: { cents: 800 } })).toMatchObject({
      before: null,
      badge: 'In Evidenza',
    })
  })

  it('has no badge where less than half a percent is saved', () => {
    const fields = { Prezzo_Listino: 10_000, Prezzo_Offerta: 9_999 }
    expect(cardOf({ fields })).toMatchObject({ before: '100,00\u00a0€', badge: null })
  })

  it('has no photograph where there is only the usual drawing', () => {
    expect(cardOf({})).toMatchObject({ photo: null })
  })
})

describe('the preview of a pharmacy', () => {
  const pictured = (url: string, percent = 20) =>
    shownOffer({ fields: { URL_Immagine: url, Prezzo_Offerta: 1000 - percent * 10 } })

  it('says whose offers they are, how many, and shows the first four that can be seen', () => {
    const offers = [
      pictured('/e', 5),
      pictured('/a', 50),
      shownOffer(),
      pictured('/b', 40),
      pictured('/a', 30),
      pictured('/c', 30),
      pictured('/d', 10),
    ]
    expect(shareCard(shownOffers(offers, { logoUrl: 'https://example.it/l.png' }), null)).toEqual({
      kind: 'pharmacy',
      name: 'Farmacia San Marco',
      address: 'Via Garibaldi 12, 37121 Verona',
      count: '7 offerte',
      logo: 'https://example.it/l.png',
      accent: null,
      photos: ['/a', '/b', '/c', '/d'],
    })
  })

  it.each([
    [0, null],
    [1, '1 offerta'],
    [2, '2 offerte'],
  ])('counts %i as %s', (many, count) => {
    const offers = Array.from({ length: many }, () => shownOffer())
    expect(shareCard(shownOffers(offers), null)).toMatchObject({ count })
  })
})

describe('the address of a preview', () => {
  const path = (content: PublicOffers, of: string | null = id) => shareImagePath(content, of)
  const usual = shownOffers([offer()])

  it('names the pharmacy, the offer and what is shown', () => {
    expect(path(usual)).toMatch(new RegExp(`^/share/offers/PHARM-0001/${id}/[\\w-]{12}\\.jpg$`))
    expect(path(usual, null)).toMatch(/^\/share\/offers\/PHARM-0001\/[\w-]{12}\.jpg$/)
  })

  it('can be taken for no other, whatever the code is', () => {
    const odd = shownOffers([offer()], { pharmacy_id: 'A/è?' })
    expect(path(odd)).toContain('/share/offers/A%2F%C3%A8%3F/')
  })

  it('of an offer that is gone is the pharmacy’s', () => {
    expect(path(usual, GONE)).toBe(path(usual, null))
  })

  it('is none where nothing is shown', () => {
    expect(path({ ...usual, offers: [], error: 'Farmacia non attiva' })).toBeNull()
    expect(path({ ...usual, offers: [], pharmacy: null, error: 'Farmacia non trovata' })).toBeNull()
  })

  it.each([
    ['a name', offer({ fields: { Nome_Prodotto: 'Altro' } })],
    ['a price', offer({ fields: { Prezzo_Offerta: 790 } })],
    ['a list price', offer({ fields: { Prezzo_Listino: 1100 } })],
    ['an earlier price', offer({ prior: { cents: 900 } })],
    ['a picture', offer({ fields: { URL_Immagine: photo } })],
  ])('is another with %s', (_what, changed) => {
    expect(path(shownOffers([changed]))).not.toBe(path(usual))
  })

  it('stays the same with what is not shown', () => {
    const fields = { Descrizione: 'Altro', Categoria: 'Altro', Data_Fine: '2026-02-01' }
    const later = { ...shownOffers([offer({ fields })]), day: '2026-01-22' }
    expect([path(later), path(later, null)]).toEqual([path(usual), path(usual, null)])
  })
})
