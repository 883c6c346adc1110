import { randomUUID } from 'node:crypto'
import { addDays, dayOf } from '@bancone/contract/dates'
import { ErrorBody } from '@bancone/contract/errors'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  anOffer,
  codeOf,
  type OfferingPharmacy,
  type OffersServer,
  offersServer,
} from '../../../test/offers-server.ts'

let server: OffersServer
let pharmacy: OfferingPharmacy
const now = new Date().setUTCHours(10, 0, 0, 0)
const today = dayOf(now)
const yesterday = addDays(today, -1)

beforeAll(async () => {
  server = await offersServer({ clock: { now: () => now } })
})

beforeEach(async () => {
  pharmacy = await server.offering({ maxOffers: 2 })
})

const post = (fields: object = {}) =>
  pharmacy.ask('POST', '/api/offers', { fields: { ...anOffer, ...fields } })
const patch = (offerId: string, fields: object) =>
  pharmacy.ask('PATCH', `/api/offers/${offerId}`, { fields })

/** Connections that are there already, so that what is asked at once does come at once. */
const warm = () =>
  Promise.all([1, 2, 3, 4, 5].map(() => server.database.pool.query('select pg_sleep(0.1)')))

const statuses = (replies: { statusCode: number }[]) =>
  replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)

describe('the active offers of a pharmacy', () => {
  it('are as many as there may be, and no more', async () => {
    await pharmacy.create()
    await pharmacy.create()
    const reply = await post()
    const { code, error } = ErrorBody.parse(reply.json())
    expect([reply.statusCode, code, error]).toEqual([
      409,
      'offers.limit_reached',
      'Hai raggiunto il numero massimo di offerte attive (2): disattivane una, o salva questa come inattiva.',
    ])
    expect(await pharmacy.list()).toMatchObject({
      limit: { active: 2, most: 2 },
      today,
      offers: { length: 2 },
    })
  })

  it('are not one more when two come at once for the last place', async () => {
    await pharmacy.create()
    await warm()
    const replies = await Promise.all([post(), post()])
    expect(statuses(replies)).toEqual([201, 409])
    expect((await pharmacy.list()).limit.active).toBe(2)
  })

  it('are not one more when many are switched on at once', async () => {
    pharmacy = await server.offering({ maxOffers: 10 })
    const off = { Stato_Offerta: 'Inattiva' }
    const on = { Stato_Offerta: 'Attiva' }
    const made: string[] = []
    for (let n = 0; n < 20; n += 1) made.push((await pharmacy.create(off)).id)
    await warm()
    const replies = await Promise.all(made.map((id) => patch(id, on)))
    expect(statuses(replies)).toEqual(made.map((_, n) => (n < 10 ? 200 : 409)))
    expect((await pharmacy.list()).limit).toEqual({ active: 10, most: 10 })

    // A lower limit takes nothing away, and lets nothing be added.
    await server.database.pool.query('update pharmacies set max_offers = 5 where id = $1', [
      pharmacy.id,
    ])
    expect((await pharmacy.list()).limit).toEqual({ active: 10, most: 5 })
    const [active] = (await pharmacy.list()).offers.filter(
      ({ fields }) => fields.Stato_Offerta === 'Attiva',
    )
    expect((await patch(active?.id ?? '', { Nome_Prodotto: 'Altro nome' })).statusCode).toBe(200)
    expect(codeOf(await post())).toBe('offers.limit_reached')
    await server.database.pool.query('update pharmacies set max_offers = null where id = $1', [
      pharmacy.id,
    ])
    expect((await post()).statusCode).toBe(201)
  })

  it('are those to come as well, and neither those switched off nor those that ended', async () => {
    const { id } = await pharmacy.create()
    await server.database.pool.query(
      'update product_offers set start_date = $2, end_date = $2 where id = $1',
      [id, yesterday],
    )
    await pharmacy.create({ Stato_Offerta: 'Inattiva' })
    await pharmacy.create({ Data_Inizio: addDays(today, 30) })
    expect((await pharmacy.list()).limit.active).toBe(1)
    await pharmacy.create({ Data_Fine: today })
    expect(codeOf(await post())).toBe('offers.limit_reached')
    expect((await post({ Stato_Offerta: 'Inattiva' })).statusCode).toBe(201)
    // It is over, whatever it says.
    expect((await patch(id, { Stato_Offerta: 'Inattiva' })).statusCode).toBe(200)
    expect((await patch(id, { Stato_Offerta: 'Attiva' })).statusCode).toBe(200)
    expect(codeOf(await patch(id, { Data_Fine: today }))).toBe('offers.limit_reached')
    expect(codeOf(await patch(id, { Data_Fine: null }))).toBe('offers.limit_reached')
  })

  it('stay, and may be changed, when there may be fewer than there are', async () => {
    const { id } = await pharmacy.create()
    await pharmacy.create()
    await server.database.pool.query('update pharmacies set max_offers = 0 where id = $1', [
      pharmacy.id,
    ])
    expect((await patch(id, { Prezzo_Offerta: 700, Stato_Offerta: 'Attiva' })).statusCode).toBe(200)
    expect((await patch(id, { Stato_Offerta: 'Inattiva' })).statusCode).toBe(200)
    expect(codeOf(await patch(id, { Stato_Offerta: 'Attiva' }))).toBe('offers.limit_reached')
  })

  it('are not those of another pharmacy', async () => {
    const other = await server.offering({ maxOffers: 1 })
    await other.create()
    await pharmacy.create()
    expect((await pharmacy.list()).limit).toEqual({ active: 1, most: 2 })
    expect((await post()).statusCode).toBe(201)
  })
})

describe('an offer that is sent again because the answer was lost', () => {
  const send = (id: string, fields: object = {}) =>
    pharmacy.ask('POST', '/api/offers', { id, fields: { ...anOffer, ...fields } })

  it('is made once, as it was sent first, also where no other may be active', async () => {
    const id = randomUUID()
    await pharmacy.create()
    const first = await send(id)
    const again = await send(id.toUpperCase(), { Nome_Prodotto: 'Altro' })
    expect([first.statusCode, again.statusCode]).toEqual([201, 201])
    expect(again.json()).toEqual(first.json())
    expect((await pharmacy.list()).offers).toMatchObject([{ id }, {}])
  })

  it('is made once when it comes twice at the same time', async () => {
    const id = randomUUID()
    expect(statuses(await Promise.all([send(id), send(id)]))).toEqual([201, 201])
    expect((await pharmacy.list()).offers).toHaveLength(1)
  })
})
