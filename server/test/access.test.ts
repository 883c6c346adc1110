import { endpoints } from '@bancone/contract/api'
import type { Endpoint } from '@bancone/contract/endpoint'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type TestServer, testServer } from './server.ts'

let server: TestServer
const callers: Record<string, { authorization: string }> = {}

beforeAll(async () => {
  server = await testServer()
  await server.addPharmacy({ email: 'pharmacy@example.it', code: 'PHARM-0001' })
  const closed = await server.addPharmacy({ email: 'closed@example.it', code: 'PHARM-0002' })
  await server.database.pool.query('update pharmacies set is_active = false where id = $1', [
    closed,
  ])
  await server.addAdministrator({ email: 'admin@example.it' })
  await server.addUser('nobody@example.it')
  for (const who of ['pharmacy', 'closed', 'admin', 'nobody']) {
    callers[who] = await server.signIn(`${who}@example.it`)
  }
  callers['key'] = await makeKey('pharmacy@example.it')
  callers['key of the closed'] = await makeKey('keys@example.it', 'PHARM-0003')
  await server.database.pool.query(
    "update pharmacies set is_active = false where pharmacy_id = 'PHARM-0003'",
  )
  callers['revoked key'] = await makeKey('pharmacy@example.it')
  await server.database.pool.query(
    'update api_keys set revoked_at = now() where id = (select id from api_keys order by created_at desc limit 1)',
  )
})

/** @param code of the pharmacy, if there is none yet */
async function makeKey(email: string, code?: string): Promise<{ authorization: string }> {
  if (code) await server.addPharmacy({ email, code })
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/api-keys',
    headers: await server.signIn(email),
    payload: { name: 'Sito' },
  })
  const { key } = z.object({ key: z.string() }).parse(reply.json())
  return { authorization: `Bearer ${key}` }
}

function call(endpoint: Endpoint, headers: Record<string, string> = {}) {
  return server.app.inject({
    method: endpoint.method,
    url: `${endpoint.path.replaceAll(/:\w+/g, 'recAAAAAAAAAAAAAA')}?${variantOf(endpoint)}`,
    headers,
  })
}

function variantOf({ onlyWith = {} }: Endpoint): string {
  return new URLSearchParams(onlyWith).toString()
}

const named = endpoints.map(
  (endpoint) =>
    [`${endpoint.method} ${endpoint.path} ${variantOf(endpoint)}`.trim(), endpoint] as const,
)
const guarded = named.filter(([, endpoint]) => endpoint.access !== 'public')
const ofKeys = named.filter(([, endpoint]) => endpoint.access === 'pharmacy-or-key')
const ofPharmacies = [...named.filter(([, endpoint]) => endpoint.access === 'pharmacy'), ...ofKeys]
const ofEither = named.filter(([, endpoint]) => endpoint.access === 'pharmacy-or-admin')
const ofAdmins = named.filter(([, endpoint]) => endpoint.access === 'admin')

describe('who may not', () => {
  it('is asked of every endpoint, each of them once', () => {
    expect(named.length).toBeGreaterThanOrEqual(14)
    expect(new Set(named.map(([name]) => name)).size).toBe(named.length)
  })

  it.each(named)('%s is served', (_name, endpoint) => {
    const { method, path: url, onlyWith } = endpoint
    const constraints = onlyWith ? { query: variantOf(endpoint) } : {}
    expect(server.app.hasRoute({ method, url, constraints })).toBe(true)
  })

  it.each(guarded)('%s: 401 without a session', async (_name, endpoint) => {
    for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: 'Bearer a.b.c' }]) {
      const reply = await call(endpoint, headers)
      expect([reply.statusCode, reply.json()]).toMatchObject([401, { error: 'No active session' }])
    }
  })

  it.each(ofPharmacies)('%s: 403 for an administrator', async (_name, endpoint) => {
    const reply = await call(endpoint, callers['admin'])
    expect([reply.statusCode, reply.json()]).toMatchObject([403, { code: 'access.denied' }])
  })

  it.each([...ofPharmacies, ...ofEither])(
    '%s: 404 for a user without a pharmacy',
    async (_name, endpoint) => {
      const reply = await call(endpoint, callers['nobody'])
      expect([reply.statusCode, reply.json()]).toMatchObject([
        404,
        { code: 'pharmacy.not_found', error: 'Could not find pharmacy information' },
      ])
    },
  )

  it.each([...ofPharmacies, ...ofEither])(
    '%s: 403 for a pharmacy that is not active',
    async (_name, endpoint) => {
      const reply = await call(endpoint, callers['closed'])
      expect([reply.statusCode, reply.json()]).toMatchObject([403, { code: 'pharmacy.inactive' }])
    },
  )

  it.each(ofAdmins)('%s: 403 for a pharmacy', async (_name, endpoint) => {
    const reply = await call(endpoint, callers['pharmacy'])
    expect([reply.statusCode, reply.json()]).toMatchObject([403, { code: 'access.denied' }])
  })

  it.each(guarded.filter(([, { access }]) => access !== 'pharmacy-or-key'))(
    '%s: 401 for an API key',
    async (_name, endpoint) => {
      const reply = await call(endpoint, callers['key'])
      expect([reply.statusCode, reply.json()]).toMatchObject([401, { code: 'session.missing' }])
    },
  )

  it.each(ofKeys)('%s: not for any API key', async (_name, endpoint) => {
    const nobodys = { authorization: `Bearer bnc_${'x'.repeat(43)}` }
    for (const [key, status, code] of [
      [callers['revoked key'], 401, 'session.missing'],
      [nobodys, 401, 'session.missing'],
      [callers['key of the closed'], 403, 'pharmacy.inactive'],
      // And then what it sends is looked at.
      [callers['key'], 400, 'request.invalid'],
      [callers['pharmacy'], 400, 'request.invalid'],
    ] as const) {
      const reply = await call(endpoint, key)
      expect([reply.statusCode, reply.json()]).toMatchObject([status, { code }])
    }
  })

  it('is asked of at least one endpoint that is for API keys', () => {
    expect(ofKeys.length).toBeGreaterThanOrEqual(1)
  })

  it('lets the administrator in', async () => {
    const reply = await server.app.inject({
      url: '/api/administrator',
      headers: callers['admin'] ?? {},
    })
    expect([reply.statusCode, reply.json()]).toMatchObject([200, { email: 'admin@example.it' }])
  })

  it('lets the pharmacy in', async () => {
    const reply = await server.app.inject({
      url: '/api/pharmacy',
      headers: callers['pharmacy'] ?? {},
    })
    expect([reply.statusCode, reply.json()]).toMatchObject([200, { pharmacyId: 'PHARM-0001' }])
  })
})
