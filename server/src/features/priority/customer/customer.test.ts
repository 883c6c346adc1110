import { randomUUID } from 'node:crypto'
import type { PriorityStatus } from '@bancone/contract/priority'
import { CustomerPrioritySession } from '@bancone/contract/priority-customer'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PriorityServer, priorityServer } from '../../../../test/priority-server.ts'
import { newToken } from '../priority-links.store.ts'

const features = ['priority_access']
const ORDER = 'recPriority000001'

let server: PriorityServer
let pharmacyId: string
let otherId: string
let pharmacyCode: string
let email: string

beforeAll(async () => {
  server = await priorityServer()
  ;({ id: pharmacyId, code: pharmacyCode, email } = await server.newPharmacy())
  ;({ id: otherId } = await server.newPharmacy())
})

beforeEach(async () => {
  const tables = [
    'pharmacy_orders',
    'priority_access_sessions',
    'priority_counters',
    'rate_limits',
    'pharmacy_profiles',
  ]
  for (const table of tables) await sql(`delete from ${table}`)
})

const sql: PriorityServer['query'] = (text, values) => server.query(text, values)

type Given = { status?: PriorityStatus; order?: string; arrived?: string; of?: string }

/** @returns the id of the session, and a token */
async function addSession({
  status = 'link_sent',
  order = ORDER,
  arrived,
  of = pharmacyId,
}: Given = {}) {
  const id = await server.session(of, status, {
    airtable_order_id: `'${order}'`,
    ...(arrived && { arrived_at: `now() - interval '${arrived}'` }),
  })
  return { id, token: await server.link(of, id) }
}

const addOrder = (recordId: string, number: string, phone: string, of = pharmacyId) =>
  sql(
    `insert into pharmacy_orders (pharmacy_id, airtable_order_id, order_number, customer_phone, airtable_created, airtable_last)
     values ($1, $2, $3, $4, now(), now())`,
    [of, recordId, number, phone],
  )

const post = (path: string, payload: object, ip = '203.0.113.7') =>
  server.app.inject({
    method: 'POST',
    url: `/api/public/priority/${path}`,
    remoteAddress: ip,
    payload,
  })

const link = (token: string) => ({ pharmacyCode: pharmacyCode.toLowerCase(), token })
const session = (token: string) => post('session', link(token))
const go = (token: string, to: string, place?: string) =>
  post('session/status', { ...link(token), to, ...(place && { place }) })
const unlock = (order: object, digits: string, ip?: string) =>
  post('unlock', { pharmacyCode, order, digits }, ip)

const codeOf = (reply: { json(): { code?: string } }) => reply.json().code

describe('a session', () => {
  it('is read by its token without being changed, and names neither customer nor product', async () => {
    const { token } = await addSession()
    for (let time = 0; time < 20; time += 1) await session(token)
    const reply = await session(token)
    expect(CustomerPrioritySession.parse(reply.json())).toMatchObject({
      status: 'link_sent',
      orderNumber: 'Ord-1042',
      code: null,
      version: 1,
      isAttended: false,
      ahead: null,
    })
    expect(reply.body).not.toMatch(/Maria|333|4567/)
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('is not found by the token at another pharmacy', async () => {
    const { token } = await addSession({ of: otherId })
    expect(codeOf(await session(token))).toBe('priority.order_not_found')
  })

  it('arrives once, however often that is said', async () => {
    const { id, token } = await addSession()
    await go(token, 'on_the_way')
    const replies = await Promise.all([1, 2, 3].map(() => go(token, 'user_arrived', 'In auto')))
    for (const reply of replies) {
      expect(reply.statusCode).toBe(200)
      expect(reply.json()).toMatchObject({ status: 'user_arrived', place: 'In auto', ahead: 0 })
    }
    const events = await sql<object>(
      'select to_status, source from priority_events where session_id = $1 order by id',
      [id],
    )
    expect(events).toEqual([
      { to_status: 'link_sent', source: 'system' },
      { to_status: 'on_the_way', source: 'customer' },
      { to_status: 'user_arrived', source: 'customer' },
    ])
    // Devices with all pages closed are notified once.
    expect(
      await sql<object>('select customers::int from push_arrivals where pharmacy_id = $1', [
        pharmacyId,
      ]),
    ).toEqual([{ customers: 1 }])
  })

  it('has a code from its arrival on, which no other open session of the pharmacy has', async () => {
    const sessions = []
    for (let n = 0; n < 12; n += 1) sessions.push(await addSession({ order: `recCode${n}` }))
    // All but 12 codes are taken.
    await sql(
      `insert into priority_access_sessions (pharmacy_id, airtable_order_id, status, code, expires_at)
       select $1, 'recTaken' || n, 'user_arrived', lpad(n::text, 3, '0'), now() from generate_series(0, 987) as n`,
      [pharmacyId],
    )
    const replies = await Promise.all(
      sessions.map(({ token }, n) =>
        post('session/status', { ...link(token), to: 'user_arrived' }, `203.0.113.${n}`),
      ),
    )
    const codes = replies.map((reply) => CustomerPrioritySession.parse(reply.json()).code)
    const free = Array.from({ length: 12 }, (_, n) => String(988 + n))
    expect(new Set(codes)).toEqual(new Set(free))
    // None is left for one more, who arrives all the same.
    const { token } = await addSession()
    expect((await go(token, 'user_arrived')).json()).toMatchObject({
      status: 'user_arrived',
      code: null,
    })
  })

  it('tells how many arrived before, and a waiting time if the pharmacy is open and enough customers waited', async () => {
    await addSession({ status: 'user_arrived', order: 'recFirst', arrived: '9 minutes' })
    const { token } = await addSession({ status: 'user_arrived' })
    for (let minutes = 1; minutes <= 5; minutes += 1) {
      const { id } = await addSession({
        status: 'served',
        order: `recOld${minutes}`,
        arrived: '1 hour',
      })
      await sql(
        `update priority_access_sessions set called_at = arrived_at + $2 * interval '3 minutes' where id = $1`,
        [id, minutes],
      )
    }
    expect((await session(token)).json()).toMatchObject({ ahead: 1, wait: null, isAttended: false })
    await sql('insert into priority_counters (pharmacy_id, device_id) values ($1, $2)', [
      pharmacyId,
      randomUUID(),
    ])
    // 3, 6, 9, 12 and 15 minutes.
    expect((await session(token)).json()).toMatchObject({
      wait: { low: 5, high: 15 },
      isAttended: true,
    })
    // Not less than what the one before has waited already.
    await sql(
      `update priority_access_sessions set arrived_at = now() - interval '23 minutes' where airtable_order_id = 'recFirst'`,
    )
    expect((await session(token)).json()).toMatchObject({ wait: { low: 20, high: 25 } })
    await sql(`update priority_counters set seen_at = now() - interval '61 seconds'`)
    expect((await session(token)).json()).toMatchObject({ wait: null, isAttended: false })
  })

  it('that was not there can arrive again only later', async () => {
    const { token } = await addSession()
    await sql(`update priority_access_sessions set cools_until = now() + interval '1 minute'`)
    expect(codeOf(await go(token, 'user_arrived'))).toBe('priority.cooling_down')
    await sql(`update priority_access_sessions set cools_until = now() - interval '1 second'`)
    expect((await go(token, 'user_arrived')).json()).toMatchObject({ coolsUntil: null })
  })

  it.each(['served', 'no_show', 'expired'] as const)('that is %s has ended', async (status) => {
    const { token } = await addSession({ status })
    expect(codeOf(await go(token, 'user_arrived'))).toBe('priority.ended')
    expect(codeOf(await go(token, 'cancelled'))).toBe('priority.ended')
  })

  it('ends with its link, before any job says so', async () => {
    const { token } = await addSession()
    await sql(`update priority_access_sessions set expires_at = now() - interval '1 second'`)
    expect((await session(token)).json()).toMatchObject({ status: 'expired' })
    expect(codeOf(await go(token, 'user_arrived'))).toBe('priority.ended')
  })

  it('cannot arrive while the pharmacy is closed', async () => {
    const { token } = await addSession()
    await sql(
      `insert into pharmacy_profiles (pharmacy_id, opening_week, closings)
       values ($1, $2, '[{"from":"2020-01-01","to":"2099-12-31","note":""}]')`,
      [
        pharmacyId,
        JSON.stringify(Array.from({ length: 7 }, () => [{ from: '09:00', to: '18:00' }])),
      ],
    )
    expect(codeOf(await go(token, 'user_arrived'))).toBe('priority.closed')
    expect((await go(token, 'on_the_way')).statusCode).toBe(200)
  })

  it('says where it waits until it has ended', async () => {
    const { token } = await addSession({ status: 'user_arrived' })
    const place = 'In auto, posto 4'
    // What would turn the text around it on the staff's board is left out.
    const typed = '\u202eIn auto,\n posto\u2067 4'
    const reply = await post('session/place', { ...link(token), place: typed })
    expect(reply.json()).toMatchObject({ place, version: 2 })
    await go(token, 'cancelled')
    expect(codeOf(await post('session/place', { ...link(token), place }))).toBe('priority.ended')
  })
})

it.each([
  ['is inactive', features, 'is_active = false', 'priority.pharmacy_not_found'],
  ['is deleted', features, 'deleted_at = now()', 'priority.pharmacy_not_found'],
  ['lacks the feature', [], 'is_active = true', 'priority.feature_off'],
])('a pharmacy that %s has no sessions', async (how, own, change, code) => {
  const name = `PRIO ${how}`
  const id = await server.addPharmacy({
    email: `${code}@${how.length}.it`,
    code: name,
    features: own,
  })
  const { token } = await addSession({ of: id })
  await sql(`update pharmacies set ${change} where id = $1`, [id])
  expect(codeOf(await post('session', { ...link(token), pharmacyCode: name }))).toBe(code)
})

describe('the last digits of the number', () => {
  it.each([
    ['of an order by its number', { number: 'ORD-1042' }],
    ['of the order of the page', { id: ORDER }],
  ])('%s give another token', async (_how, order) => {
    await addSession()
    const reply = await unlock(order, '4567')
    expect(reply.statusCode).toBe(200)
    const { orderId, token } = reply.json<{ orderId: string; token: string }>()
    expect(orderId).toBe(ORDER)
    expect((await session(token)).statusCode).toBe(200)
  })

  it.each(['472', '#472', 'n. 472', 'ordine 472'])(
    'begin the session of an order that has none, named %s',
    async (number) => {
      await addOrder('recOpen', '472', '041 520 1234 / 333 7654321')
      const reply = await unlock({ number }, '4321')
      const { orderId, token } = reply.json<{ orderId: string; token: string }>()
      expect(orderId).toBe('recOpen')
      expect((await go(token, 'user_arrived')).json()).toMatchObject({
        status: 'user_arrived',
        orderNumber: '472',
      })
      const events = await sql(`select source from priority_events where pharmacy_id = $1`, [
        pharmacyId,
      ])
      expect(events).toEqual([{ source: 'customer' }, { source: 'customer' }])
      // With the other number, to the same session.
      expect((await unlock({ number }, '1234')).statusCode).toBe(200)
      expect(await sql('select from priority_access_sessions')).toHaveLength(1)
    },
  )

  it.each([
    ['is cancelled', "status = 'Annullato'"],
    ['has no telephone number', 'customer_phone = null'],
    ['has another number', "customer_phone = '3330000000'"],
  ])('begin none of an order that %s', async (_why, change) => {
    await addOrder('recOpen', '472', '333 7654321')
    await addOrder('recOther', '472', '333 7654321', otherId)
    await sql(`update pharmacy_orders set ${change} where airtable_order_id = 'recOpen'`)
    const reply = await unlock({ number: '472' }, '4321')
    expect([reply.statusCode, codeOf(reply)]).toEqual([404, 'priority.not_matched'])
    expect(await sql('select from priority_access_sessions')).toEqual([])
  })

  it('give ten links at most, and remove none that was sent', async () => {
    const { id, token } = await addSession()
    const unlocked = []
    for (let time = 0; time < 12; time += 1) {
      const reply = await unlock({ id: ORDER }, '4567', `198.51.100.${time}`)
      unlocked.push(reply.json<{ token: string }>().token)
    }
    const codes = []
    for (const each of [token, ...unlocked]) codes.push((await session(each)).statusCode)
    expect(codes).toEqual([200, 404, 404, ...Array.from({ length: 10 }, () => 200)])
    expect(await sql('select from priority_links where session_id = $1', [id])).toHaveLength(11)
  })

  it('that a stranger got wrong are accepted after an hour, fifteen in all, until a link is issued again', async () => {
    await addSession()
    let network = 0
    const outcome = async (digits: string) => {
      network += 1
      return (await unlock({ id: ORDER }, digits, `198.51.100.${network}`)).statusCode
    }
    for (let hour = 0; hour < 3; hour += 1) {
      expect(await outcome('4567')).toBe(200)
      for (let time = 0; time < 5; time += 1) await outcome('0000')
      expect(await outcome('4567')).toBe(404)
      await sql(`update rate_limits set expire = 0 where key like 'priority-digits:%'`)
    }
    expect(await outcome('4567')).toBe(404)
    await sql(
      `insert into pharmacy_orders (pharmacy_id, airtable_order_id, customer_phone, airtable_created, airtable_last)
       values ($1, $2, '+39 333 123 4567', now(), now())`,
      [pharmacyId, ORDER],
    )
    await server.app.inject({
      method: 'POST',
      url: '/api/priority-sessions',
      headers: await server.signIn(email),
      payload: { recordIds: [ORDER] },
    })
    expect(await outcome('4567')).toBe(200)
  })

  it('that were right do not use up a try', async () => {
    await addSession()
    for (let time = 0; time < 11; time += 1)
      expect((await unlock({ id: ORDER }, '4567')).statusCode).toBe(200)
  })
})

it('customers in one network do not use up the changes of each other', async () => {
  for (let n = 0; n < 12; n += 1) {
    const { token } = await addSession({ order: `recNetwork${n}` })
    expect((await go(token, 'user_arrived')).statusCode).toBe(200)
  }
  const { token } = await addSession()
  const codes = []
  for (let n = 0; n < 11; n += 1) {
    const change = { ...link(token), to: 'user_arrived' }
    codes.push((await post('session/status', change, `198.51.100.${n}`)).statusCode)
  }
  expect(codes.indexOf(429)).toBe(10)
})

it('the readings of a session are limited, and that is said in Italian', async () => {
  const { token } = await addSession()
  const replies = []
  for (let time = 0; time <= 60; time += 1)
    replies.push(await post('session', link(token), `198.51.100.${time}`))
  expect(replies.map(({ statusCode }) => statusCode).indexOf(429)).toBe(60)
  const refused = replies[60]
  expect(refused?.headers['retry-after']).toBeDefined()
  expect(refused?.body).toContain('Troppe richieste in poco tempo')
})

it('those who guess in a network are refused, and nobody with a link who shares it', async () => {
  const { token } = await addSession()
  const answers = async (times: number, call: () => ReturnType<typeof post>) => {
    const statuses = []
    for (let time = 0; time < times; time += 1) statuses.push((await call()).statusCode)
    return statuses.indexOf(429)
  }
  const guessed = () => newToken().token
  expect(await answers(61, () => session(guessed()))).toBe(60)
  expect(await answers(11, () => go(guessed(), 'user_arrived'))).toBe(10)
  expect(await answers(11, () => unlock({ number: '1' }, '0000'))).toBe(10)

  expect((await session(token)).statusCode).toBe(200)
  expect((await go(token, 'user_arrived')).statusCode).toBe(200)
})
