import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  addOrders,
  ask,
  BASE,
  createClock,
  officialTable,
  STOCK,
  start,
  TABLE,
} from '../test/start.ts'
import type { AirtableSandbox } from './airtable.ts'

describe('a change past the API', () => {
  it('is overwritten by a client that read the record before it, not by one that read it after', async () => {
    const airtable = await start()
    const [anna = '', bruno = ''] = addOrders(airtable, ['Anna', 'Bruno'])
    const body = JSON.stringify({ fields: { Stato: 'Confermato' } })
    for (const id of [anna, bruno]) {
      await ask(airtable, `/v0/${BASE}/${TABLE}/${id}`)
      airtable.update(BASE, TABLE, id, { Stato: 'Annullato' })
      if (id === bruno) await ask(airtable, `/v0/${BASE}/${TABLE}/${id}`)
      await ask(airtable, `/v0/${BASE}/${TABLE}/${id}`, { method: 'PATCH', body })
    }
    expect([...airtable.overwritten()]).toEqual([anna])
  })
})

describe('the records of /_control', () => {
  const PLACE = `/_control/records/${BASE}/${TABLE}`
  const send = (airtable: AirtableSandbox, method: string, path: string, body: object = {}) =>
    ask(airtable, path, { method, token: 'patWrong', body: JSON.stringify(body) })

  it('are added, changed and removed past token, limits and failures, and uncounted', async () => {
    const clock = createClock()
    const airtable = await start({ requestsPerSecond: 1, now: clock.now })
    airtable.fail({ mode: '500' })
    const createdTime = Date.parse('2026-01-15T10:30:00.000Z')
    const records = [{ fields: { Cliente: 'Anna' }, createdTime }, { fields: { Cliente: 'Bruno' } }]
    const added = await send(airtable, 'POST', PLACE, { records })
    const [anna = '', bruno = ''] = airtable.all(BASE, TABLE).map(({ id }) => id)
    expect(added).toEqual({ status: 200, body: { ids: [anna, bruno] } })
    expect(airtable.all(BASE, TABLE)).toMatchObject([
      { createdTime: '2026-01-15T10:30:00.000Z', fields: { Cliente: 'Anna' } },
      { createdTime: '2026-03-01T09:00:00.000Z', fields: { Cliente: 'Bruno' } },
    ])

    clock.move(1000)
    const changed = await send(airtable, 'PATCH', `${PLACE}/${anna}`, {
      fields: { Stato: 'Annullato' },
    })
    const fields = { Cliente: 'Anna', Stato: 'Annullato', Last: '2026-03-01T09:00:01.000Z' }
    expect(changed).toMatchObject({ status: 200, body: { id: anna, fields } })

    expect((await send(airtable, 'DELETE', `${PLACE}/${bruno}`)).status).toBe(200)
    expect(airtable.all(BASE, TABLE)).toMatchObject([{ id: anna, fields }])
    expect(airtable.requests().total).toBe(0)
  })
})

describe('the tables of a base', () => {
  const Tables = z.object({
    tables: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        fields: z.array(z.object({ name: z.string(), type: z.string() })),
      }),
    ),
  })
  const path = `/v0/meta/bases/${BASE}/tables`

  it('are told with their columns', async () => {
    const airtable = await start()
    const { status, body } = await ask(airtable, path)
    expect(status).toBe(200)
    const [orders, stock] = Tables.parse(body).tables
    expect(orders).toMatchObject({ id: TABLE, name: 'Ordini' })
    expect(orders?.fields.slice(0, 4)).toEqual([
      { name: 'ID Ordine', type: 'autoNumber' },
      { name: 'ID WA', type: 'singleLineText' },
      { name: 'Cliente', type: 'singleLineText' },
      { name: 'Phone Number', type: 'phoneNumber' },
    ])
    expect(stock).toMatchObject({ id: STOCK.id, name: STOCK.name })
    expect(stock?.fields.map(({ name }) => name)).toEqual(Object.keys(STOCK.fields))
    expect(airtable.requests().byKind).toEqual({ list: 0, read: 0, write: 0, meta: 1, webhook: 0 })
  })

  it('are not told to who may not know, or of what is not there', async () => {
    const secretive = await start({ exposesSchema: false })
    expect((await ask(secretive, path)).status).toBe(403)
    const airtable = await start()
    expect((await ask(airtable, path, { token: 'patWrong' })).status).toBe(401)
    expect((await ask(airtable, '/v0/meta/bases/appNobody/tables')).status).toBe(403)
    for (const wrong of ['/v0/meta/users', `/v0/meta/bases/${BASE}/views`]) {
      expect((await ask(airtable, wrong)).status).toBe(404)
    }
    expect((await ask(airtable, path, { method: 'POST' })).status).toBe(404)
  })
})

describe('/images', () => {
  async function image(url: string) {
    const reply = await fetch(url)
    const bytes = Buffer.from(await reply.arrayBuffer())
    return { status: reply.status, type: reply.headers.get('content-type'), bytes }
  }

  it('is where an order says its picture is', async () => {
    const airtable = await start()
    const fields = { Image: '/images/7.png' }
    const [id = ''] = airtable.create(BASE, TABLE, [{ fields }])
    const address = `${airtable.url}/images/7.png`
    expect((await officialTable(airtable).find(id)).get('Image')).toBe(address)
    airtable.endImageLinks()
    expect((await image(address)).status).toBe(200)
  })

  it('answers for an attachment until its address ends, and then at another one', async () => {
    const airtable = await start()
    const Foto = [
      { id: 'attOurs', url: '/images/7.png' },
      { id: 'attElsewhere', url: 'https://example.org/ricetta.jpg' },
    ]
    const [id = ''] = airtable.create(BASE, STOCK.id, [{ fields: { Foto } }])
    const Photos = z.array(z.object({ id: z.string(), url: z.string() }))
    const read = async () => {
      const record = await officialTable(airtable, { table: STOCK.id }).find(id)
      return Photos.parse(record.get('Foto'))
    }
    const [ours, elsewhere] = await read()
    expect(elsewhere).toEqual(Foto[1])
    expect((await image(ours?.url ?? '')).status).toBe(200)
    airtable.endImageLinks()
    expect((await image(ours?.url ?? '')).status).toBe(410)
    const [fresh] = await read()
    expect(fresh?.id).toBe('attOurs')
    expect((await image(fresh?.url ?? '')).type).toBe('image/png')
  })
})

it('lets its port go when it is closed, also while a request waits for its response', async () => {
  const airtable = await start()
  airtable.fail({ mode: 'slow', delayMs: 60_000 })
  const waiting = fetch(`${airtable.url}/v0/${BASE}/${TABLE}`)
  const outcome = expect(waiting).rejects.toThrow('fetch failed')
  await expect.poll(() => airtable.requests().total).toBe(1)
  await airtable.close()
  await outcome
  await expect(fetch(`${airtable.url}/_control`)).rejects.toThrow('fetch failed')
})
