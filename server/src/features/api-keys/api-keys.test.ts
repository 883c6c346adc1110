import { ApiKey, MAX_API_KEYS } from '@bancone/contract/api-keys'
import { ErrorBody } from '@bancone/contract/errors'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { beforeCacheEnds } from '../../../test/before-cache-ends.ts'
import { otherApp, type TestServer, testServer } from '../../../test/server.ts'

type Headers = { authorization: string }

let server: TestServer
let owner: Headers
let pharmacyId: string
let made = 0

const NewKey = z.object({ ...ApiKey.shape, key: z.string() })
const Keys = z.object({ keys: z.array(ApiKey) })

beforeAll(async () => {
  server = await testServer()
})

beforeEach(async () => {
  made += 1
  const email = `keys-${made}@example.it`
  pharmacyId = await server.addPharmacy({ email, code: `KEYS-${made}` })
  owner = await server.signIn(email)
})

function ask(method: 'GET' | 'POST' | 'DELETE', url: string, headers = owner, payload?: object) {
  return server.app.inject({ method, url, headers, ...(payload && { payload }) })
}

async function create(name = 'Sito', headers = owner) {
  const reply = await ask('POST', '/api/api-keys', headers, { name })
  expect(reply.statusCode, reply.body).toBe(200)
  return NewKey.parse(reply.json())
}

async function list(headers = owner) {
  return Keys.parse((await ask('GET', '/api/api-keys', headers)).json()).keys
}

let orders = 0

/** What a program gets that makes an order with that key. */
async function use(key: string, { app } = server) {
  orders += 1
  const reply = await app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: { authorization: `Bearer ${key}`, 'idempotency-key': `request-${orders}` },
    payload: { fields: { Cliente: 'Anna', Ordine: 'Tachipirina' } },
  })
  return reply.statusCode
}

describe('an API key', () => {
  it('is shown once, and told from others by its name and start', async () => {
    const { key, ...shown } = await create(' Sito ')
    expect(key).toMatch(/^bnc_[\w-]{43}$/)
    expect(shown).toMatchObject({ name: 'Sito', start: key.slice(0, 10), lastUsedAt: null })
    const second = await create('Gestionale')
    expect(second.key).not.toBe(key)
    const listed = await ask('GET', '/api/api-keys')
    expect(Keys.parse(listed.json()).keys.map(({ id }) => id)).toEqual([second.id, shown.id])
    expect(listed.body).not.toContain(key)
  })

  it('is nowhere in the database', async () => {
    const { key } = await create()
    const { rows } = await server.database.pool.query<{ kept: string }>(
      'select each::text as kept from api_keys each',
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { kept } of rows) {
      expect(kept).not.toContain(key)
      expect(kept).not.toContain(Buffer.from(key).toString('hex'))
    }
  })

  it('is in the trail when it is made and when it is revoked, once each', async () => {
    const { id } = await create()
    const revoke = () => ask('DELETE', `/api/api-keys/${id}`)
    const replies = await Promise.all([revoke(), revoke(), revoke()])
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 404]))
    const { rows } = await server.database.pool.query(
      `select action, actor_id, details, address is not null as "hasAddress"
       from audit_events where user_id = $1 and action like 'api_key_%' order by id`,
      [pharmacyId],
    )
    const event = { actor_id: pharmacyId, details: { keyId: id }, hasAddress: true }
    expect(rows).toEqual([
      { action: 'api_key_made', ...event },
      { action: 'api_key_revoked', ...event },
    ])
  })

  it('makes orders for its pharmacy', async () => {
    const { key } = await create()
    expect(await use(key)).toBe(201)
    const { rows } = await server.database.pool.query(
      'select origin from pharmacy_orders where pharmacy_id = $1',
      [pharmacyId],
    )
    expect(rows).toEqual([{ origin: 'api' }])
  })

  it('says when it was last used, to the minute', async () => {
    const { key, id } = await create()
    const { pool } = server.database
    const lastUsed = async () => (await list())[0]?.lastUsedAt
    await use(key)
    const first = await lastUsed()
    expect(first).toEqual(expect.any(String))
    server.sessions.invalidate()
    await use(key)
    expect(await lastUsed()).toBe(first)
    await pool.query(
      "update api_keys set last_used_at = now() - interval '61 seconds' where id = $1",
      [id],
    )
    server.sessions.invalidate()
    await use(key)
    expect(Date.parse((await lastUsed()) ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''))
  })

  it('that is revoked is one no more, in every process', async () => {
    const { key, id } = await create()
    const there = await otherApp(server.database)
    const used = async () => [await use(key), await use(key, { ...server, app: there.app })]
    expect(await used()).toEqual([201, 201])
    expect((await ask('DELETE', `/api/api-keys/${id}`)).statusCode).toBe(200)
    expect(await use(key)).toBe(401)
    expect(await list()).toEqual([])
    await vi.waitFor(async () => expect(await used()).toEqual([401, 401]), beforeCacheEnds)
    const again = await ask('DELETE', `/api/api-keys/${id}`)
    expect(ErrorBody.parse(again.json()).code).toBe('api_keys.not_found')
  })

  it('of a pharmacy that is not active opens nothing', async () => {
    const { key } = await create()
    await server.database.pool.query('update pharmacies set is_active = false where id = $1', [
      pharmacyId,
    ])
    expect(await use(key)).toBe(403)
  })

  it.each(['banned_until', 'deleted_at'])(
    'of an account that is shut out (%s) is none, also if it was just used',
    async (column) => {
      const { key } = await create()
      expect(await use(key)).toBe(201)
      const { pool } = server.database
      const set = (time: string) =>
        pool.query(`update auth_users set ${column} = ${time} where id = $1`, [pharmacyId])
      await set("now() + interval '1 hour'")
      await vi.waitFor(async () => expect(await use(key)).toBe(401), beforeCacheEnds)
      await set('null')
      expect(await use(key)).toBe(201)
    },
  )

  it.each(['bnc_', `bnc_${'A'.repeat(43)}`, 'bnc_\u0000'])(
    'that is unknown (%j) is refused',
    async (key) => {
      expect(await use(key)).toBe(401)
    },
  )

  it('is one of ten at most, however many are made at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: MAX_API_KEYS + 3 }, () =>
        ask('POST', '/api/api-keys', owner, { name: 'Sito' }),
      ),
    )
    const refused = replies
      .filter(({ statusCode }) => statusCode !== 200)
      .map((reply) => [reply.statusCode, ErrorBody.parse(reply.json()).code])
    const tooMany = [409, 'api_keys.too_many']
    expect(refused).toEqual([tooMany, tooMany, tooMany])
    const [first] = await list()
    await ask('DELETE', `/api/api-keys/${first?.id}`)
    await create()
  })
})
