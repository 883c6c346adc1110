import { errorStatus } from '@bancone/contract/errors'
import { issuePriorityLinks, type PriorityLink, PriorityStatus } from '@bancone/contract/priority'
import { CustomerPrioritySession } from '@bancone/contract/priority-customer'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type PriorityServer, priorityServer } from '../../../test/priority-server.ts'
import {
  arriveInDemo,
  insertDemoPrioritySessions,
  orderWithoutPrioritySession,
} from './demo-sessions.store.ts'
import { tokenHash } from './priority-links.store.ts'

type Headers = { authorization: string }

let server: PriorityServer
let pharmacyId: string
let code: string
let headers: Headers
let made = 0

beforeAll(async () => {
  server = await priorityServer()
})

beforeEach(async () => {
  ;({ id: pharmacyId, code, headers } = await server.newPharmacy())
})

const query: PriorityServer['query'] = (text, values) => server.query(text, values)

/** An order of the pharmacy. @returns its record id */
async function order(status = 'In attesa', phone: string | null = '333 123 4567') {
  made += 1
  const recordId = `recORDER${made}`
  await query(
    `insert into pharmacy_orders (pharmacy_id, airtable_order_id, order_number, customer_name, customer_phone,
       order_details, status, airtable_created, airtable_last)
     values ($1, $2, '7', 'Anna Neri', $4, 'Tachipirina', $3, now(), now())`,
    [pharmacyId, recordId, status, phone],
  )
  return recordId
}

function call(recordIds: string[], by = headers) {
  const payload = { recordIds }
  return server.app.inject({ method: 'POST', url: '/api/priority-sessions', headers: by, payload })
}

async function issue(recordIds: string[], by = headers) {
  const reply = await call(recordIds, by)
  expect(reply.statusCode, reply.body).toBe(201)
  return issuePriorityLinks.response.parse(reply.json())
}

async function issued(recordId: string): Promise<PriorityLink> {
  const [link] = (await issue([recordId])).links
  if (!link) throw new Error('no link was issued')
  return link
}

/** Changes the status of an order. */
async function set(status: string, recordId: string): Promise<void> {
  const reply = await server.app.inject({
    method: 'PATCH',
    url: `/api/airtable-orders/${recordId}`,
    headers,
    payload: { fields: { Stato: status } },
  })
  expect(reply.statusCode, reply.body).toBe(200)
}

const tokenOf = ({ url }: PriorityLink) => url.split('#t=')[1] ?? ''

const sessions = () =>
  query<{ id: string; status: string }>(
    'select id, status from priority_access_sessions where pharmacy_id = $1 order by issued_at',
    [pharmacyId],
  )

async function apiKey(): Promise<Headers> {
  const options = { method: 'POST', url: '/api/api-keys', headers } as const
  const reply = await server.app.inject({ ...options, payload: { name: 'Sito' } })
  return { authorization: `Bearer ${z.object({ key: z.string() }).parse(reply.json()).key}` }
}

describe('a link', () => {
  it('opens the session of its order, and is in the message to the customer', async () => {
    const recordId = await order()
    const link = await issued(recordId)
    expect(link.url).toMatch(
      new RegExp(`^http://localhost:3000/priority/${code}/${recordId}#t=[\\w-]{22}$`),
    )
    const shown = { orderNumber: '7', customerName: 'Anna Neri', whatsAppNumber: '393331234567' }
    expect(link).toMatchObject({ recordId, ...shown })
    expect(link.message).toContain(`Farmacia ${code}`)
    expect(link.message).toContain(link.url)
    expect(link.message).not.toMatch(/Tachipirina|Anna|\{/)
    const days = (Date.parse(link.expiresAt) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(7)
    expect(
      await query(
        'select user_name, user_phone, order_number from priority_access_sessions where id = $1',
        [link.prioritySessionId],
      ),
    ).toEqual([{ user_name: 'Anna Neri', user_phone: '333 123 4567', order_number: '7' }])
  })

  it('is kept as a hash only, the newest ten of a session', async () => {
    const recordId = await order()
    const links = []
    for (let n = 0; n < 12; n += 1) links.push(await issued(recordId))
    expect(new Set(links.map(({ prioritySessionId }) => prioritySessionId)).size).toBe(1)
    const rows = await query<{ hash: Buffer; kept: string }>(
      'select token_hash as hash, link::text as kept from priority_links link where session_id = $1',
      [links[0]?.prioritySessionId],
    )
    const newest = links.slice(2).map((link) => tokenHash(tokenOf(link)).toString('hex'))
    expect(rows.map(({ hash }) => hash.toString('hex')).toSorted()).toEqual(newest.toSorted())
    const stored = rows.map(({ kept }) => kept).join()
    for (const token of links.map(tokenOf)) {
      for (const form of [Buffer.from(token), Buffer.from(token, 'base64url')]) {
        expect(stored).not.toContain(form.toString('hex'))
      }
      expect(stored).not.toContain(token)
    }
  })

  it('that is issued again is valid for the whole time again, with the customer of the order now', async () => {
    const recordId = await order()
    const { prioritySessionId } = await issued(recordId)
    await query(
      "update priority_access_sessions set expires_at = now() - interval '1 hour' where id = $1",
      [prioritySessionId],
    )
    await query(
      "update pharmacy_orders set customer_phone = '333 9998877' where airtable_order_id = $1",
      [recordId],
    )
    const again = await issued(recordId)
    expect(again.prioritySessionId).toBe(prioritySessionId)
    expect(Date.parse(again.expiresAt)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    const kept = 'select user_phone from priority_access_sessions where id = $1'
    expect(await query(kept, [prioritySessionId])).toMatchObject([{ user_phone: '333 9998877' }])
  })

  it('of an order whose session has ended begins another session', async () => {
    const recordId = await order()
    const first = await issued(recordId)
    await query(
      "update priority_access_sessions set status = 'served', ended_at = now() where id = $1",
      [first.prioritySessionId],
    )
    expect((await issued(recordId)).prioritySessionId).not.toBe(first.prioritySessionId)
  })

  it('after which another one was sent says so', async () => {
    const recordId = await order()
    const old = await issued(recordId)
    await query(
      "update priority_access_sessions set status = 'cancelled', ended_at = now() where id = $1",
      [old.prioritySessionId],
    )
    const seen = async () => {
      const body = { pharmacyCode: code, token: tokenOf(old) }
      const url = '/api/public/priority/session'
      const reply = await server.app.inject({ method: 'POST', url, payload: body })
      return CustomerPrioritySession.parse(reply.json())
    }
    expect(await seen()).toMatchObject({ status: 'cancelled', isReplaced: false })
    await issued(recordId)
    expect(await seen()).toMatchObject({ status: 'cancelled', isReplaced: true })
  })

  it('has no number where the order has none that can be called', async () => {
    expect(await issued(await order('In attesa', null))).toMatchObject({ whatsAppNumber: null })
  })
})

describe('issuing', () => {
  it('is refused for orders that are cancelled, unknown or of another pharmacy', async () => {
    const [fine, cancelled] = [await order(), await order('Annullato')]
    const ownId = pharmacyId
    pharmacyId = await server.addPharmacy({ email: 'foreign@example.it', code: 'FOREIGN' })
    const foreign = await order()
    pharmacyId = ownId
    const { links, refused } = await issue([cancelled, fine, 'recUNKNOWN', foreign, fine])
    expect(links.map(({ recordId }) => recordId)).toEqual([fine])
    expect(refused).toEqual([cancelled, 'recUNKNOWN', foreign])
    expect(await sessions()).toHaveLength(1)
  })

  it('is done under the record id that the order had before, too', async () => {
    const recordId = await order()
    await query(
      "insert into order_aliases (pharmacy_id, alias, record_id) values ($1, 'recOLD', $2)",
      [pharmacyId, recordId],
    )
    const link = await issued('recOLD')
    expect(link.recordId).toBe('recOLD')
    expect(link.url).toContain(`/${recordId}#`)
  })

  it('is done with an API key, and the history says by whom', async () => {
    const [byHand, byKey] = [await order(), await order()]
    const [ofPerson] = (await issue([byHand])).links
    const [ofKey] = (await issue([byKey], await apiKey())).links
    expect(ofKey?.customerName).toBeNull()
    const ids = [ofPerson?.prioritySessionId, ofKey?.prioritySessionId]
    const events = await query(
      `select event.source, event.user_id = coalesce(key.id, $2) as "isBy", event.to_status
       from priority_events event left join api_keys key on key.id = event.user_id
       where session_id = any($1) order by event.id`,
      [ids, pharmacyId],
    )
    expect(events).toEqual([
      { source: 'person', isBy: true, to_status: 'link_sent' },
      { source: 'api', isBy: true, to_status: 'link_sent' },
    ])
  })

  it('is done sixty times a minute at most', async () => {
    const replies = await Promise.all(Array.from({ length: 63 }, () => call(['recUNKNOWN'])))
    const refused = replies.filter(
      ({ statusCode }) => statusCode === errorStatus('priority.too_many'),
    )
    expect(refused).toHaveLength(3)
    expect(refused[0]?.json()).toMatchObject({ code: 'priority.too_many' })
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('is done once for calls at the same time', async () => {
    const recordId = await order()
    const replies = await Promise.all(Array.from({ length: 8 }, () => issued(recordId)))
    expect(new Set(replies.map(({ prioritySessionId }) => prioritySessionId)).size).toBe(1)
    expect(await sessions()).toHaveLength(1)
  })
})

describe('a session', () => {
  it('begins by itself when its order gets the status of the settings', async () => {
    const [recordId, other] = [await order(), await order()]
    await query(
      `insert into priority_settings (pharmacy_id, link_days, issue_on_status, late_minutes, message)
       values ($1, 2, 'Confermato', 10, '{link}')`,
      [pharmacyId],
    )
    await set('Confermato', recordId)
    await set('Prenotato Domani', other)
    await set('In attesa', recordId)
    await set('Confermato', recordId)
    expect(await sessions()).toMatchObject([{ status: 'link_sent' }])
    await set('Annullato', recordId)
    expect(await sessions()).toMatchObject([{ status: 'cancelled' }])
    const created = await server.app.inject({
      method: 'POST',
      url: '/api/orders',
      headers: { ...(await apiKey()), 'idempotency-key': 'a-new-order' },
      payload: {
        fields: {
          Cliente: 'Bruno',
          Ordine: 'Sapone',
          Indirizzo: 'Via Po',
          'Phone Number': '333 7654321',
          Stato: 'Confermato',
        },
      },
    })
    const { id } = z.object({ id: z.string() }).parse(created.json())
    const begun =
      'select airtable_order_id as id from priority_access_sessions where ended_at is null'
    expect(await query(`${begun} and pharmacy_id = $1`, [pharmacyId])).toEqual([{ id }])
  })

  it('comes back when its order was cancelled by mistake, unless its time is over', async () => {
    const cases: [string, string, string][] = [
      ["status = 'on_the_way', on_the_way_at = now()", 'expires_at = expires_at', 'on_the_way'],
      ["status = 'user_arrived', arrived_at = now()", 'expires_at = expires_at', 'user_arrived'],
      ["status = 'on_the_way', on_the_way_at = now()", 'expires_at = now()', 'cancelled'],
      // An arrival of another day is over.
      [
        "status = 'user_arrived', arrived_at = now()",
        "status_changed_at = now() - interval '25 hours'",
        'cancelled',
      ],
      // The customer does not come.
      [
        "status = 'cancelled', changed_from = 'customer', ended_at = now()",
        'expires_at = expires_at',
        'cancelled',
      ],
    ]
    for (const [before, meanwhile, after] of cases) {
      const recordId = await order()
      const { prioritySessionId } = await issued(recordId)
      const change = (columns: string) =>
        query(`update priority_access_sessions set ${columns} where id = $1`, [prioritySessionId])
      const state = () =>
        query<{ status: string }>(
          'select status, arrived_at, code, ended_at from priority_access_sessions where id = $1',
          [prioritySessionId],
        )
      await change(before)
      const open = await state()
      await set('Annullato', recordId)
      expect(await state()).toMatchObject([{ status: 'cancelled' }])
      await change(meanwhile)
      await set('In attesa', recordId)
      expect(await state()).toMatchObject([{ status: after }])
      if (after !== 'cancelled') expect(await state()).toEqual(open)
    }
  })

  it('ends when its order is removed', async () => {
    const recordId = await order()
    await issued(recordId)
    await query('delete from pharmacy_orders where airtable_order_id = $1', [recordId])
    expect(await sessions()).toMatchObject([{ status: 'cancelled' }])
  })

  it('has the number that its order gets later', async () => {
    const recordId = await order()
    await issued(recordId)
    await query(
      "update pharmacy_orders set order_number = '4711', airtable_order_id = 'recLATER' where airtable_order_id = $1",
      [recordId],
    )
    const [session] = await query(
      'select airtable_order_id, order_number from priority_access_sessions where pharmacy_id = $1',
      [pharmacyId],
    )
    expect(session).toEqual({ airtable_order_id: 'recLATER', order_number: '4711' })
  })
})

describe('in the demo', () => {
  it('customers are in every state, and one more arrives unless five wait', async () => {
    const { db } = server.database
    for (let n = 0; n < 80; n += 1) await order()
    await insertDemoPrioritySessions(db, pharmacyId)
    const states = new Set((await sessions()).map(({ status }) => status))
    expect([...states].toSorted()).toEqual([...PriorityStatus.options].toSorted())
    let told = 0
    for (let n = 0; n < 4; n += 1) {
      const recordId = await orderWithoutPrioritySession(db, pharmacyId)
      const { prioritySessionId } = await issued(recordId ?? '')
      await arriveInDemo(db, pharmacyId, prioritySessionId, async () => {
        told += 1
      })
    }
    expect(told).toBe(3)
  })
})

describe('a session that', () => {
  const old = (status: PriorityStatus, columns: Record<string, string>) =>
    server.session(pharmacyId, status, columns)
  const state = async (id: string) =>
    (
      await query(
        `select status, user_name as name, ended_at is not null as ended from priority_access_sessions where id = $1`,
        [id],
      )
    )[0]

  it('was called half an hour ago counts as served', async () => {
    const ago = (minutes: number) => `now() - interval '${minutes} minutes'`
    const recalled = await old('called', { called_at: ago(5), arrived_at: ago(40) })
    const called = await old('called', { called_at: ago(30), arrived_at: ago(40) })
    for (const prioritySessionId of [recalled, called])
      await server.runTask('priority.serve', { pharmacyId, prioritySessionId })
    expect([await state(recalled), await state(called)]).toMatchObject([
      { status: 'called' },
      { status: 'served', ended: true },
    ])
  })

  it('is over ends at night, is forgotten after 30 days and removed after 24 months', async () => {
    const day = (days: number) => `now() - interval '${days} days'`
    const expected: Record<string, object | undefined> = {
      [await old('link_sent', { expires_at: 'now()' })]: { status: 'expired', ended: true },
      [await old('on_the_way', { expires_at: 'now()' })]: { status: 'expired', ended: true },
      [await old('link_sent', {})]: { status: 'link_sent', ended: false },
      [await old('user_arrived', { arrived_at: day(1) })]: { status: 'no_show', ended: true },
      [await old('user_arrived', { arrived_at: 'now()', expires_at: day(1) })]: {
        status: 'user_arrived',
      },
      [await old('called', { arrived_at: day(1), called_at: day(1) })]: { status: 'served' },
      [await old('served', { ended_at: day(29) })]: { name: 'Maria Segreta' },
      [await old('served', { ended_at: day(31) })]: { name: null },
      [await old('served', { ended_at: day(760) })]: undefined,
    }
    await query(
      `insert into priority_counters (pharmacy_id, device_id, seen_at)
       values ($1, gen_random_uuid(), now() - interval '25 hours'), ($1, gen_random_uuid(), now())`,
      [pharmacyId],
    )
    await server.runTask('priority.end_day')
    for (const [id, row] of Object.entries(expected)) {
      if (row) expect(await state(id)).toMatchObject(row)
      else expect(await state(id)).toBeUndefined()
    }
    const [counters] = await query<{ count: number }>(
      'select count(*)::int as count from priority_counters where pharmacy_id = $1',
      [pharmacyId],
    )
    expect(counters).toEqual({ count: 1 })
  })
})
