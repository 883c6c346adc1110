import { PriorityBoard, PrioritySession, type PriorityStatus } from '@bancone/contract/priority'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type PriorityServer, priorityServer } from '../../../test/priority-server.ts'

let server: PriorityServer
let pharmacyId: string
let headers: { authorization: string }

beforeAll(async () => {
  server = await priorityServer()
})

beforeEach(async () => {
  ;({ id: pharmacyId, headers } = await server.newPharmacy())
})

const query: PriorityServer['query'] = (text, values) => server.query(text, values)
const session = (status: PriorityStatus, columns?: Record<string, string>) =>
  server.session(pharmacyId, status, columns)

const post = (id: string, path: 'status' | 'undo', payload: object) =>
  server.app.inject({
    method: 'POST',
    url: `/api/priority/sessions/${id}/${path}`,
    headers,
    payload,
  })

const undo = (id: string, version: number) => post(id, 'undo', { version })

/** A change of the session as it is now. */
async function moved(id: string, from: PriorityStatus, to: PriorityStatus, desk = 'Banco 1') {
  const [row] = await query<{ version: number }>(
    'select status_version as version from priority_access_sessions where id = $1',
    [id],
  )
  const reply = await post(id, 'status', { from, to, version: row?.version, desk })
  expect(reply.statusCode, reply.body).toBe(200)
  return PrioritySession.parse(reply.json())
}

async function board() {
  const reply = await server.app.inject({ url: '/api/priority/board', headers })
  return PriorityBoard.parse(reply.json())
}

it('a wrong step is taken back with all that it changed, whichever it was', async () => {
  const waits = {
    place: "'In auto'",
    arrived_at: "now() - interval '7 minutes'",
    on_the_way_at: "now() - interval '9 minutes'",
  }
  const called = { ...waits, called_at: "now() - interval '1 minute'", called_by: "'Banco 2'" }
  const steps: [PriorityStatus, PriorityStatus, Record<string, string>][] = [
    ['user_arrived', 'called', waits],
    ['user_arrived', 'link_sent', waits],
    // The third time ends the session.
    ['user_arrived', 'link_sent', { ...waits, times_not_present: '2' }],
    ['called', 'link_sent', called],
    ['called', 'served', called],
    ['called', 'user_arrived', called],
  ]
  const state = (id: string) =>
    query(
      `select status, place, on_the_way_at, arrived_at, called_at, called_by, ended_at, times_not_present, cools_until
       from priority_access_sessions where id = $1`,
      [id],
    )
  for (const [from, to, columns] of steps) {
    const id = await session(from, columns)
    const before = await state(id)
    const { version } = await moved(id, from, to)
    const reply = await undo(id, version)
    expect(reply.statusCode, reply.body).toBe(200)
    expect(PrioritySession.parse(reply.json())).toMatchObject({
      status: from,
      version: version + 1,
    })
    expect(await state(id)).toEqual(before)
    expect((await undo(id, version + 1)).statusCode).toBe(409)
  }
})

it('a customer whose end is taken back has their code, or another one when it was taken meanwhile', async () => {
  const [kept, taken] = [
    await session('called', { code: "'111'", called_at: 'now()' }),
    await session('called', { code: "'222'", called_at: 'now()' }),
  ]
  for (const id of [kept, taken]) await moved(id, 'called', 'served')
  const other = await session('user_arrived', { code: "'222'" })
  for (const id of [kept, taken]) await undo(id, 2)
  const codes = new Map((await board()).completed.map(({ id, code }) => [id, code]))
  expect(codes.get(kept)).toBe('111')
  expect(codes.get(taken)).toMatch(/^\d{3}$/)
  expect(codes.get(taken)).not.toBe('222')
  expect((await board()).waiting).toMatchObject([{ id: other, code: '222' }])
})

it('a later call of another desk is not taken back', async () => {
  const id = await session('user_arrived')
  const first = await moved(id, 'user_arrived', 'called', 'Banco 1')
  await undo(id, first.version)
  await moved(id, 'user_arrived', 'called', 'Banco 2')
  const { version } = first
  for (const reply of [
    await undo(id, version),
    await post(id, 'status', { from: 'called', to: 'user_arrived', version, desk: 'Banco 1' }),
  ]) {
    expect(reply.json()).toMatchObject({
      code: 'priority.changed_meanwhile',
      error: 'Chiamato da Banco 2',
      details: { status: 'called', desk: 'Banco 2' },
    })
  }
})

it('what was done a while ago, by the customer, or before the order got another session, stays', async () => {
  const early = await session('called')
  const { version } = await moved(early, 'called', 'served')
  const past = "set status_changed_at = now() - interval '31 seconds'"
  await query(`update priority_access_sessions ${past} where id = $1`, [early])
  const byCustomer = await session('user_arrived')
  const cancelled = "set status = 'cancelled', ended_at = now(), changed_from = 'customer'"
  await query(`update priority_access_sessions ${cancelled} where id = $1`, [byCustomer])
  const replaced = await session('called')
  const { recordId } = await moved(replaced, 'called', 'served')
  await query(
    `insert into priority_access_sessions (pharmacy_id, airtable_order_id, expires_at) values ($1, $2, now())`,
    [pharmacyId, recordId],
  )
  for (const id of [early, byCustomer, replaced]) {
    expect((await undo(id, version)).statusCode).toBe(409)
  }
})

it('a customer who says where they wait can be called by those who have not read it yet', async () => {
  const id = await session('user_arrived')
  const said = "set place = 'In auto', version = version + 1"
  await query(`update priority_access_sessions ${said} where id = $1`, [id])
  const call = { from: 'user_arrived', to: 'called', version: 1, desk: null }
  expect((await post(id, 'status', call)).statusCode).toBe(200)
})

it('the board has those who were not there today, and puts them back where they were', async () => {
  const first = await session('user_arrived', {
    arrived_at: "now() - interval '8 minutes'",
    place: "'In auto'",
  })
  const second = await session('user_arrived')
  const { arrivedAt } = (await board()).waiting[0] ?? {}
  for (const id of [first, second]) await moved(id, 'user_arrived', 'link_sent')
  const long = "now() - interval '25 hours'"
  await session('link_sent', {
    times_not_present: '1',
    arrived_at: 'null',
    status_changed_at: long,
  })
  const ids = (sessions: PrioritySession[]) => sessions.map(({ id }) => id)
  expect(ids((await board()).sentBack)).toEqual([second, first])
  const back = await moved(first, 'link_sent', 'user_arrived')
  expect(back).toMatchObject({ arrivedAt, place: 'In auto', timesNotPresent: 1 })
  // Without a sound: the staff know.
  expect(back.acknowledgedAt).not.toBeNull()
  const shown = await board()
  expect([ids(shown.waiting), ids(shown.sentBack)]).toEqual([[first], [second]])
})

it('a customer who was served has collected the order, until that is taken back', async () => {
  const called = { called_at: 'now()', called_by: "'Banco 2'", airtable_order_id: "'recCOLLECTED'" }
  const id = await session('called', called)
  await query(
    `insert into pharmacy_orders (pharmacy_id, airtable_order_id, airtable_created, airtable_last, ready_at)
     values ($1, 'recCOLLECTED', now(), now(), now())`,
    [pharmacyId],
  )
  const order = () =>
    query(
      `select order_pickup(ready_at, collected_at, put_back_at) as pickup, changed_from as by from pharmacy_orders
       where pharmacy_id = $1`,
      [pharmacyId],
    )
  const { version } = await moved(id, 'called', 'served')
  expect(await order()).toEqual([{ pickup: 'collected', by: 'person' }])
  // A step of another desk, which is refused, changes nothing.
  expect((await undo(id, version - 1)).statusCode).toBe(409)
  expect(await order()).toEqual([{ pickup: 'collected', by: 'person' }])
  expect((await undo(id, version)).statusCode).toBe(200)
  expect(await order()).toEqual([{ pickup: 'ready', by: 'person' }])
})
