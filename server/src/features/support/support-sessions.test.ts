import { randomUUID } from 'node:crypto'
import { getAnalytics, getOrderAnalytics } from '@bancone/contract/analytics'
import { getTraffic } from '@bancone/contract/analytics-traffic'
import type { Endpoint } from '@bancone/contract/endpoint'
import { ErrorBody } from '@bancone/contract/errors'
import { ReceivedSupportSession, SupportSession } from '@bancone/contract/support-sessions'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../../test/endpoints.ts'
import { type TestServer, testServer } from '../../../test/server.ts'

type Headers = { authorization: string; 'x-support-session'?: string }

const reason = 'Gli ordini non si aggiornano'
/** What a support session must not show, in what it can read. */
const personal = [
  'Giulia',
  'Bianchi',
  '1234567',
  'Via Roma',
  'Tachipirina',
  'Chiamare',
  'Collega',
  'Rossella',
  'ricetta.pdf',
  '1300A4000000248',
  'RSSMRA79B11C566R',
  'order-images',
  'Anna',
]

let server: TestServer
let admin: Headers
let owner: Headers
let pharmacyId: string
let recordId: string
let ahead = 0

beforeAll(async () => {
  server = await testServer({ clock: { now: () => Date.now() + ahead } })
  await server.addAdministrator({ email: 'admin@example.it' })
  admin = await server.signIn('admin@example.it')
  const features = ['offers', 'priority_access', 'analytics']
  pharmacyId = await server.addPharmacy({ email: 'own@example.it', code: 'SUP-1', features })
  owner = await server.signIn('own@example.it')
  await server.addColleague({ email: 'colleague@example.it', pharmacyId, name: 'Collega Vera' })
  const colleague = await server.signIn('colleague@example.it')
  const order = {
    Cliente: 'Giulia Bianchi',
    'Phone Number': '+39 333 1234567',
    Indirizzo: 'Via Roma 1',
    Ordine: 'Tachipirina, NRE 1300A4000000248 cf RSSMRA79B11C566R',
  }
  const post = (url: string, payload: object) =>
    server.app.inject({
      method: 'POST',
      url,
      headers: { ...colleague, 'idempotency-key': randomUUID() },
      payload,
    })
  const made = await post('/api/orders', { fields: order })
  const Made = z.object({ id: z.string() })
  ;({ id: recordId } = Made.parse(made.json()))
  const { id: second } = Made.parse((await post('/api/orders', { fields: order })).json())
  await post(`/api/orders/${recordId}/notes`, { text: 'Chiamare Giulia' })
  await server.database.pool.query(
    `update pharmacy_orders set image_url = 'https://example.org/a', image_ref = 'att1', attachments =
      '[{"url":"https://example.org/a","ref":"att1","name":"ricetta.pdf","type":"application/pdf","bytes":9}]'
     where airtable_order_id = $1`,
    [recordId],
  )
  await ask('PUT', `/api/orders/${recordId}/hold`, owner, { reason: 'Reclamo di Rossella' })
  await post('/api/analytics/notes', { day: '2026-11-02', text: 'Volantino per Anna' })
  await post('/api/priority-sessions', { recordIds: [recordId, second] })
  await server.database.pool.query(
    `update priority_access_sessions
     set status = 'user_arrived', arrived_at = now(), place = 'Auto di Bianchi' where airtable_order_id = $1`,
    [recordId],
  )
  await server.database.pool.query(
    'update priority_access_sessions set times_not_present = 1 where airtable_order_id = $1',
    [second],
  )
})

function ask(method: Endpoint['method'], url: string, headers: Headers, payload?: object) {
  return server.app.inject({ method, url, headers, ...(payload && { payload }) })
}

async function start(headers = admin, id = pharmacyId) {
  const url = '/api/admin/support-sessions'
  const reply = await ask('POST', url, headers, { pharmacyId: id, reason })
  expect(reply.statusCode, reply.body).toBe(201)
  return SupportSession.parse(reply.json())
}

const inSession = ({ id }: SupportSession, headers = admin) => ({
  ...headers,
  'x-support-session': id,
})

const codeOf = (reply: { json(): unknown }) => ErrorBody.parse(reply.json()).code

async function received() {
  const reply = await ask('GET', '/api/support-sessions', owner)
  return z.object({ supportSessions: z.array(ReceivedSupportSession) }).parse(reply.json())
    .supportSessions
}

const ofPeriods: ReadonlySet<string> = new Set([
  getAnalytics.path,
  getTraffic.path,
  getOrderAnalytics.path,
])

/** `docs/access.md` lists them. */
const readable = endpoints.filter(({ supportSession }) => supportSession !== undefined)

function urlOf({ path, requiredQuery = {} }: Endpoint) {
  const address = path.replace(':recordId', recordId).replaceAll(/:\w+/g, 'recAAAAAAAAAAAAAA')
  const days = ofPeriods.has(path) ? { dal: '2026-11-02', al: '2026-11-02' } : {}
  return `${address}?${new URLSearchParams({ ...requiredQuery, ...days }).toString()}`
}

describe('a support session', () => {
  it('is refused by every endpoint but those that say what it may see', async () => {
    const headers = inSession(await start())
    const found: Record<string, string> = {}
    for (const endpoint of endpoints) {
      const reply = await ask(endpoint.method, urlOf(endpoint), headers)
      const name = `${endpoint.method} ${urlOf(endpoint)}`
      if (reply.statusCode === 403)
        expect([name, codeOf(reply)]).toEqual([name, 'support.read_only'])
      else found[name] = String(reply.statusCode)
    }
    expect(found).toEqual(
      Object.fromEntries(readable.map((endpoint) => [`GET ${urlOf(endpoint)}`, '200'])),
    )
    for (const { method, access } of readable) {
      expect([method, access]).toEqual(['GET', 'pharmacy'])
    }
    const { rows } = await server.database.pool.query(
      `select role, pharmacy_id, details ->> 'code' as code from audit_events
       where action = 'offer_created' and outcome = 'refused'`,
    )
    expect(rows).toEqual([{ role: 'admin', pharmacy_id: pharmacyId, code: 'support.read_only' }])
  })

  it('shows no names, telephone numbers and free texts', async () => {
    const headers = inSession(await start())
    let seen = ''
    for (const endpoint of readable) {
      const own = await ask(endpoint.method, urlOf(endpoint), owner)
      seen += own.body
      const { body } = await ask(endpoint.method, urlOf(endpoint), headers)
      for (const word of personal)
        expect([endpoint.path, body.includes(word)]).toEqual([endpoint.path, false])
    }
    for (const word of personal) expect([word, seen.includes(word)]).toEqual([word, true])
    const board = await ask('GET', '/api/priority/board', owner)
    expect(board.json()).toMatchObject({ waiting: [{}], sentBack: [{}] })
    const { body } = await ask('GET', '/api/airtable-orders', headers)
    expect(body).toContain('"Cliente":"G••• B•••"')
    expect(body).toContain('"Phone Number":"•••67"')
  })

  it('is shown to the owners of the pharmacy: who, why, when', async () => {
    const supportSession = await start()
    const [first] = await received()
    expect(first).toMatchObject({
      id: supportSession.id,
      administrator: null,
      reason,
      endedAt: null,
    })
    const other = await start()
    expect((await received()).find(({ id }) => id === supportSession.id)?.endedAt).not.toBeNull()
    await ask('DELETE', `/api/admin/support-sessions/${other.id}`, admin)
    expect((await received())[0]?.endedAt).toEqual(expect.any(String))
    for (const { id } of [supportSession, other]) {
      const { rows } = await server.database.pool.query(
        `select action from audit_events where user_id = $1 and details ->> 'supportSessionId' = $2 order by id`,
        [pharmacyId, id],
      )
      expect(rows).toEqual([
        { action: 'support_session_started' },
        { action: 'support_session_ended' },
      ])
    }
  })

  it('is over after half an hour, and another one does not prolong it', async () => {
    const first = await start()
    expect(first.secondsLeft).toBe(1_800)
    ahead = 20 * 60_000
    const second = await start()
    expect(codeOf(await ask('GET', '/api/pharmacy', inSession(first)))).toBe('support.no_session')
    ahead = 49 * 60_000
    expect((await ask('GET', '/api/pharmacy', inSession(second))).statusCode).toBe(200)
    ahead = 51 * 60_000
    expect(codeOf(await ask('GET', '/api/pharmacy', inSession(second)))).toBe('support.no_session')
    expect((await ask('GET', '/api/admin/support-sessions/current', admin)).json()).toEqual({
      supportSession: null,
    })
    ahead = 0
  })

  it('belongs to the session that began it, and ends with it', async () => {
    const headers = await server.signIn('admin@example.it')
    const supportSession = await start(headers)
    await server.addAdministrator({ email: 'second@example.it' })
    const second = await server.signIn('second@example.it')
    for (const other of [admin, second]) {
      expect(codeOf(await ask('GET', '/api/pharmacy', inSession(supportSession, other)))).toBe(
        'support.no_session',
      )
    }
    expect(codeOf(await ask('GET', '/api/pharmacy', inSession(supportSession, owner)))).toBe(
      'access.denied',
    )
    expect((await ask('GET', '/api/pharmacy', inSession(supportSession, headers))).statusCode).toBe(
      200,
    )
    await ask('POST', '/auth/v1/logout?scope=local', headers)
    expect((await ask('GET', '/api/pharmacy', inSession(supportSession, headers))).statusCode).toBe(
      401,
    )
    expect((await received()).find(({ id }) => id === supportSession.id)?.endedAt).not.toBeNull()
  })

  it('needs a reason, and a pharmacy at which no administrator works', async () => {
    const url = '/api/admin/support-sessions'
    const short = await ask('POST', url, admin, { pharmacyId, reason: '   perché?    ' })
    expect(short.statusCode).toBe(400)
    const id = await server.addPharmacy({ email: 'boss@example.it', code: 'SUP-2' })
    await server.addAdministrator({ id })
    expect(codeOf(await ask('POST', url, admin, { pharmacyId: id, reason }))).toBe(
      'support.administrator',
    )
    const other = await server.addPharmacy({ email: 'other@example.it', code: 'SUP-3' })
    const member = await server.addColleague({ email: 'member@example.it', pharmacyId: other })
    await server.addAdministrator({ id: member })
    expect(codeOf(await ask('POST', url, admin, { pharmacyId: other, reason }))).toBe(
      'support.administrator',
    )
  })

  it.each(['', 'x', '00000000-0000-4000-8000-000000000000'])(
    'is none with the id %j',
    async (id) => {
      const reply = await ask('GET', '/api/pharmacy', { ...admin, 'x-support-session': id })
      expect(codeOf(reply)).toBe('support.no_session')
    },
  )
})
