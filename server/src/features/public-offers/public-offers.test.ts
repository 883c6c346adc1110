import { PublicOffers } from '@bancone/contract/public-offers'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  addOffer,
  type PublicPagesServer,
  publicPagesServer,
} from '../../../test/public-pages-server.ts'

let server: PublicPagesServer
let pharmacyId: string
let clock: number

beforeAll(async () => {
  clock = Date.parse('2026-11-22T12:00:00Z')
  server = await publicPagesServer({ clock: { now: () => clock } })
  pharmacyId = await server.pharmacy('FARM-1')
})

async function offersOf(code: string) {
  const reply = await server.app.inject(`/api/public/offers/${encodeURIComponent(code)}`)
  expect(reply.statusCode).toBe(200)
  return PublicOffers.parse(reply.json())
}

async function change(column: string, value: unknown) {
  await server.database.pool.query(`update pharmacies set ${column} = $2 where id = $1`, [
    pharmacyId,
    value,
  ])
}

describe('what a pharmacy shows to everybody', () => {
  it('is found whatever the case of its code is, and named by the one that it has', async () => {
    for (const code of ['FARM-1', 'farm-1', 'Farm-1']) {
      const { pharmacy, error, day } = await offersOf(code)
      expect([pharmacy?.pharmacy_id, error, day]).toEqual(['FARM-1', undefined, '2026-11-22'])
    }
  })

  it('says how it is reached: by telephone and in a chat', async () => {
    await change('phone', ' 055 123456 ')
    await change('address', 'Via Roma 1, Firenze')
    expect((await offersOf('FARM-1')).pharmacy).toEqual({
      name: 'Farmacia FARM-1',
      phone: '055 123456',
      callNumber: '+39055123456',
      whatsAppNumber: '39055123456',
      isCounting: true,
      hasOrderCodes: false,
      hasPrescriptionFields: false,
      address: 'Via Roma 1, Firenze',
      logoUrl: null,
      max_offers: 10,
      pharmacy_id: 'FARM-1',
      error: null,
      profile: null,
    })
    await change('phone', 'al banco')
    const { pharmacy } = await offersOf('FARM-1')
    expect(pharmacy).toMatchObject({ phone: 'al banco', callNumber: null, whatsAppNumber: null })
  })

  it('is what holds on the day, and no more than there may be', async () => {
    const names = async () =>
      (await offersOf('FARM-1')).offers.map(({ fields }) => fields.Nome_Prodotto)
    await addOffer(server, pharmacyId, { name: 'Vecchia', to: '2026-11-22' })
    await addOffer(server, pharmacyId, { name: 'Nuova', from: '2026-11-23' })
    await addOffer(server, pharmacyId, { name: 'Ferma', isActive: false })
    expect(await names()).toEqual(['Vecchia'])
    clock = Date.parse('2026-11-22T23:00:00Z')
    expect(await names()).toEqual(['Nuova'])
    await addOffer(server, pharmacyId, { name: 'Altra' })
    expect(await names()).toEqual(['Altra', 'Nuova'])
    await change('max_offers', 1)
    expect(await names()).toEqual(['Altra'])
    await change('max_offers', 0)
    expect(await names()).toEqual([])
    await change('max_offers', 10)
  })

  it('names the categories in their order', async () => {
    const { categories } = await offersOf('FARM-1')
    expect([categories.length, categories[0], categories.at(-1)]).toEqual([
      9,
      'Farmaci da banco',
      'Altro',
    ])
  })
})

describe('a pharmacy that shows nothing', () => {
  it('is inactive first of all', async () => {
    await change('is_active', false)
    await change('features_enabled', '[]')
    expect((await offersOf('FARM-1')).error).toBe('Farmacia non attiva')
  })
})
