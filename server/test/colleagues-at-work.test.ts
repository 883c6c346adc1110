import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newAddress, newPharmacy } from './colleagues-server.ts'
import { type Caller, detailsOf } from './details-server.ts'
import { type PushServer, pushServer, seenBy } from './push-server.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

const Made = z.object({ id: z.string() })

let server: PushServer
let pharmacy: Awaited<ReturnType<typeof newPharmacy>>
let owner: Caller
let requests = 0

beforeAll(async () => {
  server = await pushServer()
})

beforeEach(async () => {
  pharmacy = await newPharmacy(server)
  owner = pharmacy.owner
})

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

async function call(headers: Caller, method: Method, url: string, payload?: object) {
  requests += 1
  const reply = await server.app.inject({
    method,
    url,
    headers: { ...headers, 'idempotency-key': `the-request-${requests}` },
    ...(payload && { payload }),
  })
  expect([url, reply.statusCode < 300, reply.body]).toEqual([url, true, reply.body])
  return reply
}

async function make(headers: Caller, url: string, payload: object): Promise<string> {
  return Made.parse((await call(headers, 'POST', url, payload)).json()).id
}

const makeOrder = (headers: Caller) =>
  make(headers, '/api/orders', { fields: { Cliente: 'Giulia', Ordine: 'Tachipirina' } })

const setStatus = (headers: Caller, recordId: string, Stato: string) =>
  call(headers, 'PATCH', `/api/airtable-orders/${recordId}`, { fields: { Stato } })

/** A signed-in colleague of the pharmacy. */
async function colleague(name = 'Anna Rossi') {
  const email = newAddress()
  const id = await server.addColleague({ email, pharmacyId: pharmacy.id, name })
  const { rows } = await query('select id from pharmacy_members where user_id = $1', id)
  return { id, memberId: Made.parse(rows[0]).id, email, headers: await server.signIn(email) }
}

/** The author of an order's latest event, as the caller reads it. */
async function lastBy(headers: Caller, recordId: string) {
  return (await detailsOf(server, recordId, headers)).history[0]?.who
}

describe('a colleague', () => {
  it.each([
    ['of the pharmacy alone', false, 1],
    ['who stays an administrator', true, 2],
  ])(
    '(%s) is told of new orders with the page closed, until they are removed',
    async (_who, isAdmin, subscriptions) => {
      const { id, headers, memberId } = await colleague()
      if (isAdmin) await server.addAdministrator({ id })
      const [device, of] = [await server.newDevice(headers), await server.newDevice(owner)]
      await server.ordersCome(pharmacy.id, 2)
      await server.jobsAreDone()
      const two = { kind: 'new-orders', count: 2 }
      expect([seenBy(device), seenBy(of)]).toEqual([[two], [two]])
      await call(owner, 'DELETE', `/api/colleagues/${memberId}`)
      await server.ordersCome(pharmacy.id, 1)
      await server.jobsAreDone()
      expect([seenBy(device), seenBy(of)]).toEqual([[two], [two, { ...two, count: 3 }]])
      const { rowCount } = await query(
        'select from push_subscriptions where pharmacy_id = $1',
        pharmacy.id,
      )
      expect(rowCount).toBe(subscriptions)
    },
  )

  it('is told nothing while the account of the pharmacy is shut out', async () => {
    const { headers } = await colleague()
    const device = await server.newDevice(headers)
    const actor = { actorId: null, address: '127.0.0.1', agent: null }
    const shutOut = (banDurationMs: number) =>
      server.auth.users.change(pharmacy.id, { banDurationMs }, actor)
    await shutOut(3_600_000)
    await server.ordersCome(pharmacy.id, 1)
    await server.jobsAreDone()
    expect(seenBy(device)).toEqual([])
    await shutOut(0)
    await server.ordersCome(pharmacy.id, 1)
    await server.jobsAreDone()
    expect(seenBy(device)).toEqual([{ kind: 'new-orders', count: 2 }])
  })

  it('changes orders and notes under their own name', async () => {
    const { headers } = await colleague()
    const recordId = await makeOrder(headers)
    const anna = { name: 'Anna Rossi', you: false, here: false }
    expect(await lastBy(owner, recordId)).toEqual(anna)
    await setStatus(headers, recordId, 'Confermato')
    expect(await lastBy(owner, recordId)).toEqual(anna)
    expect(await lastBy(headers, recordId)).toEqual({ ...anna, you: true, here: true })
    await call(headers, 'POST', '/api/orders/status', {
      changes: [{ recordId, Stato: 'Annullato' }],
    })
    expect(await lastBy(owner, recordId)).toEqual(anna)
    await setStatus(owner, recordId, 'Confermato')
    const own = { name: pharmacy.name, you: false, here: false }
    expect(await lastBy(headers, recordId)).toEqual(own)

    const notes = `/api/orders/${recordId}/notes`
    const noteId = await make(headers, notes, { text: 'Chiama domani' })
    const who = async (from: Caller) => (await detailsOf(server, recordId, from)).notes[0]?.who
    expect([await who(owner), await who(headers)]).toEqual([
      anna,
      { ...anna, you: true, here: true },
    ])
    await call(owner, 'PATCH', `${notes}/${noteId}`, { text: 'Chiama oggi' })
    expect(await who(headers)).toEqual(own)
    await call(headers, 'DELETE', `${notes}/${noteId}`)
    expect((await detailsOf(server, recordId, owner)).notes).toEqual([])
  })
})

describe('the history of an order', () => {
  const name = async (recordId: string) => (await lastBy(owner, recordId))?.name

  it('calls people as they are called now, and as they were called last', async () => {
    const { id, memberId, headers } = await colleague()
    const recordId = await makeOrder(owner)
    await setStatus(headers, recordId, 'Confermato')
    expect(await name(recordId)).toBe('Anna Rossi')
    await call(owner, 'PATCH', `/api/colleagues/${memberId}`, { name: 'Anna Bianchi' })
    expect(await name(recordId)).toBe('Anna Bianchi')
    const setOwn = (full_name: string) =>
      call(headers, 'PUT', '/auth/v1/user', { data: { full_name } })
    await setOwn('Annina')
    expect(await name(recordId)).toBe('Annina')
    // Without a name of their own, colleagues have the name in the pharmacy's list.
    await setOwn('  ')
    expect(await name(recordId)).toBe('Anna Bianchi')
    await setOwn('Annina')
    await call(owner, 'DELETE', `/api/colleagues/${memberId}`)
    expect(await lastBy(owner, recordId)).toEqual({ name: 'Annina', you: false, here: false })
    await query('delete from auth_users where id = $1', id)
    expect(await name(recordId)).toBe('Annina')
  })

  it('keeps the former name of a colleague who was invited again under another name', async () => {
    const first = await colleague('Anna')
    const recordId = await makeOrder(owner)
    await setStatus(first.headers, recordId, 'Confermato')
    await call(owner, 'DELETE', `/api/colleagues/${first.memberId}`)
    const id = await server.addUser(first.email)
    await query(
      "insert into pharmacy_members (pharmacy_id, user_id, name, role) values ($1, $2, 'Bruno', 'staff')",
      pharmacy.id,
      id,
    )
    expect(await name(recordId)).toBe('Anna')
    await setStatus(await server.signIn(first.email), recordId, 'Annullato')
    expect(await name(recordId)).toBe('Bruno')
  })

  it('calls the own account by the name of the pharmacy, as long as it has none of its own', async () => {
    const recordId = await makeOrder(owner)
    expect(await name(recordId)).toBe(pharmacy.name)
    await query("update pharmacies set name = 'Farmacia Nuova' where id = $1", pharmacy.id)
    expect(await name(recordId)).toBe('Farmacia Nuova')
    await call(owner, 'PUT', '/auth/v1/user', { data: { full_name: 'Dott. Verdi' } })
    expect(await name(recordId)).toBe('Dott. Verdi')
  })

  it('does not name a colleague of one pharmacy in another', async () => {
    const there = await newPharmacy(server)
    const { id } = await colleague()
    const recordId = await makeOrder(there.owner)
    await query('delete from auth_users where id = $1', id)
    await query(
      'update pharmacy_orders set made_by = $1 where airtable_order_id = $2',
      id,
      recordId,
    )
    expect(await lastBy(there.owner, recordId)).toBeNull()
  })
})
