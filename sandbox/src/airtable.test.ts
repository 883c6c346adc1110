import { describe, expect, it } from 'vitest'
import {
  addOrders,
  ask,
  BASE,
  createClock,
  OTHER_BASE,
  officialTable,
  STOCK,
  start,
  TABLE,
} from '../test/start.ts'

describe('/_control/records', () => {
  it.each(['Ordini', TABLE])('shows all that %s holds, more than a page too', async (table) => {
    const airtable = await start()
    addOrders(
      airtable,
      Array.from({ length: 150 }, (_, index) => `Cliente ${index}`),
    )
    const reply = await ask(airtable, `/_control/records/${BASE}/${table}`)
    expect(reply).toEqual({ status: 200, body: airtable.all(BASE, TABLE) })
    expect(reply.body).toHaveLength(150)
  })

  it('shows a table whose name has to be encoded', async () => {
    const airtable = await start()
    airtable.create(BASE, STOCK.id, [{ fields: { Nome: 'Garze' } }])
    const path = `/_control/records/${BASE}/${encodeURIComponent(STOCK.name)}`
    expect(await ask(airtable, path)).toMatchObject({ body: [{ fields: { Nome: 'Garze' } }] })
  })

  it('shows the records while the API fails, and uses up none of its requests', async () => {
    const airtable = await start({ requestsPerSecond: 1, now: createClock().now })
    addOrders(airtable, ['Anna'])
    airtable.fail({ mode: 'hang-up' })
    for (let time = 0; time < 3; time += 1) {
      expect((await ask(airtable, `/_control/records/${BASE}/${TABLE}`)).body).toHaveLength(1)
    }
    airtable.fail({ mode: 'ok' })
    expect((await ask(airtable, `/v0/${BASE}/${TABLE}`)).status).toBe(200)
    expect(airtable.requests().total).toBe(1)
  })

  it.each([`${BASE}/Altro`, `appNobody/${TABLE}`, BASE, ''])('has nothing at %j', async (place) => {
    const airtable = await start()
    const reply = await ask(airtable, `/_control/records/${place}`)
    expect(reply).toEqual({ status: 404, body: { error: 'NOT_FOUND' } })
  })
})

describe('/images', () => {
  async function image(url: string) {
    const reply = await fetch(url)
    return { type: reply.headers.get('content-type'), text: await reply.text() }
  }

  it('draws a picture for every number, without a token', async () => {
    const { url } = await start()
    const first = await image(`${url}/images/1.svg`)
    expect(first.type).toBe('image/svg+xml')
    expect(first.text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^]*<\/svg>\s*$/)
    expect(first.text).toContain('Ricetta 1001')
    const texts = await Promise.all(
      [1, 2, 3].map(async (n) => (await image(`${url}/images/${n}.svg`)).text),
    )
    expect(new Set(texts).size).toBe(3)
    expect(texts[0]).toBe(first.text)
  })

  it.each(['x.svg', '1.png', '-1.svg', '1.svg/2', '12345678.svg', ''])(
    'has nothing at %j',
    async (name) => {
      const airtable = await start()
      expect((await ask(airtable, `/images/${name}`)).status).toBe(404)
    },
  )

  it('is where an order says its picture is', async () => {
    const airtable = await start()
    const fields = { Image: '/images/7.svg' }
    const [id = ''] = airtable.create(BASE, TABLE, [{ fields }])
    const address = `${airtable.url}/images/7.svg`
    expect((await officialTable(airtable).find(id)).get('Image')).toBe(address)
    expect((await image(address)).text).toContain('Ricetta 1007')
  })

  it('leaves an address outside the sandbox as it is', async () => {
    const airtable = await start()
    const Image = 'https://example.org/ricetta.jpg'
    airtable.create(BASE, TABLE, [{ fields: { Image } }])
    expect(airtable.all(BASE, TABLE)[0]?.fields['Image']).toBe(Image)
  })
})

describe('the direct ways in', () => {
  it('are seen over HTTP, and are not counted', async () => {
    const airtable = await start()
    const [anna = '', bruno = ''] = addOrders(airtable, ['Anna', 'Bruno'])
    airtable.update(BASE, 'Ordini', anna, { Stato: 'Confermato' })
    airtable.remove(BASE, TABLE, bruno)
    expect(airtable.requests()).toEqual({ total: 0, byMethod: {}, limited: 0 })
    const found = await officialTable(airtable).select().all()
    expect(found.map((record) => [record.id, record.get('Stato')])).toEqual([[anna, 'Confermato']])
  })

  it('give a record its time, which is that of its last change as well', async () => {
    const airtable = await start()
    const createdTime = Date.parse('2026-01-15T10:30:00.000Z')
    const [id] = airtable.create(OTHER_BASE, TABLE, [{ fields: {}, createdTime }])
    expect(airtable.all(OTHER_BASE, TABLE)).toEqual([
      {
        id,
        createdTime: '2026-01-15T10:30:00.000Z',
        fields: {
          'ID Ordine': 1,
          Created: '2026-01-15T10:30:00.000Z',
          Last: '2026-01-15T10:30:00.000Z',
        },
      },
    ])
  })

  it('refuse what the API refuses', async () => {
    const airtable = await start()
    expect(() => airtable.create(BASE, TABLE, [{ fields: { Telefono: '1' } }])).toThrow(
      'UNKNOWN_FIELD_NAME',
    )
    expect(() => airtable.remove(BASE, TABLE, 'recNobody')).toThrow('NOT_FOUND')
    expect(() => airtable.all(BASE, 'Altro')).toThrow(`there is no table ${BASE}/Altro`)
  })
})

it('lets its port go when it is closed, also while somebody waits for an answer', async () => {
  const airtable = await start()
  airtable.fail({ mode: 'slow', delayMs: 60_000 })
  const waiting = fetch(`${airtable.url}/v0/${BASE}/${TABLE}`)
  const outcome = expect(waiting).rejects.toThrow('fetch failed')
  await expect.poll(() => airtable.requests().total).toBe(1)
  await airtable.close()
  await outcome
  await expect(fetch(`${airtable.url}/_control`)).rejects.toThrow('fetch failed')
})
