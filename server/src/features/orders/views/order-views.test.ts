import { MAX_VIEWS, type OrderView } from '@bancone/contract/order-views'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from '../../../../test/server.ts'

type Caller = { authorization: string }

let server: TestServer
let own: Caller
let other: Caller

beforeAll(async () => {
  server = await testServer()
  await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0002' })
  own = await server.signIn('own@example.it')
  other = await server.signIn('other@example.it')
})

beforeEach(() => server.database.pool.query('delete from order_views'))

async function call(method: 'POST' | 'PATCH' | 'DELETE', id: string, payload?: object, who = own) {
  const url = `/api/orders/views${id && `/${id}`}`
  const reply = await server.app.inject({ method, url, headers: who, ...(payload && { payload }) })
  return { status: reply.statusCode, body: reply.json<OrderView & { code?: string }>() }
}

const add = (name: string, search: object = {}, who = own) =>
  call('POST', '', { name, search }, who)

async function views(headers = own): Promise<OrderView[]> {
  const reply = await server.app.inject({ url: '/api/orders/views', headers })
  return reply.json<{ views: OrderView[] }>().views
}

describe('the saved views', () => {
  it('are the same for the whole pharmacy, by name', async () => {
    const search = {
      stato: ['In attesa', 'Confermato'],
      periodo: 'oggi',
      q: 'mario rossi',
      ordina: 'cliente',
    }
    const { body } = await add('oggi', search)
    expect(body).toEqual({ id: body.id, name: 'oggi', search })
    await add('Annullati', { stato: 'Annullato' })
    const office = await server.signIn('own@example.it')
    expect((await views(office)).map((view) => view.name)).toEqual(['Annullati', 'oggi'])
    expect((await views(office))[0]?.search).toEqual({ stato: ['Annullato'] })
  })

  it('keep no text that the database cannot store', async () => {
    const { body } = await add('Oggi \ud83d', { q: 'ma\u0000rio' })
    expect(body).toMatchObject({ name: 'Oggi \ufffd', search: { q: 'mario' } })
    expect(await views()).toEqual([body])
  })

  it('get another name, or show something else', async () => {
    const { body } = await add('Oggi', { periodo: 'oggi' })
    await call('PATCH', body.id, { name: 'Ieri' })
    expect(await views()).toEqual([{ ...body, name: 'Ieri' }])
    await call('PATCH', body.id, { search: { periodo: 'ieri' } })
    expect(await views()).toEqual([{ id: body.id, name: 'Ieri', search: { periodo: 'ieri' } }])
  })

  it('have names of their own, whatever the case', async () => {
    const { body } = await add('Oggi')
    const taken = { status: 409, body: { code: 'views.name_taken' } }
    expect(await add('OGGI')).toMatchObject(taken)
    const second = await add('Ieri')
    expect(await call('PATCH', second.body.id, { name: 'oggi' })).toMatchObject(taken)
    // Its own it may write otherwise, and what another pharmacy calls its own does not matter.
    expect((await call('PATCH', body.id, { name: 'OGGI' })).status).toBe(200)
    expect((await add('Oggi', {}, other)).status).toBe(200)
  })

  it('are so many at most, however many are added at once', async () => {
    for (let n = 2; n < MAX_VIEWS; n += 1) await add(`Vista ${n}`)
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map((name) => add(name)))
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 409, 409,
    ])
    expect(replies.find((reply) => reply.status === 409)?.body.code).toBe('views.too_many')
    expect(await views()).toHaveLength(MAX_VIEWS)
  })

  it('are removed', async () => {
    const { body } = await add('Oggi')
    expect((await call('DELETE', body.id)).status).toBe(200)
    expect(await views()).toEqual([])
    expect(await call('DELETE', body.id)).toMatchObject({
      status: 404,
      body: { code: 'views.not_found' },
    })
  })

  it.each([
    ['an empty name', { name: ' ', search: {} }],
    ['a long name', { name: 'x'.repeat(61), search: {} }],
    ['an unknown state', { name: 'x', search: { stato: 'Spedito' } }],
    ['no search', { name: 'x' }],
  ])('are refused with %s', async (_what, payload) => {
    expect((await call('POST', '', payload)).status).toBe(400)
  })
})
