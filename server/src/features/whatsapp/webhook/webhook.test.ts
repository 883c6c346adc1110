import { metaEvents, webhookSignature } from '@bancone/sandbox/meta'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type MetaServer,
  metaApplication,
  metaServer,
  otherProcesses,
} from '../../../../test/meta-server.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { runJobs } from '../../../platform/jobs.ts'

const { appSecret, verifyToken } = metaApplication
const BSUID = 'IT.1349120865530274'

let server: MetaServer
let owner: { authorization: string }
let pharmacyId: string
let place: { accountId: string; numberId: string }
let messages = 0

beforeAll(async () => {
  server = await metaServer()
  ;({ headers: owner, id: pharmacyId } = await server.newPharmacy())
  const { id, numbers } = server.meta.accounts.number
  place = { accountId: id, numberId: numbers[0]?.id ?? '' }
})

beforeEach(async () => {
  const { pool } = server.database
  await pool.query('truncate whatsapp_inbox, whatsapp_contacts, whatsapp_deliveries cascade')
  await pool.query('truncate whatsapp_unrouted')
  server.meta.restore()
  Object.assign(server.meta.accounts.number.numbers[0] ?? {}, { status: 'CONNECTED' })
  await server.connect(owner)
})

const told = (timestamp?: number) => ({
  id: `wamid.${(messages += 1)}`,
  ...(timestamp !== undefined && { timestamp }),
})

function post(body: string | Buffer, signature: string | undefined, app = server.app) {
  return app.inject({
    method: 'POST',
    url: '/webhooks/whatsapp',
    headers: {
      'content-type': 'application/json',
      ...(signature !== undefined && { 'x-hub-signature-256': signature }),
    },
    payload: body,
  })
}

async function receive(event: object, app?: FastifyInstance) {
  const body = JSON.stringify(event)
  const reply = await post(body, webhookSignature(appSecret, body), app)
  expect(reply.statusCode).toBe(200)
}

/** Receives the events, and processes them in that order. */
async function process(...events: object[]) {
  for (const event of events) {
    await receive(event)
    await server.runTask('whatsapp.inbox')
  }
}

async function rows(table: string) {
  const found = await server.database.pool.query<Record<string, unknown>>(
    `select * from ${table} order by 1`,
  )
  return found.rows
}

/** Makes PostgreSQL fail for a contact of that name, until the end of the test. */
async function refuseContact(name: string) {
  const { pool } = server.database
  await pool.query(
    `create function refuse() returns trigger language plpgsql as $$
     begin if new.name = '${name}' then raise exception 'refused'; end if; return new; end $$;
     create trigger refuse before update on whatsapp_contacts for each row execute function refuse()`,
  )
  onTestFinished(async () => {
    await pool.query('drop function refuse cascade')
  })
}

const contacts = async () =>
  (await rows('whatsapp_contacts')).map(({ user_id, phone, name }) => [user_id, phone, name])

describe('the address for events', () => {
  const ask = (query: Record<string, string>) =>
    server.app.inject({ url: '/webhooks/whatsapp', query })

  it('is verified with the token that Meta was given', async () => {
    const query = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444' }
    const reply = await ask({ ...query, 'hub.verify_token': verifyToken })
    expect([reply.statusCode, reply.body]).toEqual([200, '1158201444'])
    expect(reply.headers['content-type']).toContain('text/plain')
    for (const wrong of [
      { ...query, 'hub.verify_token': 'another' },
      query,
      { ...query, 'hub.verify_token': verifyToken, 'hub.challenge': '<script>' },
    ])
      expect((await ask(wrong)).statusCode).toBe(403)
  })

  it('refuses what Meta has not signed, byte for byte, and stores none of it', async () => {
    const event = metaEvents.text(place, { userId: BSUID, name: 'Nicolò 😀' }, told())
    const body = JSON.stringify(event)
    const signature = webhookSignature(appSecret, body)
    const escaped = body.replace('ò', '\\u00f2')
    const refused = [
      await post(body, undefined),
      await post(body, ''),
      await post(body, webhookSignature('another secret', body)),
      await post(body, signature.slice(0, -1)),
      await post(body, signature.replace('sha256=', 'sha1=')),
      await post(escaped, signature),
      await post(JSON.stringify(event, null, 1), signature),
      await post(Buffer.concat([Buffer.from(body), Buffer.from(' ')]), signature),
    ]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual(refused.map(() => 401))
    expect(await rows('whatsapp_inbox')).toEqual([])
    expect((await post(body, signature)).statusCode).toBe(200)
  })

  it('answers what it cannot read, once Meta has signed it', async () => {
    const number = { metadata: { phone_number_id: place.numberId }, messages: [{ id: 5 }, null] }
    const odd = [
      'not json',
      '[]',
      '{"entry":[{"id":1,"changes":[{"field":"messages","value":{"messages":7}}]}]}',
      JSON.stringify({ entry: [{ id: '1', changes: [{ field: 'messages', value: number }] }] }),
    ]
    for (const body of odd) {
      expect((await post(body, webhookSignature(appSecret, body))).statusCode).toBe(200)
      await server.runTask('whatsapp.inbox')
    }
    expect((await rows('whatsapp_inbox')).map(({ body }) => body)).toEqual(odd.map(() => null))
    expect(await contacts()).toEqual([])
  })
})

describe('a webhook', () => {
  it('that comes five times to four processes is stored once and processed once', async () => {
    const others = await otherProcesses(server)
    const event = metaEvents.text(place, { userId: BSUID }, told())
    const apps = [server.app, ...others.map(({ app }) => app)]
    await Promise.all([0, 1, 2, 3, 0].map((at) => receive(event, apps[at])))
    expect(await rows('whatsapp_inbox')).toHaveLength(1)
    await server.runTask('whatsapp.inbox')
    await receive(event)
    // Nothing waits to be processed again.
    expect((await rows('whatsapp_inbox')).map(({ body }) => body)).toEqual([null])
    expect(await contacts()).toHaveLength(1)
  })

  it('that was answered is processed by whichever process runs next', async () => {
    await receive(metaEvents.text(place, { userId: BSUID }, told()))
    // The process that answered does nothing more.
    expect(await contacts()).toEqual([])
    const jobs = await runJobs(server.database.url, { tasks: server.jobs.tasks }, silentLog)
    onTestFinished(jobs.stop)
    await vi.waitFor(async () => expect(await contacts()).toHaveLength(1), { timeout: 10_000 })
  })

  it('about a number that no pharmacy has is answered and counted', async () => {
    const unknown = { ...place, numberId: '999' }
    await process(
      metaEvents.text(unknown, { userId: BSUID }, told()),
      metaEvents.status(unknown, 'read', told()),
      metaEvents.account('888', 'ACCOUNT_OFFBOARDED'),
    )
    expect(
      (await rows('whatsapp_unrouted')).map(({ meta_id, events }) => [meta_id, events]),
    ).toEqual([
      ['888', '1'],
      ['999', '2'],
    ])
    expect(await contacts()).toEqual([])
  })

  it('reaches the pharmacy of its number alone, and none without the feature', async () => {
    const other = await server.newPharmacy()
    const { id, numbers } = server.meta.accounts.other
    await server.connect(other.headers, id)
    const there = { accountId: id, numberId: numbers[0]?.id ?? '' }
    await process(metaEvents.text(there, { userId: BSUID }, told()))
    expect((await rows('whatsapp_contacts')).map((row) => row['pharmacy_id'])).toEqual([other.id])
    await server.database.pool.query(
      `update pharmacies set features_enabled = '["offers"]' where id = $1`,
      [other.id],
    )
    await process(metaEvents.text(there, { userId: 'IT.2' }, told()))
    expect(await rows('whatsapp_contacts')).toHaveLength(1)
  })
})

describe('a status', () => {
  const shown = async () => (await server.connection(owner))?.lastDay

  it.each([
    [['read', 'delivered', 'sent'], 'read'],
    [['failed', 'delivered'], 'delivered'],
    [['delivered', 'failed'], 'delivered'],
    [['failed', 'sent'], 'failed'],
    [['sent', 'sent'], 'sent'],
  ] as const)('%j is shown as %s', async (order, furthest) => {
    const { id } = told()
    await process(
      ...order.map((status, at) => metaEvents.status(place, status, { id, timestamp: at })),
    )
    const none = { sent: 0, delivered: 0, read: 0, failed: 0 }
    expect(await shown()).toEqual({ ...none, [furthest]: 1 })
  })

  it('keeps the code of a failure', async () => {
    await process(metaEvents.status(place, 'failed', told(), 131_047))
    expect((await rows('whatsapp_deliveries'))[0]).toMatchObject({ error_code: 131_047 })
  })
})

describe('a contact', () => {
  const text = (sender: object, timestamp?: number) =>
    metaEvents.text(place, sender, told(timestamp))

  it('without a number is one, also when the number comes later', async () => {
    await process(text({ userId: BSUID, name: 'Anna' }, 1_780_000_000))
    expect(await contacts()).toEqual([[BSUID, null, 'Anna']])
    expect((await server.connection(owner))?.lastInboundAt).toBe('2026-05-28T20:26:40.000Z')
    await process(
      text({ userId: BSUID, phone: '393331234567', name: 'Anna B.' }),
      text({ userId: BSUID, name: 'Anna B.' }),
    )
    expect(await contacts()).toEqual([[BSUID, '+393331234567', 'Anna B.']])
  })

  it('with a number alone is the same when the id comes', async () => {
    await process(text({ phone: '393331234567' }), text({ phone: '393331234567', userId: BSUID }))
    expect(await contacts()).toEqual([[BSUID, '+393331234567', 'Anna']])
  })

  it('known twice, by its id and by its number, becomes one', async () => {
    await process(
      text({ userId: BSUID }),
      text({ phone: '393331234567' }),
      text({ userId: BSUID, phone: '393331234567' }),
    )
    expect(await contacts()).toEqual([[BSUID, '+393331234567', 'Anna']])
  })

  it('loses a number that another person has now', async () => {
    await process(
      text({ userId: BSUID, phone: '393331234567' }),
      text({ userId: 'IT.2', phone: '393331234567' }),
    )
    expect(new Set(await contacts())).toEqual(
      new Set([
        [BSUID, null, 'Anna'],
        ['IT.2', '+393331234567', 'Anna'],
      ]),
    )
  })

  it('stays the same with a new id or a new number', async () => {
    const change = (...[type, sender, now]: [never, object, object]) =>
      metaEvents.changed(place, type, sender, now, told())
    await process(text({ userId: BSUID, phone: '393331234567' }))
    const [before] = await rows('whatsapp_contacts')
    await process(
      change('user_changed_user_id' as never, { userId: BSUID }, { userId: 'IT.2' }),
      // The first message with the new id comes before the other webhook about it.
      text({ userId: 'IT.3' }),
      metaEvents.userIdUpdate(place, 'IT.2', 'IT.3'),
      change(
        'user_changed_number' as never,
        { phone: '393331234567', userId: 'IT.3' },
        { phone: '393339999999' },
      ),
    )
    expect(await contacts()).toEqual([['IT.3', '+393339999999', 'Anna']])
    expect((await rows('whatsapp_contacts'))[0]).toMatchObject({ id: before?.['id'] })
  })
})

describe('an event about the account', () => {
  const state = async () => (await server.connection(owner))?.state
  const check = () => server.runTask('whatsapp.check', { pharmacyId })

  it('that the Business app has moved, and is back, needs no action', async () => {
    const number = server.meta.accounts.number.numbers[0] ?? {}
    Object.assign(number, { status: 'DISCONNECTED', is_on_biz_app: true })
    await process(metaEvents.account(place.accountId, 'ACCOUNT_OFFBOARDED'))
    expect(await state()).toBe('offboarded')
    // The check of the night finds the same.
    await check()
    expect(await state()).toBe('offboarded')
    Object.assign(number, { status: 'CONNECTED' })
    await process(metaEvents.account(place.accountId, 'ACCOUNT_RECONNECTED'))
    const { rowCount } = await server.database.pool.query(
      `select from graphile_worker._private_jobs as job
       join graphile_worker._private_tasks as task on task.id = job.task_id
       where task.identifier = 'whatsapp.check' and job.payload ->> 'pharmacyId' = $1`,
      [pharmacyId],
    )
    expect(rowCount).toBe(1)
    await check()
    expect(await state()).toBe('connected')
    Object.assign(number, { is_on_biz_app: false })
  })

  it('that the access was removed ends the connection', async () => {
    await process(metaEvents.account(place.accountId, 'PARTNER_REMOVED'))
    expect(await state()).toBe('disconnected')
    const ended = (await rows('whatsapp_connections')).find(
      (row) => row['pharmacy_id'] === pharmacyId,
    )
    expect(ended?.['token']).toBeNull()
  })

  it('that the number is restricted is found by the check that follows', async () => {
    Object.assign(server.meta.accounts.number.numbers[0] ?? {}, { status: 'RESTRICTED' })
    await process(metaEvents.other(place.accountId, 'phone_number_quality_update'))
    await check()
    expect(await state()).toBe('restricted')
  })
})

describe('of the events in one webhook', () => {
  const together = (...events: { entry: object[] }[]) => ({
    ...events[0],
    entry: events.flatMap(({ entry }) => entry),
  })

  it('those with NUL and half an emoji arrive', async () => {
    const sender = { userId: 'IT.7', name: 'An\0na \ud83d' }
    await process(
      together(
        metaEvents.text(place, sender, told(), 'Ciao\0'),
        metaEvents.text(place, { userId: 'IT.8' }, told()),
      ),
    )
    const names = new Map((await contacts()).map(([userId, , name]) => [userId, name]))
    expect(names).toEqual(
      new Map([
        ['IT.7', 'Anna \ufffd'],
        ['IT.8', 'Anna'],
      ]),
    )
    expect(await rows('whatsapp_inbox')).toMatchObject([{ body: null, failures: 0 }])
  })

  it('one that the database refuses does not stop the others', async () => {
    const tooLargeCode = 9_999_999_999
    await process(
      together(
        metaEvents.status(place, 'failed', told(), tooLargeCode),
        metaEvents.status(place, 'read', told()),
      ),
    )
    expect(await rows('whatsapp_deliveries')).toMatchObject([{ status: 'read' }])
    expect(await rows('whatsapp_inbox')).toMatchObject([{ body: null, failures: 0 }])
  })

  it('those that do not fail are kept when the webhook is given up', async () => {
    const { pool } = server.database
    await refuseContact('Guasto')
    await receive(
      together(
        metaEvents.text(place, { userId: 'IT.9', name: 'Guasto' }, told()),
        metaEvents.text(place, { userId: 'IT.8' }, told()),
      ),
    )
    await expect(server.runTask('whatsapp.inbox')).rejects.toThrow('not processed')
    expect(await contacts()).toEqual([])
    await pool.query('update whatsapp_inbox set failures = 9')
    await server.runTask('whatsapp.inbox')
    expect(await contacts()).toEqual([['IT.8', null, 'Anna']])
    expect(await rows('whatsapp_inbox')).toMatchObject([{ body: null }])
  })
})

it('what cannot be processed is left for later, and does not delay the others', async () => {
  const { pool } = server.database
  await refuseContact('Guasto')
  await receive(metaEvents.text(place, { userId: 'IT.9', name: 'Guasto' }, told()))
  await receive(metaEvents.text(place, { userId: 'IT.8' }, told()))
  await expect(server.runTask('whatsapp.inbox')).rejects.toThrow('not processed')
  expect(await contacts()).toEqual([['IT.8', null, 'Anna']])
  await pool.query('drop trigger refuse on whatsapp_contacts')
  await server.runTask('whatsapp.inbox')
  expect(await contacts()).toHaveLength(2)
  // What people wrote is kept no longer than that.
  expect((await rows('whatsapp_inbox')).map(({ body }) => body)).toEqual([null, null])
})
