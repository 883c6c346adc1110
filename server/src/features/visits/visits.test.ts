import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { type TestServer, testApp, testServer } from '../../../test/server.ts'
import { silentLog } from '../../../test/silent-log.ts'
import { connectDatabase } from '../../database/database.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const SESSION = '6f6a5cf1-6a3c-4a5a-9df0-1d4c1a2b3c4d'
const OTHER_SESSION = '0b0a3f5e-6d0c-4d43-8d6e-9a3c8a1c7b11'
const NOON = Date.parse('2026-07-28T10:00:00Z')

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
  for (const table of ['offer_page_views', 'offer_events', 'rate_limits']) {
    await server.database.pool.query(`delete from ${table}`)
  }
})

type From = { headers?: Record<string, string>; ip?: string; app?: TestServer['app'] }

function visit(
  what: object = {},
  { headers = {}, ip = '203.0.113.7', app = server.app }: From = {},
) {
  return app.inject({
    method: 'POST',
    url: '/api/public/visits',
    headers: { 'user-agent': PHONE, ...headers },
    remoteAddress: ip,
    payload: { pharmacyId: 'PHARM-0001', sessionId: SESSION, kind: 'view', ...what },
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
    'select pharmacy_id, session_id, visitor_ip, user_agent, referrer from offer_page_views order by id',
  )
  return rows
}

async function events() {
  const { rows } = await server.database.pool.query<{ kind: string; offer_id: string | null }>(
    'select kind, offer_id from offer_events order by id',
  )
  return rows
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

/** So many seconds go by for what is there. */
async function later(seconds: number) {
  await server.database.pool.query(
    'update offer_page_views set viewed_at = viewed_at - make_interval(secs => $1)',
    [seconds],
  )
}

describe('a view of the page', () => {
  it('is written with 500 letters of its browser and the page it came from', async () => {
    const browser = `${PHONE} ${'a'.repeat(600)}`
    const referrer = 'https://www.example.it/cerca?q=antabuse#x'
    const reply = await visit({ referrer }, { headers: { 'user-agent': browser } })
    expect([reply.statusCode, reply.json()]).toEqual([200, {}])
    expect(await views()).toEqual([
      {
        pharmacy_id: own,
        session_id: SESSION,
        visitor_ip: expect.stringMatching(/^[\w-]{22}$/) as string,
        user_agent: browser.slice(0, 500),
        referrer: 'https://www.example.it/cerca',
      },
    ])
  })

  it('is found by the code in any case', async () => {
    await visit({ pharmacyId: 'pharm-0001' })
    expect(await views()).toMatchObject([{ pharmacy_id: own }])
  })

  it('counts once in 30 seconds for a session and a pharmacy', async () => {
    await visit()
    await later(25)
    await visit()
    expect(await views()).toHaveLength(1)
    await later(5)
    await visit()
    expect(await views()).toHaveLength(2)
    await visit({ sessionId: OTHER_SESSION })
    await visit({ pharmacyId: 'PHARM-0002' })
    expect(await views()).toHaveLength(4)
  })

  it('counts once, however many come at once to two processes', async () => {
    const connection = connectDatabase(server.database.url, { max: 5 })
    atEnd(connection.close)
    const there = await testApp(connection, {}, silentLog)
    atEnd(async () => {
      await there.app.close()
      await there.wired.close()
    })
    const both = (n: number) => visit({}, { app: n % 2 ? there.app : server.app })
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => both(n)))
    expect(replies.every(({ statusCode }) => statusCode === 200)).toBe(true)
    expect(await views()).toHaveLength(1)
  })
})

describe('a visitor', () => {
  const visitors = async () => (await views()).map((view) => view.visitor_ip)

  it('is the same all day, in every session', async () => {
    await visit()
    now += 8 * 60 * 60_000
    await visit({ sessionId: OTHER_SESSION })
    const [one, again] = await visitors()
    expect(again).toBe(one)
  })

  it('is another one on the next day, in Rome', async () => {
    now = Date.parse('2026-07-28T21:59:59Z')
    await visit()
    now += 1_000
    await visit({ sessionId: OTHER_SESSION })
    expect(new Set(await visitors()).size).toBe(2)
  })

  it.each([
    ['at another pharmacy', { pharmacyId: 'PHARM-0002' }, {}],
    ['with another browser', {}, { headers: { 'user-agent': FIREFOX } }],
    ['at another address', {}, { ip: '203.0.113.8' }],
  ])('is another one %s', async (_where, what, from) => {
    await visit()
    await visit({ sessionId: OTHER_SESSION, ...what }, from)
    expect(new Set(await visitors()).size).toBe(2)
  })

  it('is one, whichever of the addresses of an IPv6 network the browser has just now', async () => {
    await visit({}, { ip: '2001:db8:1:2::7' })
    await visit({ sessionId: OTHER_SESSION }, { ip: '2001:db8:1:2:aaaa:bbbb:cccc:dddd' })
    expect(new Set(await visitors()).size).toBe(1)
  })
})

describe('what is done on the page', () => {
  it('is written for each of those offers that the pharmacy has', async () => {
    const [one, two] = [await addOffer(own, 'PHARM-0001'), await addOffer(own, 'PHARM-0001')]
    const theirs = await addOffer(other, 'PHARM-0002')
    await visit({ kind: 'offer_opened', offerIds: [one] })
    await visit({ kind: 'whatsapp_tapped', offerIds: [one, two, two, theirs, SESSION] })
    await visit({ kind: 'call_tapped', offerIds: [two] })
    const written = (await events()).map((event) => `${event.kind} ${event.offer_id}`)
    expect(written.toSorted((a, b) => a.localeCompare(b))).toEqual([
      `call_tapped ${two}`,
      `offer_opened ${one}`,
      ...[one, two].toSorted().map((id) => `whatsapp_tapped ${id}`),
    ])
    expect(await views()).toEqual([])
  })

  it('may be about no offer, but for opening one', async () => {
    for (const kind of ['call_tapped', 'whatsapp_tapped', 'offer_opened']) await visit({ kind })
    expect(await events()).toEqual([
      { kind: 'call_tapped', offer_id: null },
      { kind: 'whatsapp_tapped', offer_id: null },
    ])
  })

  it('is of the visitor who has seen the page', async () => {
    await visit()
    await visit({ kind: 'call_tapped' })
    const { rows } = await server.database.pool.query(
      'select pharmacy_id, session_id, visitor_ip from offer_events',
    )
    const [view] = await views()
    expect(rows).toEqual([{ pharmacy_id: own, session_id: SESSION, visitor_ip: view?.visitor_ip }])
  })
})

describe('nothing is written', () => {
  async function leavesNothing(what: object, from: From = {}) {
    for (const kind of ['view', 'call_tapped']) {
      const reply = await visit({ kind, ...what }, from)
      expect([reply.statusCode, reply.json()]).toEqual([200, {}])
    }
    expect([await views(), await events()]).toEqual([[], []])
  }

  it.each([
    ['WhatsApp', 'WhatsApp/2.23.20.0 A'],
    ['Facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['Google', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['a browser without a window', `${FIREFOX} HeadlessChrome/140.0.0.0`],
    ['curl', 'curl/8.5.0'],
    ['nobody', ''],
  ])('of a program: %s', async (_name, userAgent) => {
    await leavesNothing({}, { headers: { 'user-agent': userAgent } })
  })

  it.each([
    ['the own browser of Facebook', `${PHONE} [FBAN/FBIOS;FBAV/450.0.0.0;FBBV/1]`],
    ['Firefox', FIREFOX],
  ])('but this is no program: %s', async (_name, userAgent) => {
    await visit({}, { headers: { 'user-agent': userAgent } })
    expect(await views()).toHaveLength(1)
  })

  it('of a browser that asks not to be tracked', async () => {
    await leavesNothing({}, { headers: { dnt: '1' } })
  })

  it('of who is signed in, wherever', async () => {
    await server.addAdministrator({ email: 'admin@example.it' })
    for (const email of ['own@example.it', 'other@example.it', 'admin@example.it']) {
      await leavesNothing({}, { headers: await server.signIn(email) })
    }
    await visit({}, { headers: { authorization: 'Bearer a.b.c' } })
    expect(await views()).toHaveLength(1)
  })

  it.each([
    ['is not there', 'PHARM-9999', 'is_active = true'],
    ['is not active', 'PHARM-0001', 'is_active = false'],
    ['is deleted', 'PHARM-0001', 'is_active = true, deleted_at = now()'],
    ['has no offers', 'PHARM-0001', `features_enabled = '["analytics"]'`],
  ])('of a pharmacy that %s', async (_what, pharmacyId, change) => {
    const set = (columns: string) =>
      server.database.pool.query(`update pharmacies set ${columns} where id = $1`, [own])
    await set(change)
    await leavesNothing({ pharmacyId })
    await set(`is_active = true, deleted_at = null, features_enabled = '["offers"]'`)
  })
})

describe('a visit that is refused', () => {
  it.each([
    ['of no kind', { kind: 'bought' }],
    ['of no session', { sessionId: 'me' }],
    ['of too many offers', { kind: 'whatsapp_tapped', offerIds: Array(21).fill(SESSION) }],
    ['with more than is asked', { ip: '203.0.113.7' }],
    ['of what is no code', { pharmacyId: 'PHARM\0' }],
  ])('is one %s', async (_what, what) => {
    expect((await visit(what)).statusCode).toBe(400)
    expect(await views()).toEqual([])
  })

  it('is one that is large', async () => {
    const reply = await visit({ referrer: 'a'.repeat(17 * 1024) })
    expect([reply.statusCode, reply.json()]).toMatchObject([413, { code: 'request.too_large' }])
  })

  it.each([
    ['a network', 'visits-of-network', { ip: '198.51.100.1' }],
    ['a pharmacy', 'visits-of-pharmacy', undefined],
  ])('is one too many of %s', async (_of, limit, elsewhere) => {
    await visit()
    const { rowCount } = await server.database.pool.query(
      'update rate_limits set points = 1000000 where key like $1',
      [`${limit}%`],
    )
    expect(rowCount).toBe(1)
    const reply = await visit({ sessionId: OTHER_SESSION })
    expect([reply.statusCode, reply.json()]).toMatchObject([429, { code: 'visits.too_many' }])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    expect(await views()).toHaveLength(1)
    if (elsewhere) expect((await visit({}, elsewhere)).statusCode).toBe(200)
    expect((await visit({ pharmacyId: 'PHARM-0002' })).statusCode).toBe(200)
  })

  it('takes nothing from other networks, however many come from one', async () => {
    await visit()
    await server.database.pool.query(
      `update rate_limits set points = 1000000 where key like 'visits-of-network%'`,
    )
    for (let flood = 0; flood < 3; flood += 1) expect((await visit()).statusCode).toBe(429)
    const { rows } = await server.database.pool.query(
      `select points from rate_limits where key like 'visits-of-pharmacy%'`,
    )
    expect(rows).toEqual([{ points: 1 }])
  })
})
