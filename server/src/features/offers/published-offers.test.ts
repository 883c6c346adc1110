import { addDays, dayOf } from '@bancone/contract/dates'
import type { OfferFields } from '@bancone/contract/offers'
import { PublicOffer } from '@bancone/contract/public-offers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type OfferingPharmacy,
  type OffersServer,
  offersServer,
} from '../../../test/offers-server.ts'
import { createPublishedOffers, type PublishedOffers } from './offers.store.ts'

let server: OffersServer
let shownOffers: PublishedOffers
let pharmacy: OfferingPharmacy
const now = new Date().setUTCHours(10, 0, 0, 0)
const today = dayOf(now)
const [yesterday, tomorrow] = [addDays(today, -1), addDays(today, 1)]

beforeAll(async () => {
  server = await offersServer({ clock: { now: () => now } })
  shownOffers = createPublishedOffers(server.database.db)
})

beforeEach(async () => {
  pharmacy = await server.offering()
})

const shown = (most = 10, day = today) => shownOffers.onDay(pharmacy.id, { today: day, most })
const names = async (most?: number, day?: string) =>
  (await shown(most, day)).offers.map(({ fields }) => fields.Nome_Prodotto)

/** Made one after the other, so that the last is the newest. */
async function make(...products: Partial<OfferFields>[]) {
  const ids: string[] = []
  for (const product of products) ids.push((await pharmacy.create(product)).id)
  return ids
}

const named = (...all: string[]) => all.map((name) => ({ Nome_Prodotto: name }))

describe('what everybody is shown', () => {
  it('is what is active on that day, newest first', async () => {
    await make(
      { Nome_Prodotto: 'sempre' },
      { Nome_Prodotto: 'spenta', Stato_Offerta: 'Inattiva' },
      { Nome_Prodotto: 'oggi', Data_Inizio: today, Data_Fine: today },
      { Nome_Prodotto: 'domani', Data_Inizio: tomorrow },
    )
    expect(await names()).toEqual(['oggi', 'sempre'])
    expect(await names(10, tomorrow)).toEqual(['domani', 'sempre'])
    expect(await names(10, yesterday)).toEqual([])
  })

  it('is what the pharmacy has put first, and then the newest', async () => {
    const [one = '', two = ''] = await make(...named('uno', 'due', 'tre'))
    expect(await shown()).toMatchObject({ arranged: false })
    await pharmacy.ask('PUT', '/api/offers/order', { offerIds: [two, one] })
    await make(...named('quattro'))
    expect(await names()).toEqual(['due', 'uno', 'quattro', 'tre'])
    expect(await shown()).toMatchObject({ arranged: true })
    expect(await names(3)).toEqual(['due', 'uno', 'quattro'])
    expect(await names(0)).toEqual([])
  })

  it('is nothing of another pharmacy', async () => {
    await (await server.offering()).create()
    expect(await shown()).toEqual({ offers: [], arranged: false })
  })

  it('says nothing that is for the pharmacy alone', async () => {
    await pharmacy.create({ Codice_Minsan: '973344518', Prezzo_Precedente: 950, Descrizione: 'Sì' })
    const { offers } = await shown()
    expect(offers).toEqual([z.strictObject(PublicOffer.shape).parse(offers[0])])
    expect(Object.keys(offers[0]?.fields ?? {})).toEqual([
      'Nome_Prodotto',
      'Descrizione',
      'Categoria',
      'Prezzo_Listino',
      'Prezzo_Offerta',
      'Data_Inizio',
      'Stato_Offerta',
      'URL_Immagine',
    ])
    expect(offers[0]).toMatchObject({
      fields: { Descrizione: 'Sì' },
      prior: { cents: 950 },
      medicine: false,
      imageSize: null,
    })
  })

  it('has no description of a medicine', async () => {
    const aic = { Codice_Minsan: '012745093' }
    const products = [
      { Categoria: 'Farmaci da banco', ...aic },
      { Categoria: 'Omeopatia', ...aic },
      { Categoria: 'Dispositivi medici' },
      { Categoria: 'Integratori', Codice_Minsan: '973344518' },
      // The code decides, whatever the category is.
      { Categoria: 'Integratori', ...aic },
    ]
    for (const product of products) await pharmacy.create({ ...product, Descrizione: 'Fa bene' })
    const { offers } = await shown()
    expect(offers.map(({ medicine, fields }) => [medicine, fields.Descrizione])).toEqual([
      [true, ''],
      [false, 'Fa bene'],
      [false, 'Fa bene'],
      [true, ''],
      [true, ''],
    ])
  })

  it('is no medicine without its code, which takes no place either', async () => {
    const [shownToo = ''] = await make({ Nome_Prodotto: 'sempre' })
    const [refused = ''] = await make({ Nome_Prodotto: 'senza codice' })
    await server.database.pool.query(
      "update product_offers set category = 'Farmaci da banco' where id = $1",
      [refused],
    )
    expect(await names(1)).toEqual(['sempre'])
    const { offers } = await pharmacy.list()
    expect(offers.map(({ id, refusal }) => [id, refusal])).toEqual([
      [refused, 'offers.code_missing'],
      [shownToo, null],
    ])
  })

  it('has no earlier price where nothing is reduced', async () => {
    await pharmacy.create({ Prezzo_Offerta: 1_000 })
    expect((await shown()).offers[0]?.prior).toBeNull()
  })
})
