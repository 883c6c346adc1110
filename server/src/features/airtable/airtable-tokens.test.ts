import { getAirtableLoad } from '@bancone/contract/airtable'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type AirtableServer, airtableServer } from '../../../test/airtable-server.ts'
import { capturedLog } from '../../../test/captured-log.ts'
import { testSecret } from '../../../test/server.ts'
import { createSealing } from '../../platform/sealing.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { createAirtableTokens } from './airtable-tokens.service.ts'
import { createAirtableTokensStore } from './airtable-tokens.store.ts'
import { createAirtableWebhooksStore } from './airtable-webhooks.store.ts'

const { log, lines } = capturedLog('trace')
let server: AirtableServer
beforeAll(async () => {
  server = await airtableServer(log)
  // The token of the server can do nothing, so that what succeeds has used another one.
  server.airtable.grant(server.airtable.token, { bases: [] })
  server.start()
})

let made = 0

/** A pharmacy, and a token that Airtable accepts for its base only. */
async function withToken() {
  made += 1
  const pharmacy = await server.addWatched()
  const token = `patSecret${String(made).padStart(8, '0')}.abcdef`
  server.airtable.grant(token, { bases: [pharmacy.base.baseId] })
  const url = `/api/admin/pharmacies/${pharmacy.id}/airtable`
  const set = (text = token) => server.ask('PUT', `${url}/token`, { token: text })
  return { ...pharmacy, token, url, set }
}

async function storedTokens(baseId: string): Promise<number> {
  const { rowCount } = await server.database.pool.query(
    'select from airtable_tokens where base_id = $1',
    [baseId],
  )
  return rowCount ?? 0
}

describe("a base's own token", () => {
  it('is used for all that is read and written in the base', async () => {
    const { base, headers, set, customers } = await withToken()
    const recordId = server.addOrder(base, 'Anna')
    expect(await customers()).toEqual([])
    expect((await set()).statusCode).toBe(200)
    await vi.waitFor(async () => expect(await customers()).toEqual(['Anna']), { timeout: 5_000 })

    const fields = { Stato: 'Confermato' }
    const url = `/api/airtable-orders/${recordId}`
    await server.app.inject({ method: 'PATCH', url, headers, payload: { fields } })
    const order = { fields: { Cliente: 'Bruno', Ordine: 'Garze' } }
    await server.app.inject({
      method: 'POST',
      url: '/api/orders',
      headers: { ...headers, 'idempotency-key': 'order-of-bruno' },
      payload: order,
    })
    await vi.waitFor(() =>
      expect(
        server.airtable.all(base.baseId, base.tableId).map(({ fields: cells }) => cells),
      ).toEqual([
        expect.objectContaining({ Cliente: 'Anna', Stato: 'Confermato' }),
        expect.objectContaining({ Cliente: 'Bruno' }),
      ]),
    )
    const check = { airtable_base_id: base.baseId, airtable_table_id: base.tableId }
    expect((await server.ask('POST', '/api/admin/airtable-checks', check)).json()).toMatchObject({
      problem: null,
      missingColumns: [],
    })
  })

  it('is never used for another base', async () => {
    const first = await withToken()
    await first.set()
    const other = await server.addWatched()
    // It could read this base too.
    server.airtable.grant(first.token, {})
    const check = await server.ask('POST', `/api/admin/pharmacies/${other.id}/airtable/checks`)
    expect(check.json()).toMatchObject({ problem: 'no_access' })
    expect(await server.state(other.id)).toMatchObject({ token: { origin: 'server' } })
  })

  it('is stored encrypted, and is in no response, log or audit event', async () => {
    const { id, base, token, url, set } = await withToken()
    const replies = [
      await set(),
      await server.ask('GET', url),
      await server.ask('POST', `${url}/checks`),
      await server.ask('GET', '/api/admin/airtable/load'),
      await server.ask('GET', `/api/admin/pharmacies/${id}`),
    ]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200))
    const { rows } = await server.database.pool.query<{ stored: string }>(
      `select (select row_to_json(t)::text from airtable_tokens t where base_id = $1)
        || (select encode(token, 'escape') from airtable_tokens where base_id = $1)
        || (select json_agg(e)::text from audit_events e) as stored`,
      [base.baseId],
    )
    expect(rows[0]?.stored).toContain('airtable_token_set')
    for (const text of [...replies.map(({ body }) => body), rows[0]?.stored, lines.join('')]) {
      expect(text).not.toContain(token.slice(3, 17))
    }
  })

  it('is not used with another APP_SECRET, and the page says so', async () => {
    const { id, base, token, set } = await withToken()
    await set()
    const openedBy = (secret: string) => {
      const sealing = createSealing(createSecrets(secret), 'airtable bases')
      const store = createAirtableTokensStore(server.database.db, sealing, {
        recordChange: async () => {},
      })
      return store.find(base.baseId)
    }
    expect(await openedBy(testSecret)).toBe(token)
    expect(await openedBy('another secret, as long as it has to be')).toBeUndefined()
    await server.database.pool.query("update airtable_tokens set key_id = 'other'")
    expect((await server.state(id)).token).toMatchObject({ origin: 'server', isReadable: false })
  })

  it('can be replaced and removed, and the server’s is used again', async () => {
    const { id, base, url, set } = await withToken()
    await set()
    const second = 'patSecond00000001.abcdef'
    server.airtable.grant(second, { bases: [base.baseId] })
    expect((await set(second)).json()).toMatchObject({ airtable: { token: { origin: 'own' } } })
    expect((await server.ask('DELETE', `${url}/token`)).json()).toMatchObject({
      token: { origin: 'server', setAt: null },
    })
    expect(await storedTokens(base.baseId)).toBe(0)
    expect((await server.ask('POST', `${url}/checks`)).json()).toMatchObject({
      problem: 'no_access',
    })
    const { rows } = await server.database.pool.query<{ action: string }>(
      'select action from audit_events where pharmacy_id = $1 order by id',
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'airtable_token_set',
      'airtable_token_set',
      'airtable_token_removed',
    ])
  })

  it('is deleted when no pharmacy has the base any more', async () => {
    const { id, base, set } = await withToken()
    await set()
    await server.runTask('airtable.webhooks')
    expect(await storedTokens(base.baseId)).toBe(1)
    await server.database.pool.query(
      'update pharmacies set airtable_base_id = null where id = $1',
      [id],
    )
    await server.runTask('airtable.webhooks')
    expect(await storedTokens(base.baseId)).toBe(0)
  })
})

describe('a token that does not work', () => {
  it.each([
    ['is unknown to Airtable', 'wrong_token', undefined],
    ['is for other bases', 'no_access', { bases: [] }],
    ['may not read records', 'missing_scope', { scopes: ['schema.bases:read'] as const }],
  ])('because it %s, is not stored, and the reason is told', async (_, problem, grant) => {
    const { url, set } = await withToken()
    await set()
    const token = 'patWrong000000001.abcdef'
    server.airtable.grant(token, grant)
    const { check, airtable } = (await set(token)).json<{
      check: { problem: string }
      airtable: { token: { origin: string } }
    }>()
    expect(check.problem).toBe(problem)
    expect(airtable.token.origin).toBe('own')
    // The one before is used further on.
    expect((await server.ask('POST', `${url}/checks`)).json()).toMatchObject({ problem: null })
  })

  it('of a pharmacy that gets another base while it is tried is refused', async () => {
    const { id, base, token } = await withToken()
    const other = 'appOther000000001'
    const { db, pool } = server.database
    const sealing = createSealing(createSecrets(testSecret), 'airtable bases')
    const { set } = createAirtableTokens({
      db,
      tokens: createAirtableTokensStore(db, sealing, { recordChange: async () => {} }),
      webhooks: createAirtableWebhooksStore(db, sealing),
      source: {
        async access() {
          const move = 'update pharmacies set airtable_base_id = $2 where id = $1'
          await pool.query(move, [id, other])
          return { problem: null, canReadSchema: true, canManageWebhooks: true }
        },
      },
      onToken: async () => {},
      hasServerToken: true,
      canReceive: true,
    })
    await expect(set(id, token, new AbortController().signal)).rejects.toMatchObject({
      code: 'pharmacies.changed_meanwhile',
    })
    expect(await storedTokens(base.baseId)).toBe(0)
    expect(await storedTokens(other)).toBe(0)
  })

  it('of a pharmacy without a base is refused', async () => {
    const id = await server.addPharmacy({ email: 'senza@example.it', code: 'SENZA-BASE' })
    const url = `/api/admin/pharmacies/${id}/airtable/token`
    expect(await server.refusal('PUT', url, { token: 'patToken000000001.abcdef' })).toEqual([
      409,
      'orders.not_on_airtable',
    ])
  })
})

describe('a base without any token', () => {
  it('is said to need one for a webhook', async () => {
    const { id, base } = await withToken()
    await server.database.pool.query(
      `insert into airtable_webhooks (base_id, state, check_at) values ($1, 'no_token', 'infinity')
      on conflict (base_id) do update set state = 'no_token', check_at = 'infinity'`,
      [base.baseId],
    )
    expect((await server.state(id)).webhook.state).toBe('no_token')
  })
})

describe('the load of the tokens', () => {
  const load = async () =>
    getAirtableLoad.response.parse((await server.ask('GET', '/api/admin/airtable/load')).json())

  it('is told by token, and says which pharmacies have none', async () => {
    const { id, base, token, set } = await withToken()
    await set()
    const shared = await server.addWatched({ baseId: base.baseId, tableId: base.otherTableId })
    const { tokens } = await load()
    const { rows } = await server.database.pool.query<{ name: string }>(
      'select name from pharmacies where id = any($1) order by lower(name)',
      [[id, shared.id]],
    )
    const own = tokens.find(({ names }) => names.includes(rows[0]?.name ?? ''))
    expect(own).toMatchObject({
      // Of each: 4 + 0.27 for polling.
      requestsAtPeak: 8.5,
      origin: 'own',
      names: rows.map(({ name }) => name),
      bases: 1,
      pharmacies: 2,
    })
    expect(JSON.stringify(tokens)).not.toContain(token)

    await server.database.pool.query(
      `insert into airtable_webhooks (base_id, state, check_at) values ($1, 'active', 'infinity')
      on conflict (base_id) do update set state = 'active', table_id = null, expires_at = null`,
      [base.baseId],
    )
    const reported = await load()
    // Of each 0.7, and a reading of both for the 0.2 changes of each.
    expect(reported.tokens.find(({ names }) => names.includes(rows[0]?.name ?? ''))).toMatchObject({
      requestsAtPeak: 2.2,
    })
  })

  it('is that of their user, whose tokens share one limit', async () => {
    const [one, two, other] = [await withToken(), await withToken(), await withToken()]
    for (const { token, base } of [one, two]) {
      server.airtable.grant(token, { user: 'usrShared00000001', bases: [base.baseId] })
    }
    for (const { set } of [one, two, other]) expect((await set()).statusCode).toBe(200)
    const { tokens } = await load()
    expect(tokens.filter(({ tokens: count }) => count > 1)).toMatchObject([
      { tokens: 2, bases: 2, pharmacies: 2, requestsAtPeak: 8.5 },
    ])
  })
})
