import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type AirtableServer, airtableServer, pathOfPing } from '../../../test/airtable-server.ts'
import { testSecret } from '../../../test/server.ts'
import { createSealing } from '../../platform/sealing.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { SourceError } from '../../ports/order-source.ts'
import type { SourceWebhooks } from '../../ports/source-webhooks.ts'
import { enqueueRemovals } from './airtable.wiring.ts'
import {
  type AirtableWebhooksStore,
  createAirtableWebhooksStore,
} from './airtable-webhooks.store.ts'
import { createWebhookCheck } from './webhook-check.ts'

let server: AirtableServer
beforeAll(async () => {
  server = await airtableServer()
  server.start()
})

/** A pharmacy on a screen, whose base has a webhook and has sent a ping. */
async function reported() {
  const pharmacy = await server.addWatched()
  expect(await pharmacy.customers()).toEqual([])
  await server.checkWebhooks()
  // A check of the server's own may have been faster.
  await vi.waitFor(async () =>
    expect((await server.webhook(pharmacy.base.baseId))?.webhook_id).toBeTruthy(),
  )
  server.addOrder(pharmacy.base, 'Anna')
  await server.waitForState(pharmacy.base.baseId, 'active')
  return pharmacy
}

const soon = { timeout: 5_000 }

const pollNow = (pharmacyId: string) =>
  server.database.pool.query('update order_copies set poll_at = now() where pharmacy_id = $1', [
    pharmacyId,
  ])

/** Once it is polled, the next poll comes as soon as without a webhook. */
async function isPolledOften(pharmacyId: string) {
  await pollNow(pharmacyId)
  await vi.waitFor(async () => {
    const seconds = await server.secondsToPoll(pharmacyId)
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThan(16)
  }, soon)
}

async function signalledAt(pharmacyId: string) {
  const { rows } = await server.database.pool.query<{ at: string | null }>(
    'select signalled_at::text as at from order_copies where pharmacy_id = $1',
    [pharmacyId],
  )
  return rows[0]?.at
}

describe('a base with a webhook', () => {
  it('is read when it has changed, and otherwise seldom', async () => {
    const { id, base, customers } = await reported()
    await vi.waitFor(async () => expect(await customers()).toEqual(['Anna']), soon)
    await vi.waitFor(async () => expect(await server.secondsToPoll(id)).toBeGreaterThan(240), soon)
    // The job that lists what was removed may still run.
    const total = await vi.waitFor(async () => {
      const { total: before } = server.airtable.requests()
      await pause(200)
      expect(server.airtable.requests().total).toBe(before)
      return before
    }, soon)
    await customers()
    expect(server.airtable.requests().total).toBe(total)
    server.addOrder(base, 'Bruno')
    await vi.waitFor(async () => expect(await customers()).toEqual(['Anna', 'Bruno']), soon)
    expect(await server.state(id)).toMatchObject({ webhook: { state: 'active' } })
  })

  it('loses no order with a ping that is lost: the next poll finds it', async () => {
    const { id, base, customers } = await reported()
    await vi.waitFor(async () => expect(await server.secondsToPoll(id)).toBeGreaterThan(240), soon)
    server.airtable.webhooks.losePings(true)
    onTestFinished(() => server.airtable.webhooks.losePings(false))
    server.addOrder(base, 'Bruno')
    await pollNow(id)
    await vi.waitFor(async () => expect(await customers()).toEqual(['Anna', 'Bruno']), soon)
  })

  it('loses no order that arrives while it is read', async () => {
    const { id } = await reported()
    await server.database.pool.query(
      `update order_copies set signalled_at = now() + interval '2 s', poll_at = now()
        where pharmacy_id = $1`,
      [id],
    )
    // Each reading that began before the ping is followed by another one.
    await vi.waitFor(async () => {
      const { rows } = await server.database.pool.query(
        'select read_at >= signalled_at as covers from order_copies where pharmacy_id = $1',
        [id],
      )
      expect(rows).toEqual([{ covers: true }])
    }, soon)
  })

  it('shows at once that an order was removed', async () => {
    const { base, customers } = await reported()
    const gone = server.addOrder(base, 'Carla')
    await vi.waitFor(async () => expect(await customers()).toEqual(['Anna', 'Carla']), soon)
    server.airtable.remove(base.baseId, base.tableId, gone)
    await vi.waitFor(async () => expect(await customers()).toEqual(['Anna']), soon)
  })
})

describe('a ping', () => {
  it('has removed records looked for without delay, by one job of the base at a time', async () => {
    const { rows } = await server.database.db.transaction().execute(async (tx) => {
      await enqueueRemovals(tx, 'appPinged')
      return sql`select run_at <= now() as due, job_queue_id is not null as queued
        from graphile_worker._private_jobs where key = 'airtable.removals:appPinged'`.execute(tx)
    })
    expect(rows).toEqual([{ due: true, queued: true }])
  })

  it('does nothing without the MAC of its bytes', async () => {
    const { id, base } = await reported()
    await vi.waitFor(() => expect(server.pings.at(-1)?.path).toContain('/webhooks/airtable/'), soon)
    const { path = '', body = '', mac = '' } = server.pings.at(-1) ?? {}
    const before = await signalledAt(id)
    const later = body.replace(/"timestamp":"[^"]*"/, '"timestamp":"2099-01-01T00:00:00.000Z"')
    const forged = createHmac('sha256', 'other secret').update(body).digest('hex')
    const unknown = pathOfPing('00000000-0000-4000-8000-000000000000')
    const replies = [
      await server.ping(path, later, mac),
      await server.ping(path, body, `hmac-sha256=${forged}`),
      await server.ping(path, body, 'hmac-sha256='),
      await server.ping(unknown, body, mac),
      await server.ping(pathOfPing('x'), body, mac),
      await server.app.inject({ method: 'POST', url: path, payload: body }),
    ]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(401))
    expect((await server.ping(path, 'x'.repeat(5_000), mac)).statusCode).toBe(413)
    expect(await signalledAt(id)).toBe(before)
    expect((await server.webhook(base.baseId))?.state).toBe('active')
  })

  it('does nothing when it is sent again', async () => {
    const { id } = await reported()
    const { path = '', body = '', mac = '', status } = server.pings.at(-1) ?? {}
    expect(status).toBe(204)
    const before = await signalledAt(id)
    expect((await server.ping(path, body, mac)).statusCode).toBe(204)
    expect(await signalledAt(id)).toBe(before)
  })
})

describe('a webhook that does not work', () => {
  /** Breaks the webhook of a base and checks it. @returns the base's state after that */
  async function after(breakIt: (baseId: string) => Promise<unknown> | void) {
    const { id, base, customers } = await reported()
    await vi.waitFor(async () => expect(await customers()).toEqual(['Anna']), soon)
    await server.checkWebhooks()
    const before = await server.webhook(base.baseId)
    await breakIt(base.baseId)
    await server.checkWebhooks()
    const now = await server.webhook(base.baseId)
    return { id, base, customers, now, isNew: now?.webhook_id !== before?.webhook_id }
  }

  it.each([
    ['is gone', (baseId: string) => server.airtable.webhooks.forget(baseId)],
    ['sends no notifications', (baseId: string) => server.airtable.webhooks.disable(baseId)],
    [
      'has a secret of another APP_SECRET',
      (baseId: string) =>
        void server.database.pool.query(
          "update airtable_webhooks set key_id = 'other' where base_id = $1",
          [baseId],
        ),
    ],
  ])('because it %s, is replaced, and the base is polled until it is heard', async (_, breakIt) => {
    const { id, base, now, isNew, customers } = await after(breakIt)
    expect(isNew).toBe(true)
    expect(now?.state).toBe('waiting')
    await vi.waitFor(async () => expect(await server.secondsToPoll(id)).toBeLessThan(16), soon)
    await vi.waitFor(async () => expect(await server.secondsToPoll(id)).toBeGreaterThan(0), soon)
    server.addOrder(base, 'Bruno')
    await server.waitForState(base.baseId, 'active')
    await vi.waitFor(async () => expect(await customers()).toEqual(['Anna', 'Bruno']), soon)
  })

  it('because its pings do not arrive, does not count, and the base is read', async () => {
    const { base, now, isNew, customers } = await after((baseId) => {
      server.airtable.webhooks.losePings(true)
      const { tableId } = server.bases.find((each) => each.baseId === baseId) ?? { tableId: '' }
      server.addOrder({ baseId, tableId }, 'Bruno')
    })
    server.airtable.webhooks.losePings(false)
    expect(isNew).toBe(false)
    expect(now?.state).toBe('waiting')
    await vi.waitFor(async () => expect(await customers()).toEqual(['Anna', 'Bruno']), soon)
    server.addOrder(base, 'Carla')
    await server.waitForState(base.baseId, 'active')
  })

  it('because it has expired, does not count even before it is checked', async () => {
    const { id, base } = await reported()
    await server.database.pool.query(
      "update airtable_webhooks set expires_at = now() - interval '1 s' where base_id = $1",
      [base.baseId],
    )
    await isPolledOften(id)
  })
})

describe('the webhook of a base', () => {
  it('reports the only table that is used, and all of the base when two are', async () => {
    const { base } = await reported()
    expect((await server.webhook(base.baseId))?.table_id).toBe(base.tableId)
    await server.addWatched({ baseId: base.baseId, tableId: base.otherTableId })
    await server.checkWebhooks()
    expect(await server.webhook(base.baseId)).toMatchObject({ table_id: null, state: 'waiting' })
  })

  it('reports all of the base when one of two tables is given by its name', async () => {
    const { base } = await reported()
    await server.addWatched({ baseId: base.baseId, tableId: 'Ordini' })
    await server.checkWebhooks()
    expect(await server.webhook(base.baseId)).toMatchObject({ table_id: null })
  })

  it('does not count for another table before it reports that one, too', async () => {
    const { id, base } = await reported()
    await server.database.pool.query('update pharmacies set airtable_table_id = $2 where id = $1', [
      id,
      base.otherTableId,
    ])
    await isPolledOften(id)
  })

  it('is removed when no pharmacy uses the base any more', async () => {
    const { id, base } = await reported()
    const before = server.airtable.requests().byMethod['DELETE'] ?? 0
    await server.database.pool.query('update pharmacies set is_active = false where id = $1', [id])
    await server.checkWebhooks()
    expect(await server.webhook(base.baseId)).toBeUndefined()
    expect(server.airtable.requests().byMethod['DELETE']).toBe(before + 1)
  })

  it('is not there where the token may not manage webhooks: the base is polled', async () => {
    const pharmacy = await server.addWatched()
    const { baseId } = pharmacy.base
    const token = 'patRead0000000001.only'
    server.airtable.grant(token, { bases: [baseId], scopes: ['data.records:read'] })
    const url = `/api/admin/pharmacies/${pharmacy.id}/airtable/token`
    const reply = await server.ask('PUT', url, { token })
    expect(reply.json()).toMatchObject({ check: { problem: null, canManageWebhooks: false } })
    await server.checkWebhooks()
    expect(await server.state(pharmacy.id)).toMatchObject({ webhook: { state: 'no_scope' } })
    server.addOrder(pharmacy.base, 'Anna')
    expect(await pharmacy.customers()).toEqual(['Anna'])
    server.airtable.grant(token, { bases: [baseId] })
    expect((await server.ask('PUT', url, { token })).json()).toMatchObject({
      check: { canManageWebhooks: true },
    })
    await server.runTask('airtable.webhooks')
    expect((await server.webhook(baseId))?.state).toBe('waiting')
  })
})

describe('a check of a webhook', () => {
  const store = () => {
    const sealing = createSealing(createSecrets(testSecret), 'airtable bases')
    return createAirtableWebhooksStore(server.database.db, sealing)
  }

  /** Checks the webhook of a base at Airtable's stand-in. @returns its state, and the bases that may have changed */
  async function checked(
    baseId: string,
    state: 'waiting' | 'active',
    atAirtable: (
      webhooks: AirtableWebhooksStore,
    ) => Pick<SourceWebhooks, 'list' | 'create'> & Partial<SourceWebhooks>,
  ) {
    const { rows } = await server.database.pool.query<{ id: string; claimedAt: string }>(
      `insert into airtable_webhooks (base_id, state, webhook_id, check_at)
      values ($1, $2, 'achKnown', 'infinity') returning id, clock_timestamp()::text as "claimedAt"`,
      [baseId, state],
    )
    const { id = '', claimedAt = '' } = rows[0] ?? {}
    const webhooks = store()
    const unsure: string[] = []
    const check = createWebhookCheck({
      source: {
        refresh: async () => null,
        remove: async () => {},
        async *removedRecords() {},
        access: async () => ({ problem: null, canReadSchema: true, canManageWebhooks: true }),
        ...atAirtable(webhooks),
      },
      webhooks,
      hasToken: async () => true,
      publicUrl: 'https://bancone.example',
      onUnsure: async (base) => void unsure.push(base),
      clock: Date,
      log: { warn: () => {} },
    })
    const tables = { tableId: null, wantedTableId: null }
    const known = { webhookId: 'achKnown', hasSecret: true, checkedCursor: 1, wasPinged: true }
    const claim = { claimedAt, checkAt: 'infinity' }
    await check({ baseId, id, state, ...claim, isUsed: true, ...tables, ...known })
    return { state: (await server.webhook(baseId))?.state, unsure }
  }

  it('that cannot create another one has the base polled', async () => {
    const noReply = async () => {
      throw new SourceError('unreachable', 'no reply')
    }
    expect(
      await checked('appUncreated', 'active', () => ({ list: async () => [], create: noReply })),
    ).toEqual({ state: 'waiting', unsure: ['appUncreated'] })
  })

  it('changes nothing any more when another one has begun', async () => {
    const { pool } = server.database
    const webhooks = store()
    const baseId = 'appTwice'
    await pool.query('insert into airtable_webhooks (base_id) values ($1)', [baseId])
    const claimed = async () => {
      await pool.query('update airtable_webhooks set check_at = now() where base_id = $1', [baseId])
      const due = (await webhooks.claim(100)).find((each) => each.baseId === baseId)
      if (!due) throw new Error('it was not due')
      return due
    }
    const made = (id: string) => ({ id, secret: Buffer.from('secret'), expiresAt: null })
    const first = await claimed()
    const second = await claimed()
    expect(await webhooks.created(second, made('achSecond'), null)).toBe(true)
    expect(await webhooks.created(first, made('achFirst'), null)).toBe(false)
    expect(await webhooks.lost(first)).toBe(false)
    await webhooks.failed(first, 'failed', 5)
    expect(await server.webhook(baseId)).toMatchObject({
      webhook_id: 'achSecond',
      state: 'waiting',
    })
  })

  it('removes what it made when another one has begun meanwhile', async () => {
    const removed: string[] = []
    const overtake = async () => {
      await server.database.pool.query(
        `update airtable_webhooks set check_at = now() + interval '1 hour', webhook_id = 'achSecond'
        where base_id = 'appOvertaken'`,
      )
      return { id: 'achFirst', secret: Buffer.from('secret'), expiresAt: null }
    }
    await checked('appOvertaken', 'waiting', () => ({
      list: async () => [],
      create: overtake,
      remove: async (_base, id) => void removed.push(id),
    }))
    expect(removed).toEqual(['achFirst'])
    expect(await server.webhook('appOvertaken')).toMatchObject({ webhook_id: 'achSecond' })
  })

  it('does not overrule a ping that arrives meanwhile', async () => {
    const url = async () => (await server.webhook('appHeard'))?.id ?? ''
    const found = { id: 'achKnown', isEnabled: true, cursor: 5, expiresAt: null }
    const list = async (webhooks: AirtableWebhooksStore) => {
      await webhooks.pinged(server.database.db, 'appHeard', new Date().toISOString())
      const address = `https://bancone.example${pathOfPing(await url())}`
      return [{ ...found, url: address, wasDelivered: null }]
    }
    const create = () => Promise.reject(new Error('it is there'))
    expect(
      await checked('appHeard', 'waiting', (webhooks) => ({ list: () => list(webhooks), create })),
    ).toEqual({ state: 'active', unsure: [] })
  })
})
