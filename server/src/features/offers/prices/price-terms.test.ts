import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'

let database: TestDatabase
let pharmacyId = ''

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(async () => {
  pharmacyId = await addPharmacyRow(database, null)
})

async function insert(given: Record<string, unknown> = {}): Promise<string> {
  const row = {
    product_name: 'Enterogermina 2 miliardi',
    category: 'Integratori',
    list_price: 1000,
    offer_price: 800,
    start_date: '2026-06-01',
    image_url: '/product-placeholder.svg',
    ...given,
  }
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into product_offers (pharmacy_id, pharmacy_code, ${Object.keys(row).join(', ')})
     select id, pharmacy_id, ${Object.keys(row)
       .map((_, index) => `$${index + 2}`)
       .join(', ')}
     from pharmacies where id = $1 returning id`,
    [pharmacyId, ...Object.values(row)],
  )
  return rows[0]?.id ?? ''
}

const change = (id: string, what: string) =>
  database.pool.query(`update product_offers set ${what} where id = $1`, [id])

const remove = (id: string) => database.pool.query('delete from product_offers where id = $1', [id])

type Kept = {
  key: string
  list: number
  offer: number
  start: string
  end: string | null
  active: boolean
  stands: boolean
}

/** The terms of the pharmacy's offers, in the order in which they were written. */
async function kept(): Promise<Kept[]> {
  const { rows } = await database.pool.query<Kept>(
    `select product_key as key, list_price as list, offer_price as offer, start_date::text as start,
       end_date::text as end, is_active as active, to_at is null as stands
     from offer_price_terms where pharmacy_id = $1 order by id`,
    [pharmacyId],
  )
  return rows
}

const first = {
  key: 'enterogermina 2 miliardi',
  list: 1000,
  offer: 800,
  start: '2026-06-01',
  end: null,
  active: true,
}

describe('the prices of an offer', () => {
  it('are kept when it is made', async () => {
    await insert()
    expect(await kept()).toEqual([{ ...first, stands: true }])
  })

  it.each([
    ['its list price', 'list_price = 1200', { list: 1200 }],
    ['its price', 'offer_price = 700', { offer: 700 }],
    ['its first day', "start_date = '2026-07-01'", { start: '2026-07-01' }],
    ['its last day', "end_date = '2026-07-31'", { end: '2026-07-31' }],
    ['its state', 'is_active = false', { active: false }],
    ['its name', "product_name = 'Enterogermina 4 miliardi'", { key: 'enterogermina 4 miliardi' }],
    ['its code', "minsan = '034208013'", { key: '034208013' }],
  ])('are kept anew when %s changes', async (_what, set, changed) => {
    await change(await insert(), set)
    expect(await kept()).toEqual([
      { ...first, stands: false },
      { ...first, ...changed, stands: true },
    ])
  })

  it('are kept anew when its last day is taken away', async () => {
    await change(await insert({ end_date: '2026-06-30' }), 'end_date = null')
    expect((await kept()).map(({ end }) => end)).toEqual(['2026-06-30', null])
  })

  it('follow one another without a gap', async () => {
    const id = await insert()
    await change(id, 'offer_price = 700')
    await change(id, 'offer_price = 600')
    const { rows } = await database.pool.query(
      `select from_at = lag(to_at) over (order by id) as follows
       from offer_price_terms where pharmacy_id = $1 order by id`,
      [pharmacyId],
    )
    expect(rows).toEqual([{ follows: null }, { follows: true }, { follows: true }])
  })

  it.each([
    ['another description', "description = 'Flaconcini'"],
    ['another picture', "image_url = '/images/a.webp', cloudinary_id = 'a'"],
    ['another place', 'position = 3'],
    ['what was said of the price before', 'prior_price = 900'],
    ['the same name in other letters', "product_name = ' ENTEROGERMINA  2 Miliardi '"],
    ['the same prices', 'list_price = 1000, offer_price = 800'],
  ])('are as they were with %s', async (_what, set) => {
    await change(await insert(), set)
    expect(await kept()).toEqual([{ ...first, stands: true }])
  })

  it('are as they were with another name of the same code', async () => {
    const id = await insert({ minsan: '034208013' })
    await change(id, "product_name = 'Enterogermina'")
    expect(await kept()).toEqual([{ ...first, key: '034208013', stands: true }])
  })

  it('end when it is removed, and stay', async () => {
    await remove(await insert())
    expect(await kept()).toEqual([{ ...first, stands: false }])
  })

  it('are not kept when nothing was written in the end', async () => {
    const id = await insert()
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query('update product_offers set offer_price = 1 where id = $1', [id])
    await client.query('rollback')
    client.release()
    expect(await kept()).toEqual([{ ...first, stands: true }])
  })

  it('are removed with the pharmacy, whose offers go with it', async () => {
    const id = await insert()
    await change(id, 'offer_price = 700')
    await remove(await insert({ product_name: 'Garze' }))
    await database.pool.query('delete from pharmacies where id = $1', [pharmacyId])
    expect(await kept()).toEqual([])
    const { rowCount } = await database.pool.query('select from product_offers where id = $1', [id])
    expect(rowCount).toBe(0)
  })
})
