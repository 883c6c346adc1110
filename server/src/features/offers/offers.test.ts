import { addDays, dayOf } from '@bancone/contract/dates'
import { OfferRecord, PLACEHOLDER_IMAGE, PriceCheck } from '@bancone/contract/offers'
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
/** The day of the tests does not end while they run. */
const now = new Date().setUTCHours(10, 0, 0, 0)
const today = dayOf(now)
const yesterday = addDays(today, -1)

beforeAll(async () => {
  server = await offersServer({ clock: { now: () => now } })
})

beforeEach(async () => {
  pharmacy = await server.offering()
})

const post = (fields: object) =>
  pharmacy.ask('POST', '/api/offers', { fields: { ...anOffer, ...fields } })
const patch = (offerId: string, body: object) =>
  pharmacy.ask('PATCH', `/api/offers/${offerId}`, body)

/** As of an offer that has ended. */
async function end({ id }: OfferRecord) {
  await server.database.pool.query(
    'update product_offers set start_date = $2, end_date = $2 where id = $1',
    [id, yesterday],
  )
}

type Declared = { cents: number | null; isOurs: boolean | null; at: string | null }

describe('an offer that is made', () => {
  it('is told with everything that was said, and today as its beginning', async () => {
    const reply = await post({ Descrizione: ' Per mani secche ', Codice_Minsan: 'A012745093' })
    expect(reply.statusCode).toBe(201)
    const offer = OfferRecord.parse(reply.json())
    expect(offer).toMatchObject({
      fields: {
        ...anOffer,
        Descrizione: 'Per mani secche',
        Codice_Minsan: '012745093',
        Prezzo_Precedente: null,
        Data_Inizio: today,
        Stato_Offerta: 'Attiva',
        CloudinaryID: null,
        Farmacia_ID: pharmacy.code,
      },
      position: null,
    })
    expect(offer.fields).not.toHaveProperty('Data_Fine')
    expect((await pharmacy.list()).offers).toEqual([offer])
  })

  it('is in the list before those that were made earlier', async () => {
    const [one, two] = [await pharmacy.create(), await pharmacy.create()]
    expect((await pharmacy.list()).offers.map(({ id }) => id)).toEqual([two.id, one.id])
  })

  it.each<[object, string]>([
    [{ Prezzo_Offerta: 1_001 }, 'offers.price_above_list'],
    [{ Prezzo_Precedente: 1_001 }, 'offers.prior_above_list'],
    [{ Data_Fine: yesterday }, 'offers.ends_too_early'],
    [{ Categoria: 'Giocattoli' }, 'offers.unknown_category'],
    [{ Categoria: 'Farmaci da banco', Codice_Minsan: '973344518' }, 'offers.wrong_code'],
    [{ Categoria: 'Farmaci da banco' }, 'offers.code_missing'],
    [{ Categoria: 'Omeopatia' }, 'offers.code_missing'],
    [{ URL_Immagine: 'https://example.it/a.png' }, 'offers.image_missing'],
    [{ CloudinaryID: 'nobody_1' }, 'offers.image_missing'],
  ])('with %j is refused', async (fields, code) => {
    const reply = await post(fields)
    expect([reply.statusCode, codeOf(reply)]).toEqual([422, code])
    expect((await pharmacy.list()).offers).toEqual([])
  })

  it('may be sent with the code of the pharmacy itself, and not with that of another', async () => {
    const other = await server.offering()
    const refused = await post({ Farmacia_ID: other.code })
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'access.denied'])
    expect((await pharmacy.list()).offers).toEqual([])
    const { id, fields } = await pharmacy.create({ Farmacia_ID: pharmacy.code })
    expect(fields.Farmacia_ID).toBe(pharmacy.code)
    const change = (code: string) =>
      pharmacy.ask('PATCH', `/api/offers/${id}`, { fields: { ...fields, Farmacia_ID: code } })
    expect(codeOf(await change(other.code))).toBe('access.denied')
    expect((await change(pharmacy.code)).statusCode).toBe(200)
  })

  it('may be of a medicine with its code, and have a price like the list price', async () => {
    const fields = {
      Categoria: 'Farmaci da banco',
      Codice_Minsan: '012745093',
      Prezzo_Offerta: 1_000,
    }
    expect((await pharmacy.create(fields)).prior).toBeNull()
  })

  it('may be of a medicine without its code while it is not published', async () => {
    const { id, refusal } = await pharmacy.create({
      Categoria: 'Farmaci da banco',
      Stato_Offerta: 'Inattiva',
    })
    expect(refusal).toBe('offers.code_missing')
    expect(codeOf(await patch(id, { fields: { Stato_Offerta: 'Attiva' } }))).toBe(refusal)
    expect((await pharmacy.list()).limit.active).toBe(0)
    const changed = await pharmacy.change(id, {
      Codice_Minsan: '012745093',
      Stato_Offerta: 'Attiva',
    })
    expect(changed).toMatchObject({ medicine: true, refusal: null })
  })

  it('is not made where there are as many as there may be', async () => {
    await server.database.pool.query(
      `insert into product_offers (pharmacy_id, pharmacy_code, product_name, category, list_price, offer_price,
        start_date, image_url, is_active)
      select $1, $2, 'Prodotto ' || number, 'Altro', 100, 100, $3, '/p.svg', false
      from generate_series(1, 999) number`,
      [pharmacy.id, pharmacy.code, today],
    )
    await pharmacy.create()
    const reply = await post({ Stato_Offerta: 'Inattiva' })
    expect([reply.statusCode, codeOf(reply)]).toEqual([409, 'offers.too_many'])
  })
})

describe('an offer that is changed', () => {
  it('keeps what is not given, and is newer than before', async () => {
    const offer = await pharmacy.create({ Descrizione: 'Buona', Data_Fine: today })
    const changed = await pharmacy.change(offer.id, { Nome_Prodotto: 'Crema piedi' })
    expect(changed).toEqual({
      ...offer,
      updatedTime: changed.updatedTime,
      fields: { ...offer.fields, Nome_Prodotto: 'Crema piedi' },
    })
    expect(changed.updatedTime > offer.updatedTime).toBe(true)
  })

  it('loses its end, its code and its text', async () => {
    const { id } = await pharmacy.create({ Data_Fine: today, Codice_Minsan: '973344518' })
    const { fields } = await pharmacy.change(id, { Data_Fine: null, Codice_Minsan: '' })
    expect(fields).toMatchObject({ Codice_Minsan: null })
    expect(fields).not.toHaveProperty('Data_Fine')
  })

  it('is refused like one that is made', async () => {
    const offer = await pharmacy.create({ Codice_Minsan: '973344518' })
    for (const [fields, code] of [
      [{ Prezzo_Listino: 799 }, 'offers.price_above_list'],
      [{ Categoria: 'Farmaci da banco' }, 'offers.wrong_code'],
      [{ URL_Immagine: 'https://example.it/a.png' }, 'offers.image_missing'],
    ] as const) {
      const reply = await patch(offer.id, { fields })
      expect([reply.statusCode, codeOf(reply)]).toEqual([422, code])
    }
    expect((await pharmacy.list()).offers).toEqual([offer])
  })

  it('is refused when it is based on an older version', async () => {
    const { id, updatedTime } = await pharmacy.create()
    // Several in one millisecond are told apart, too.
    const seen = [updatedTime]
    for (const price of [700, 690, 680, 670]) {
      const changed = await pharmacy.change(id, { Prezzo_Offerta: price }, seen.at(-1))
      seen.push(changed.updatedTime)
    }
    expect(new Set(seen).size).toBe(5)
    const reply = await patch(id, { fields: { Prezzo_Offerta: 1 }, seen: updatedTime })
    expect([reply.statusCode, codeOf(reply)]).toEqual([409, 'offers.changed_meanwhile'])
    expect((await pharmacy.list()).offers[0]?.fields.Prezzo_Offerta).toBe(670)
  })

  it('that has ended may be mended and switched on, and stays ended', async () => {
    const offer = await pharmacy.create({ Stato_Offerta: 'Inattiva' })
    await end(offer)
    const { fields } = await pharmacy.change(offer.id, {
      Nome_Prodotto: 'Crema piedi',
      Stato_Offerta: 'Attiva',
      Data_Fine: yesterday,
    })
    expect(fields).toMatchObject({ Stato_Offerta: 'Attiva', Data_Fine: yesterday })
    expect((await pharmacy.list()).limit.active).toBe(0)
  })

  it('says who answers for an earlier price, as long as it is said', async () => {
    const { id } = await pharmacy.create()
    const declared = async () => {
      const { rows } = await server.database.pool.query<Declared>(
        `select prior_price as cents, prior_declared_by = pharmacy_id as "isOurs", prior_declared_at as at
        from product_offers where id = $1`,
        [id],
      )
      return rows[0]
    }
    const nothing = { cents: null, isOurs: null, at: null }
    expect(await declared()).toEqual(nothing)
    await pharmacy.change(id, { Prezzo_Precedente: 900 })
    const first = await declared()
    expect(first).toMatchObject({ cents: 900, isOurs: true })
    await pharmacy.change(id, { Prezzo_Precedente: 900, Nome_Prodotto: 'Crema piedi' })
    expect(await declared()).toEqual(first)
    await pharmacy.change(id, { Prezzo_Precedente: 850 })
    const second = await declared()
    expect(Date.parse(second?.at ?? '')).toBeGreaterThan(Date.parse(first?.at ?? ''))
    await pharmacy.change(id, { Prezzo_Precedente: null })
    expect(await declared()).toEqual(nothing)
  })
})

describe('an offer that is removed', () => {
  it('is not there any more', async () => {
    const [gone, kept] = [await pharmacy.create(), await pharmacy.create()]
    expect((await pharmacy.ask('DELETE', `/api/offers/${gone.id}`)).statusCode).toBe(200)
    expect((await pharmacy.list()).offers).toEqual([kept])
    for (const reply of [
      await pharmacy.ask('DELETE', `/api/offers/${gone.id}`),
      await patch(gone.id, { fields: { Stato_Offerta: 'Inattiva' } }),
    ]) {
      expect([reply.statusCode, codeOf(reply)]).toEqual([404, 'offers.not_found'])
    }
  })
})

describe('the order of the offers', () => {
  /** Of each offer, the newest first. */
  const positions = async () => (await pharmacy.list()).offers.map(({ position }) => position)

  it('is the one given, and those that are not in it have no place', async () => {
    const [one, two, three] = [
      await pharmacy.create(),
      await pharmacy.create(),
      await pharmacy.create(),
    ]
    const arrange = (...offers: OfferRecord[]) =>
      pharmacy.ask('PUT', '/api/offers/order', { offerIds: offers.map(({ id }) => id) })
    expect((await arrange(three, one, two)).statusCode).toBe(200)
    expect(await positions()).toEqual([0, 2, 1])
    await arrange(two, two, one)
    expect(await positions()).toEqual([null, 0, 1])
    const { offers } = await pharmacy.list()
    expect(offers.map(({ updatedTime }) => updatedTime)).toEqual(
      [three, two, one].map(({ updatedTime }) => updatedTime),
    )
    await arrange()
    expect(await positions()).toEqual([null, null, null])
  })

  it('is not changed when one of them is not there, or is of another pharmacy', async () => {
    const own = await pharmacy.create()
    const theirs = await (await server.offering()).create()
    for (const other of [theirs.id, '00000000-0000-4000-8000-000000000000']) {
      const reply = await pharmacy.ask('PUT', '/api/offers/order', { offerIds: [own.id, other] })
      expect([reply.statusCode, codeOf(reply)]).toEqual([404, 'offers.not_found'])
    }
    expect(await positions()).toEqual([null])
  })
})

describe('prices that are looked at before they are published', () => {
  const check = (fields: object, offerId: string | null = null) => {
    const { Nome_Prodotto, Prezzo_Listino, Prezzo_Offerta } = anOffer
    return pharmacy.ask('POST', '/api/offers/price-checks', {
      offerId,
      fields: { Nome_Prodotto, Prezzo_Listino, Prezzo_Offerta, ...fields },
    })
  }

  it('are refused like those that are written', async () => {
    expect(codeOf(await check({ Prezzo_Offerta: 1_001 }))).toBe('offers.price_above_list')
    expect(codeOf(await check({ Prezzo_Precedente: 1_001 }))).toBe('offers.prior_above_list')
    expect(codeOf(await check({ Data_Fine: yesterday }))).toBe('offers.ends_too_early')
  })

  it('may be of an offer that has ended', async () => {
    const offer = await pharmacy.create()
    await end(offer)
    const draft = { Data_Inizio: yesterday, Data_Fine: yesterday }
    expect((await check(draft, offer.id)).statusCode).toBe(200)
    const { id: theirs } = await (await server.offering()).create()
    expect(codeOf(await check(draft, theirs))).toBe('offers.ends_too_early')
  })

  it('are those of the offer that is then made', async () => {
    const checked = await check({ Prezzo_Precedente: 900 })
    const made = await pharmacy.create({ Prezzo_Precedente: 900 })
    expect(checked.json()).toEqual({ prior: made.prior, raisedFrom: null, otherPrice: null })
    expect(made.prior).toEqual({ cents: 900, declared: true })
  })

  it('are no reduction while the prices before are neither known nor declared', async () => {
    expect((await check({})).json()).toMatchObject({ prior: null })
    expect((await pharmacy.create()).prior).toBeNull()
  })

  it('tell a price of the same product that is another', async () => {
    const code = { Codice_Minsan: '973344518' }
    const { id } = await pharmacy.create({ ...code, Nome_Prodotto: 'Crema solare' })
    const other = async (fields: object, offerId?: string) =>
      PriceCheck.parse((await check({ ...code, ...fields }, offerId)).json()).otherPrice
    expect(await other({ Prezzo_Offerta: 700 })).toBe(800)
    expect(await other({})).toBeNull()
    expect(await other({ Prezzo_Offerta: 700 }, id)).toBeNull()
    await pharmacy.change(id, { Stato_Offerta: 'Inattiva' })
    expect(await other({ Prezzo_Offerta: 700 })).toBeNull()
  })
})

describe('a list price that is raised far', () => {
  const raises = async () => {
    const { rows } = await server.database.pool.query<{ details: object }>(
      `select details from audit_events where action = 'list_price_raised' and user_id = $1 and actor_id = $1
      order by id`,
      [pharmacy.id],
    )
    return rows.map(({ details }) => details)
  }
  const code = '973344518'

  it('is told before it is stored, and kept in the trail', async () => {
    const known = { Codice_Minsan: code, Prezzo_Listino: 1_890, Prezzo_Offerta: 1_890 }
    const { id } = await pharmacy.create(known)
    const checked = await pharmacy.ask('POST', '/api/offers/price-checks', {
      offerId: null,
      fields: {
        ...known,
        Nome_Prodotto: 'Solare',
        Prezzo_Listino: 10_000,
        Prezzo_Offerta: 10_000,
      },
    })
    expect(checked.json()).toMatchObject({ raisedFrom: 1_890 })
    await pharmacy.change(id, { Prezzo_Listino: 10_000 })
    await pharmacy.change(id, { Nome_Prodotto: 'Crema solare' })
    expect(await raises()).toEqual([{ offerId: id, code, from: 1_890, to: 10_000 }])
    // Of the same product, also in a new offer and after the first is gone.
    await pharmacy.ask('DELETE', `/api/offers/${id}`)
    const anew = await pharmacy.create({ ...known, Prezzo_Listino: 12_001 })
    expect((await raises()).at(-1)).toEqual({ offerId: anew.id, code, from: 10_000, to: 12_001 })
  })

  it('is not one that is hardly raised, nor of another product', async () => {
    await pharmacy.create({ Codice_Minsan: code })
    await pharmacy.create({ Codice_Minsan: code, Prezzo_Listino: 1_200 })
    await pharmacy.create({ Nome_Prodotto: 'Bende', Prezzo_Listino: 5_000 })
    expect(await raises()).toEqual([])
  })
})

describe('offers', () => {
  it('stand for the code that the pharmacy has now', async () => {
    await pharmacy.create()
    await server.database.pool.query('update pharmacies set pharmacy_id = $2 where id = $1', [
      pharmacy.id,
      `${pharmacy.code}-NEW`,
    ])
    const { offers } = await pharmacy.list()
    expect(offers[0]?.fields).toMatchObject({
      Farmacia_ID: `${pharmacy.code}-NEW`,
      URL_Immagine: PLACEHOLDER_IMAGE,
    })
  })

  it('are told to have changed, of that pharmacy alone', async () => {
    const told: string[] = []
    const client = await server.database.pool.connect()
    client.on('notification', ({ payload }) => told.push(payload ?? ''))
    await client.query('listen offers_changed')
    const { id } = await pharmacy.create()
    await pharmacy.change(id, { Stato_Offerta: 'Inattiva' })
    await pharmacy.ask('DELETE', `/api/offers/${id}`)
    await client.query('unlisten offers_changed')
    client.release()
    expect(told).toEqual([pharmacy.id, pharmacy.id, pharmacy.id])
  })
})
