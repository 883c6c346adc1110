import { gunzipSync } from 'node:zlib'
import type { PriorityPage } from '@bancone/contract/priority-customer'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type TestServer, testServer } from '../../../../test/server.ts'
import { parsePriorityUrl } from './priority-pages.ts'

const CODE = 'PRIO-0001'
const UNREADABLE = 'Si è verificato un errore, riprova più tardi'
const WHATSAPP = 'WhatsApp/2.23.20.0 A'

let server: TestServer
let pharmacyId: string
const drawn: PriorityPage[] = []

beforeAll(async () => {
  const render = async (page: PriorityPage) => {
    drawn.push(page)
    return `<!doctype html>${JSON.stringify(page)}`
  }
  server = await testServer({ renderers: { priority: { render } } })
  const features = ['priority_access']
  pharmacyId = await server.addPharmacy({ email: 'own@example.it', code: CODE, features })
  await server.addPharmacy({ email: 'off@example.it', code: 'PRIO-0002' })
  await server.database.pool.query(
    `insert into priority_access_sessions (
       pharmacy_id, airtable_order_id, order_number, user_name, user_phone, expires_at
     ) values ($1, 'recNew', '1042', 'Maria Segreta', '+393331234567', now() + interval '7 days')`,
    [pharmacyId],
  )
  await server.database.pool.query(
    `insert into order_aliases (pharmacy_id, alias, record_id) values ($1, 'recOld', 'recNew')`,
    [pharmacyId],
  )
})

beforeEach(async () => {
  await server.database.pool.query('delete from rate_limits')
  drawn.length = 0
})

const open = (path: string, headers = {}) =>
  server.app.inject({ url: `/priority/${path}`, headers, remoteAddress: '203.0.113.7' })

it('a page that is opened fifty times by a previewer changes nothing, and shows the state alone', async () => {
  for (let time = 0; time < 50; time += 1) {
    const { statusCode } = await open(`${CODE}/recNew`, { 'user-agent': WHATSAPP })
    expect(statusCode).toBe(200)
  }
  const reply = await server.app.inject({ method: 'HEAD', url: `/priority/${CODE}/recNew` })
  expect(reply.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
  })
  expect(drawn[0]).toMatchObject({ kind: 'session', orderId: 'recNew', status: 'link_sent' })
  expect(JSON.stringify(drawn[0])).not.toMatch(/Maria|333|1042/)
  const { rows } = await server.database.pool.query(
    'select status, version from priority_access_sessions',
  )
  expect(rows).toEqual([{ status: 'link_sent', version: 1 }])
})

it.each<[string, number, Partial<PriorityPage>]>([
  ['prio-0001/recOld', 200, { status: 'link_sent', refusal: null }],
  ['PRIO-0001', 200, { kind: 'find', orderId: null, refusal: null }],
  ['display', 200, { kind: 'display', pharmacy: null }],
  ['PRIO-0001/unknown', 404, { status: null, refusal: 'Ordine non trovato' }],
  ['nothing/recNew', 404, { pharmacy: null, refusal: 'Farmacia non trovata' }],
  ...['/recNew', '%20/recNew', `${CODE}/%20`, `${CODE}//`].map(
    (path): [string, number, Partial<PriorityPage>] => [path, 400, { refusal: UNREADABLE }],
  ),
  ['PRIO-0002/recNew', 403, { refusal: 'Funzione non disponibile presso questa farmacia' }],
])('%s is drawn with the status %i', async (path, status, page) => {
  const reply = await open(path)
  expect(reply.statusCode).toBe(status)
  expect(drawn).toMatchObject([page])
})

it('guesses of a network are limited, and the pages of customers in it are not', async () => {
  const replies = []
  for (let time = 0; time < 61; time += 1) replies.push(await open(`${CODE}/guess${time}`))
  expect(replies.map(({ statusCode }) => statusCode).indexOf(429)).toBe(60)
  expect(replies.at(-1)?.headers['retry-after']).toBeDefined()
  expect(drawn.at(-1)).toMatchObject({ refusal: UNREADABLE })
  for (const path of [CODE, `${CODE}/recNew`]) expect((await open(path)).statusCode).toBe(200)
})

it('readings of a known page in a network are limited', async () => {
  const statuses = []
  for (let time = 0; time < 61; time += 1) statuses.push((await open(CODE)).statusCode)
  expect(statuses.indexOf(429)).toBe(60)
})

it('a page is compressed for browsers that can read it so', async () => {
  const reply = await open(CODE, { 'accept-encoding': 'gzip, br' })
  expect(reply.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(reply.rawPayload).toString()).toContain('Farmacia PRIO-0001')
})

it.each(['%00', 'a//', '%E0%A4%A', 'a/%00'])('%s has no pharmacy or no order', (path) => {
  expect(parsePriorityUrl(`/priority/${path}`)).toBe('invalid')
})

it.each(['', 'settings', 'report', 'poster', 'a/b/c'])('%s is no page of a customer', (path) => {
  expect(parsePriorityUrl(`/priority/${path}`)).toBeUndefined()
})
