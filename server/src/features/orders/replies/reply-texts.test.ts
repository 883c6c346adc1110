import { MAX_REPLY_TEXTS, type ReplyText } from '@bancone/contract/reply-texts'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from '../../../../test/server.ts'

let server: TestServer
let own: { authorization: string }

beforeAll(async () => {
  server = await testServer()
  await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  own = await server.signIn('own@example.it')
})

beforeEach(() => server.database.pool.query('delete from reply_texts'))

async function call(method: 'POST' | 'PATCH' | 'DELETE', id: string, payload?: object) {
  const url = `/api/orders/reply-texts${id && `/${id}`}`
  const reply = await server.app.inject({ method, url, headers: own, ...(payload && { payload }) })
  return { status: reply.statusCode, body: reply.json<ReplyText & { code?: string }>() }
}

const add = (title: string) => call('POST', '', { title, text: 'Gentile {nome}, ordine {numero}' })

async function texts(): Promise<ReplyText[]> {
  const reply = await server.app.inject({ url: '/api/orders/reply-texts', headers: own })
  return reply.json<{ texts: ReplyText[] }>().texts
}

describe('the texts for replies', () => {
  it('are none at first, and then those of the pharmacy in the order in which they were made', async () => {
    expect(await texts()).toEqual([])
    const { body } = await add('Pronto')
    expect(body).toEqual({
      id: body.id,
      title: 'Pronto',
      text: 'Gentile {nome}, ordine {numero}',
    })
    await add('Annullato')
    expect((await texts()).map((text) => text.title)).toEqual(['Pronto', 'Annullato'])
  })

  it('are changed in part or as a whole, and stay where they are', async () => {
    const { body } = await add('Pronto')
    await add('Annullato')
    await call('PATCH', body.id, { title: 'Pronto per il ritiro' })
    const changed = await call('PATCH', body.id, { text: 'È pronto.' })
    expect(changed.body).toEqual({ id: body.id, title: 'Pronto per il ritiro', text: 'È pronto.' })
    expect((await texts())[0]).toEqual(changed.body)
  })

  it('are so many at most, however many are added at once', async () => {
    for (let n = 2; n < MAX_REPLY_TEXTS; n += 1) await add(`Testo ${n}`)
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map((title) => add(title)))
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 409, 409,
    ])
    expect(replies.find((reply) => reply.status === 409)?.body.code).toBe('reply_texts.too_many')
    expect(await texts()).toHaveLength(MAX_REPLY_TEXTS)
  })

  it('are removed', async () => {
    const { body } = await add('Pronto')
    expect((await call('DELETE', body.id)).status).toBe(200)
    expect(await texts()).toEqual([])
  })

  it.each([
    ['an empty title', { title: ' ', text: 'x' }],
    ['a long title', { title: 'x'.repeat(61), text: 'x' }],
    ['no text', { title: 'x' }],
    ['a long text', { title: 'x', text: 'x'.repeat(1_001) }],
  ])('are refused with %s', async (_what, payload) => {
    expect((await call('POST', '', payload)).status).toBe(400)
  })
})
