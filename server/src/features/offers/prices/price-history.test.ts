import type { OfferFields } from '@bancone/contract/offers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { createPriceHistory, type PriceDraft, type PriceHistory } from './price-history.ts'

const today = '2026-06-30'

let database: TestDatabase
let history: PriceHistory
let pharmacyId = ''
let offers = 0

beforeAll(async () => {
  database = await testDatabase()
  history = createPriceHistory(database.db)
})

beforeEach(async () => {
  pharmacyId = await addPharmacyRow(database, null)
})

type Terms = {
  from: string
  to?: string
  key?: string
  list?: number
  offer?: number
  start?: string
  active?: boolean
  pharmacyId?: string
}

/** What an offer said, as if it had been written at those times. @returns the offer's id */
async function written(...terms: Terms[]): Promise<string> {
  offers += 1
  const id = `00000000-0000-4000-8000-${String(offers).padStart(12, '0')}`
  const rows = terms.map((each) => ({
    pharmacy_id: each.pharmacyId ?? pharmacyId,
    offer_id: id,
    product_key: each.key ?? 'garze',
    list_price: each.list ?? 1000,
    offer_price: each.offer ?? 800,
    start_date: each.start ?? '2026-01-01',
    is_active: each.active ?? true,
    from_at: each.from,
    to_at: each.to ?? null,
  }))
  await database.db.insertInto('offer_price_terms').values(rows).execute()
  return id
}

function priced(id: string, given: Partial<OfferFields> = {}) {
  return {
    id,
    fields: {
      Prezzo_Listino: 1000,
      Prezzo_Offerta: 800,
      Prezzo_Precedente: null,
      Data_Inizio: '2026-01-01',
      ...given,
    },
  }
}

async function priorOf(id: string, given: Partial<OfferFields> = {}, day = today) {
  return (await history.priors(pharmacyId, [priced(id, given)], day)).get(id)
}

describe('the days of a price', () => {
  /** A list price of 9,00 € until then, of 10,00 € after it, and a reduction from that day on. */
  async function lowerUntil(to: string, begun: string) {
    return priorOf(
      await written(
        { from: '2020-01-01T12:00:00Z', to, list: 900, active: false },
        { from: to, to: begun, active: false },
        { from: begun, start: '2020-01-01' },
      ),
    )
  }

  it.each([
    ['2026-04-30T21:59:59Z', 1000],
    ['2026-04-30T22:00:00Z', 1000],
    ['2026-04-30T22:00:01Z', 900],
    ['2026-05-01T21:59:59Z', 900],
  ])('are those of Rome in summer: one that ended at %s', async (to, cents) => {
    const prior = await lowerUntil(to, '2026-05-30T22:00:00Z')
    expect(prior).toEqual({ cents, declared: false })
  })

  it.each([
    // The reduction begins on March 31, and its thirty days on March 1, when it is still winter.
    ['2026-02-28T22:59:59Z', '2026-03-30T22:00:00Z', 1000],
    ['2026-02-28T23:00:01Z', '2026-03-30T22:00:00Z', 900],
    // Summer time ends on October 25.
    ['2025-10-04T21:59:59Z', '2025-11-03T23:00:00Z', 1000],
    ['2025-10-04T22:00:01Z', '2025-11-03T23:00:00Z', 900],
    ['2025-10-04T22:00:01Z', '2025-11-03T22:59:59Z', 900],
    ['2025-10-03T22:00:01Z', '2025-11-03T23:00:00Z', 1000],
    ['2025-10-03T22:00:01Z', '2025-11-02T23:00:00Z', 900],
  ])('are those of Rome over a change of its clocks: %s and %s', async (to, begun, cents) => {
    expect((await lowerUntil(to, begun))?.cents).toBe(cents)
  })

  it('have none for what ended just as they began', async () => {
    const midnight = '2026-06-09T22:00:00Z'
    const id = await written(
      { from: '2026-01-01T10:00:00Z', to: '2026-06-01T10:00:00Z', active: false },
      { from: '2026-06-01T10:00:00Z', to: midnight },
      // All of June 10, and not a moment more.
      { from: midnight, to: '2026-06-10T22:00:00Z', active: false },
      { from: '2026-06-10T22:00:00Z' },
    )
    expect((await priorOf(id))?.cents).toBe(800)
  })
})

describe('the history of a product', () => {
  it('is found by the offer, whatever it was called', async () => {
    const id = await written(
      { from: '2026-01-01T10:00:00Z', to: '2026-06-20T10:00:00Z', list: 900, active: false },
      { from: '2026-06-20T10:00:00Z', key: '034208013' },
    )
    const earlier = { from: '2026-01-01T10:00:00Z', to: '2026-06-01T10:00:00Z', active: false }
    expect((await priorOf(id))?.cents).toBe(900)
    // Another that was called as this one was.
    await written({ ...earlier, list: 850 })
    expect((await priorOf(id))?.cents).toBe(850)
    await written({ ...earlier, list: 500, key: 'bende' })
    expect((await priorOf(id))?.cents).toBe(850)
  })

  it('is not that of another pharmacy', async () => {
    const otherId = await addPharmacyRow(database, null)
    await written({ from: '2026-01-01T10:00:00Z', offer: 500, pharmacyId: otherId })
    const id = await written({ from: '2026-06-20T10:00:00Z' })
    expect(await priorOf(id)).toBeNull()
    const strange = await history.priors(otherId, [priced(id)], today)
    expect(strange.get(id)).toBeNull()
  })

  it('is that of each of many offers', async () => {
    const ids = await Promise.all(
      [500, 600, 700].map((offer) =>
        written(
          { from: '2026-01-01T10:00:00Z', to: '2026-06-10T10:00:00Z', offer, key: String(offer) },
          {
            from: '2026-06-10T10:00:00Z',
            to: '2026-06-20T10:00:00Z',
            key: String(offer),
            active: false,
          },
          { from: '2026-06-20T10:00:00Z', key: String(offer) },
        ),
      ),
    )
    const [featured = ''] = ids
    const asked = ids.map((id) => priced(id))
    const priors = await history.priors(pharmacyId, asked, today)
    expect(ids.map((id) => priors.get(id)?.cents)).toEqual([500, 600, 700])
    const none = await history.priors(
      pharmacyId,
      [priced(featured, { Prezzo_Offerta: 1000 })],
      today,
    )
    expect([...none]).toEqual([[featured, null]])
    expect((await history.priors(pharmacyId, [], today)).size).toBe(0)
  })

  it('is not pushed out by switching an offer off and on a thousand times', async () => {
    const id = await written(
      { from: '2026-01-01T10:00:00Z', to: '2026-06-01T10:00:00Z', active: false },
      { from: '2026-06-01T10:00:00Z', to: '2026-06-02T10:00:00Z', offer: 500 },
      { from: '2026-06-02T10:00:00Z', to: '2026-06-20T06:00:00Z', active: false },
    )
    await database.pool.query(
      `insert into offer_price_terms (pharmacy_id, offer_id, product_key, list_price, offer_price,
         start_date, is_active, from_at, to_at)
       select $1, $2, 'garze', 1000, 800, '2026-01-01', number % 2 = 0, at, at + interval '9 seconds'
       from generate_series(0, 1999) number,
         lateral (select timestamptz '2026-06-20T06:00:00Z' + number * interval '9 seconds' as at) a`,
      [pharmacyId, id],
    )
    await written({ from: '2026-06-20T11:00:00Z' })
    expect((await priorOf(id))?.cents).toBe(500)
  })

  it('knows which of several prices of a day was the last', async () => {
    const id = await written(
      { from: '2026-01-01T10:00:00Z', to: '2026-06-20T06:00:00Z', active: false },
      { from: '2026-06-20T06:00:00Z', to: '2026-06-20T07:00:00Z' },
      { from: '2026-06-20T07:00:00Z', to: '2026-06-20T08:00:00Z', offer: 700 },
      { from: '2026-06-20T08:00:00Z', to: '2026-06-20T09:00:00Z' },
      { from: '2026-06-20T09:00:00Z', to: '2026-06-21T06:00:00Z', active: false },
      { from: '2026-06-21T06:00:00Z', offer: 600 },
    )
    // It was raised to 800 on that day.
    expect((await priorOf(id, { Prezzo_Offerta: 600 }))?.cents).toBe(700)
  })

  it('is the newest part of a very long one', async () => {
    const id = await written({
      from: '2026-01-01T10:00:00Z',
      to: '2026-06-30T10:00:00Z',
      list: 900,
      active: false,
    })
    await database.pool.query(
      `insert into offer_price_terms (pharmacy_id, offer_id, product_key, list_price, offer_price,
         start_date, is_active, from_at, to_at)
       select $1, $2, 'garze', 1000, 800, '2020-01-01', true, at, at + interval '1 day'
       from generate_series(0, 499) number,
         lateral (select timestamptz '2024-01-01T06:00:00Z' + make_interval(days => number) as at) a`,
      [pharmacyId, id],
    )
    const known = { cents: 900, declared: false }
    expect(await priorOf(id)).toEqual(known)
  })

  it('begins with a declared price', async () => {
    const id = await written({ from: '2026-06-20T10:00:00Z' })
    const declared = await priorOf(id, { Prezzo_Precedente: 950 })
    expect(declared).toEqual({ cents: 950, declared: true })
  })
})

describe('a price that is checked', () => {
  const draft = (
    given: Partial<PriceDraft['fields']> = {},
    offerId: string | null = null,
  ): PriceDraft => ({
    offerId,
    fields: {
      Nome_Prodotto: 'Garze',
      Codice_Minsan: null,
      Prezzo_Listino: 1000,
      Prezzo_Offerta: 800,
      Prezzo_Precedente: null,
      Stato_Offerta: 'Attiva',
      ...given,
    },
  })
  const cents = async (asked: PriceDraft) =>
    (await history.check(pharmacyId, asked, today)).prior?.cents

  it('is that of the product, by its name in any letters', async () => {
    await written({ from: '2026-01-01T10:00:00Z', to: '2026-06-30T10:00:00Z', offer: 700 })
    expect(await cents(draft({ Nome_Prodotto: ' GARZE ' }))).toBe(700)
    expect(await cents(draft({ Nome_Prodotto: 'Garze sterili' }))).toBeUndefined()
  })

  it('is that of the code, whatever its name', async () => {
    await written({
      from: '2026-01-01T10:00:00Z',
      to: '2026-06-30T10:00:00Z',
      offer: 700,
      key: '034208013',
    })
    expect(await cents(draft({ Nome_Prodotto: 'Ente', Codice_Minsan: '034208013' }))).toBe(700)
  })

  it('is that of the offer as it would be written', async () => {
    const id = await written(
      { from: '2026-01-01T10:00:00Z', to: '2026-06-10T10:00:00Z', active: false },
      { from: '2026-06-10T10:00:00Z' },
    )
    const renamed = { Nome_Prodotto: 'Bende' }
    // Reduced further, raised, and none.
    expect(await cents(draft({ ...renamed, Prezzo_Offerta: 600 }, id))).toBe(1000)
    expect(await cents(draft({ ...renamed, Prezzo_Offerta: 900 }, id))).toBe(800)
    expect(await cents(draft({ ...renamed, Prezzo_Offerta: 1000 }, id))).toBeUndefined()
    expect(await cents(draft({ Data_Inizio: '2026-07-15' }, id))).toBe(800)
  })

  it('is not that of another pharmacy, whose offer it names', async () => {
    const otherId = await addPharmacyRow(database, null)
    const strange = await written({ from: '2026-01-01T10:00:00Z', pharmacyId: otherId })
    await written({ from: '2026-01-01T10:00:00Z', to: '2026-06-30T10:00:00Z', offer: 700 })
    expect(await cents(draft({ Nome_Prodotto: 'Bende' }, strange))).toBeUndefined()
  })

  it('is that of a product that has its code since it was offered last, as is then shown', async () => {
    const until = { to: '2026-06-30T10:00:00Z', offer: 700 }
    await written({ from: '2026-01-01T10:00:00Z', ...until })
    await written({ from: '2026-01-01T10:00:00Z', ...until, offer: 500, key: '012745093' })
    expect(await cents(draft({ Codice_Minsan: '034208013' }))).toBe(700)
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into product_offers (pharmacy_id, pharmacy_code, product_name, minsan, category, list_price,
         offer_price, start_date, image_url)
       select id, pharmacy_id, 'Garze', '034208013', 'Altro', 1000, 800, $2, '/a.svg'
       from pharmacies where id = $1 returning id`,
      [pharmacyId, today],
    )
    expect((await priorOf(rows[0]?.id ?? '', { Data_Inizio: today }))?.cents).toBe(700)
  })

  it('becomes the one that is shown', async () => {
    const { rows } = await database.pool.query<{ id: string; today: string }>(
      `insert into product_offers (pharmacy_id, pharmacy_code, product_name, category, list_price,
         offer_price, start_date, image_url)
       select id, pharmacy_id, 'Cerotti', 'Altro', 1000, 800, current_date - 1, '/a.svg'
       from pharmacies where id = $1
       returning id, (now() at time zone 'Europe/Rome')::date::text as today`,
      [pharmacyId],
    )
    const [{ id, today: now } = { id: '', today: '' }] = rows
    expect(await priorOf(id, {}, now)).toBeNull()
    await database.pool.query('delete from product_offers where id = $1', [id])
    // Made anew on the same day, it finds its old price, and is no reduction when it is raised.
    await database.pool.query(
      `update offer_price_terms set from_at = from_at - interval '40 days' where offer_id = $1`,
      [id],
    )
    const anew = draft({ Nome_Prodotto: 'Cerotti', Prezzo_Offerta: 900, Data_Inizio: now })
    expect((await history.check(pharmacyId, anew, now)).prior?.cents).toBe(800)
  })
})
