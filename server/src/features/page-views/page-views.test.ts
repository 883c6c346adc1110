import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { type TestServer, testApp, testServer } from '../../../test/server.ts'
import { silentLog } from '../../../test/silent-log.ts'
import { connectDatabase } from '../../database/database.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const NOWHERE = '6f6a5cf1-6a3c-4a5a-9df0-1d4c1a2b3c4d'
const NOON = Date.parse('2026-07-28T10:00:00Z')
/** In Rome, at the end of that day. */
const MIDNIGHT = Date.parse('2026-07-28T22:00:00Z')
const MINUTE = 60_000

let server: TestServer
let own: string
let other: string
let now = NOON

beforeAll(async () => {
  server = await testServer({ clock: { now: () => now } })
  const features = ['offers']
  own = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001', features })
  other = await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0002', features })
})

beforeEach(async () => {
  now = NOON
  await removePageViews()
})

const removePageViews = () =>
  server.database.pool.query(
    'truncate offer_page_views, offer_events, visitors, page_event_queue, offer_order_codes',
  )

type From = { headers?: Record<string, string>; ip?: string; app?: TestServer['app'] }

function sendEvent(
  what: object = {},
  { headers = {}, ip = '203.0.113.7', app = server.app }: From = {},
) {
  return app.inject({
    method: 'POST',
    url: '/api/public/page-events',
    headers: { 'user-agent': PHONE, ...headers },
    remoteAddress: ip,
    payload: { pharmacyCode: 'PHARM-0001', kind: 'view', ...what },
  })
}

type ViewRow = {
  pharmacy_id: string
  session_id: string
  visitor_ip: string
  user_agent: string | null
  referrer: string | null
}

async function views(): Promise<ViewRow[]> {
  const { rows } = await server.database.pool.query<ViewRow>(
    `select pharmacy_id, session_id, visitor_ip, user_agent, referrer from offer_page_views
     order by viewed_at`,
  )
  return rows
}

async function events() {
  const { rows } = await server.database.pool.query<{ kind: string; offer_id: string | null }>(
    'select kind, offer_id from offer_events order by happened_at, kind, offer_id',
  )
  return rows
}

/** What waits to be folded. */
async function queued(columns: string) {
  const { rows } = await server.database.pool.query(
    `select ${columns} from page_event_queue order by id`,
  )
  return rows as unknown[]
}

async function addOffer(pharmacyId: string, code: string): Promise<string> {
  const { rows } = await server.database.pool.query<{ id: string }>(
    `insert into product_offers
       (pharmacy_id, pharmacy_code, product_name, category, list_price, offer_price, start_date, image_url)
     values ($1, $2, 'Crema', 'Cosmetici', 990, 790, '2026-07-01', '/x') returning id`,
    [pharmacyId, code],
  )
  return rows[0]?.id ?? ''
}

describe('a view of the page', () => {
  it('is recorded with the name of its browser and the site it came from', async () => {
    const referrer = 'https://www.example.it/cerca?q=antabuse#x'
    const reply = await sendEvent({ referrer })
    expect([reply.statusCode, reply.json()]).toEqual([200, {}])
    expect(await views()).toEqual([
      {
        pharmacy_id: own,
        session_id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
        visitor_ip: expect.stringMatching(/^[\w-]{22}$/) as string,
        user_agent: 'Safari · iOS',
        referrer: 'https://www.example.it',
      },
    ])
    expect(await queued('kind, is_visitor, is_visit, source, device')).toEqual([
      { kind: 'view', is_visitor: true, is_visit: true, source: 'site', device: 'phone' },
    ])
  })

  it('is counted for the link that led to it', async () => {
    await sendEvent({ tag: 'volantino', referrer: 'https://www.example.it/' })
    await sendEvent({ tag: 'altro', pharmacyCode: 'PHARM-0002' })
    expect(await queued('source')).toEqual([{ source: 'flyer' }, { source: 'direct' }])
  })

  it('is found by the code in any case', async () => {
    await sendEvent({ pharmacyCode: 'pharm-0001' })
    expect(await views()).toMatchObject([{ pharmacy_id: own }])
  })

  it('counts once in 30 seconds for a visitor and a pharmacy', async () => {
    await sendEvent()
    now += 29_999
    await sendEvent()
    expect(await views()).toHaveLength(1)
    now += 1
    await sendEvent()
    expect(await views()).toHaveLength(2)
    await sendEvent({ pharmacyCode: 'PHARM-0002' })
    expect(await views()).toHaveLength(3)
  })

  it('counts once, however many come at once to two processes', async () => {
    const connection = connectDatabase(server.database.url, { max: 5 })
    atEnd(connection.close)
    const there = await testApp(connection, { clock: { now: () => now } }, silentLog)
    atEnd(async () => {
      await there.app.close()
      await there.wired.close()
    })
    const both = (n: number) => sendEvent({}, { app: n % 2 ? there.app : server.app })
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => both(n)))
    expect(replies.every(({ statusCode }) => statusCode === 200)).toBe(true)
    expect(await views()).toHaveLength(1)
    expect(await queued('kind')).toHaveLength(1)
  })
})

describe('a visitor', () => {
  const visitors = async () => (await views()).map((view) => view.visitor_ip)

  it('is the same all day, with a visit of their own after half an hour', async () => {
    await sendEvent()
    now += 29 * MINUTE
    await sendEvent()
    now += 30 * MINUTE
    await sendEvent()
    const [one, again, later] = await views()
    expect([again?.visitor_ip, later?.visitor_ip]).toEqual([one?.visitor_ip, one?.visitor_ip])
    expect(again?.session_id).toBe(one?.session_id)
    expect(later?.session_id).not.toBe(one?.session_id)
    expect(await queued('is_visitor, is_visit')).toEqual([
      { is_visitor: true, is_visit: true },
      { is_visitor: false, is_visit: false },
      { is_visitor: false, is_visit: true },
    ])
  })

  it('is another one on the next day in Rome, in the same visit', async () => {
    now = MIDNIGHT - 10 * MINUTE
    await sendEvent()
    now = MIDNIGHT + 10 * MINUTE
    await sendEvent()
    const [before, after] = await views()
    expect(after?.visitor_ip).not.toBe(before?.visitor_ip)
    expect(after?.session_id).toBe(before?.session_id)
    expect(await queued('is_visitor, is_visit')).toEqual([
      { is_visitor: true, is_visit: true },
      { is_visitor: true, is_visit: false },
    ])
  })

  it('counts a view once that is repeated within 30 seconds after midnight', async () => {
    now = MIDNIGHT - 5_000
    await sendEvent()
    now = MIDNIGHT + 5_000
    await sendEvent()
    expect(await queued('kind')).toHaveLength(1)
    now = MIDNIGHT + 25_000
    await sendEvent()
    expect(await queued('kind')).toHaveLength(2)
  })

  it.each([
    ['at another pharmacy', { pharmacyCode: 'PHARM-0002' }, {}],
    ['with another browser', {}, { headers: { 'user-agent': FIREFOX } }],
    ['in another network', {}, { ip: '203.0.114.7' }],
  ])('is another one %s', async (_where, what, from) => {
    await sendEvent()
    await sendEvent(what, from)
    expect(new Set(await visitors()).size).toBe(2)
  })

  it('is one of fifty at most in a network and a day, whatever browsers are named', async () => {
    const ip = '192.0.2.7'
    const send = (version: number, from: From = {}) =>
      sendEvent({}, { ip, headers: { 'user-agent': `${FIREFOX}.${version}` }, ...from })
    await send(0)
    await Promise.all(Array.from({ length: 60 }, (_, at) => send(1 + at)))
    // Also at another address of the network, and the known ones go on.
    await send(200, { ip: '192.0.2.8' })
    now += 31_000
    await send(0)
    expect(new Set(await visitors()).size).toBe(51)
    await sendEvent({ pharmacyCode: 'PHARM-0002' }, { ip })
    await sendEvent({}, { ip: '198.51.100.7' })
    expect(new Set(await visitors()).size).toBe(53)
  })
})

describe('what is done on the page', () => {
  it('is recorded for each of those offers that the pharmacy has', async () => {
    const [one, two] = [await addOffer(own, 'PHARM-0001'), await addOffer(own, 'PHARM-0001')]
    const theirs = await addOffer(other, 'PHARM-0002')
    await sendEvent({ kind: 'offer_seen', offerIds: [one, two, theirs] })
    await sendEvent({ kind: 'offer_opened', offerIds: [one] })
    await sendEvent({ kind: 'whatsapp_tapped', offerIds: [one, two, two, theirs, NOWHERE] })
    await sendEvent({ kind: 'call_tapped', offerIds: [two] })
    expect(await events()).toEqual([
      { kind: 'call_tapped', offer_id: two },
      { kind: 'offer_opened', offer_id: one },
      ...[one, two].toSorted().map((id) => ({ kind: 'whatsapp_tapped', offer_id: id })),
    ])
    expect(await queued('kind, cardinality(offer_ids) as offers')).toEqual([
      { kind: 'offer_seen', offers: 2 },
      { kind: 'offer_opened', offers: 1 },
      { kind: 'whatsapp_tapped', offers: 2 },
      { kind: 'call_tapped', offers: 1 },
    ])
    expect(await views()).toEqual([])
  })

  it('may be about no offer, but for seeing and opening one', async () => {
    for (const kind of ['call_tapped', 'whatsapp_tapped', 'offer_seen', 'offer_opened']) {
      await sendEvent({ kind })
      await sendEvent({ kind, offerIds: [NOWHERE] })
    }
    const expected = ['call_tapped', 'call_tapped', 'whatsapp_tapped', 'whatsapp_tapped']
    expect((await events()).map(({ kind }) => kind)).toEqual(expected)
    expect(await queued('kind')).toEqual(expected.map((kind) => ({ kind })))
  })

  it('is of the visit of the visitor who has seen the page', async () => {
    await sendEvent()
    await sendEvent({ kind: 'call_tapped' })
    const { rows } = await server.database.pool.query(
      'select pharmacy_id, session_id, visitor_ip from offer_events',
    )
    const [{ session_id, visitor_ip } = { session_id: '', visitor_ip: '' }] = await views()
    expect(rows).toEqual([{ pharmacy_id: own, session_id, visitor_ip }])
  })
})

describe('nothing is recorded', () => {
  async function leavesNothing(what: object, from: From = {}) {
    for (const kind of ['view', 'call_tapped']) {
      const reply = await sendEvent({ kind, ...what }, from)
      expect([reply.statusCode, reply.json()]).toEqual([200, {}])
    }
    expect([await views(), await events()]).toEqual([[], []])
  }

  it('of who asks not to be tracked, also not as left out: the request of its page is', () =>
    leavesNothing({}, { headers: { dnt: '1' } }))

  it('of who is signed in, wherever', () => leavesNothing({ kind: 'staff' }))

  it.each([
    ['is not there', 'PHARM-9999', 'is_active = true'],
    ['is not active', 'PHARM-0001', 'is_active = false'],
    ['is deleted', 'PHARM-0001', 'is_active = true, deleted_at = now()'],
    ['has no offers', 'PHARM-0001', `features_enabled = '["analytics"]'`],
  ])('of a pharmacy that %s', async (_what, pharmacyCode, change) => {
    const set = (columns: string) =>
      server.database.pool.query(`update pharmacies set ${columns} where id = $1`, [own])
    await set(change)
    // The server learns of the change in a moment.
    const recorded = async () => {
      await removePageViews()
      await sendEvent({ pharmacyCode })
      return views()
    }
    await expect.poll(recorded).toEqual([])
    await leavesNothing({ pharmacyCode })
    await set(`is_active = true, deleted_at = null, features_enabled = '["offers"]'`)
  })

  it('of a pharmacy that does not count', async () => {
    const set = (isCounting: boolean) =>
      server.database.pool.query(
        `insert into analytics_settings values ($1, $2, false, false)
         on conflict (pharmacy_id) do update set is_counting = excluded.is_counting`,
        [own, isCounting],
      )
    await set(false)
    await leavesNothing({})
    await set(true)
    await expect.poll(async () => (await sendEvent(), views())).toHaveLength(1)
  })
})

describe('an event that is refused', () => {
  it.each([
    ['of no kind', { kind: 'bought' }],
    ['of too many offers', { kind: 'offer_seen', offerIds: Array(101).fill(NOWHERE) }],
    ['with more than is asked', { ip: '203.0.113.7' }],
    ['with what is no order code', { kind: 'whatsapp_tapped', code: 'ABC10O' }],
  ])('is one %s', async (_what, what) => {
    expect((await sendEvent(what)).statusCode).toBe(400)
    expect(await views()).toEqual([])
  })

  it('is one that is large', async () => {
    const reply = await sendEvent({ referrer: 'a'.repeat(17 * 1024) })
    expect([reply.statusCode, reply.json()]).toMatchObject([413, { code: 'request.too_large' }])
  })

  it('is one too many of a network', async () => {
    const replies = await Promise.all(
      Array.from({ length: 601 }, () => sendEvent({}, { ip: '198.51.100.1' })),
    )
    const refused = replies.filter(({ statusCode }) => statusCode !== 200)
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([429])
    expect(refused[0]?.json()).toMatchObject({ code: 'page_events.too_many' })
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await sendEvent({ kind: 'staff' }, { ip: '198.51.100.1' })).statusCode).toBe(429)
    const elsewhere = [{ ip: '198.51.100.2' }, { what: { pharmacyCode: 'PHARM-0002' } }]
    for (const { what, ip = '198.51.100.1' } of elsewhere) {
      expect((await sendEvent(what, { ip })).statusCode).toBe(200)
    }
  })
})
