import { describe, expect, it } from 'vitest'
import { addFactor, elevateSession } from '../second-factor.ts'
import { clientOf, type Joined, join, refusal, until } from './clients.ts'
import {
  anotherServer,
  insertOrder,
  type Listening,
  newPharmacy,
  type Pharmacy,
  realtimeServer,
  tokenOf,
} from './servers.ts'

const HOUR = 3_600_000

let people = 0

// Rechecks by the clock are disabled: channels end by notifications only.
const realtime = { timing: { sweepInterval: 20, retryDelay: 50, recheckInterval: 24 * HOUR } }
const server = await realtimeServer({ realtime })
const another = await anotherServer(server.database, { lasts: 'file' })

type Person = { id: string; token: string }

async function colleague({ id: pharmacyId }: Pharmacy): Promise<Person> {
  people += 1
  const email = `collega${people}@example.it`
  const id = await server.addColleague({ email, pharmacyId })
  return { id, token: await tokenOf(server, email) }
}

const screen = async (token: string, { topic }: Pharmacy, at: Listening = server) =>
  join(await clientOf(at, { token }), topic)

async function shutOut({ states, system }: Joined): Promise<string> {
  await until(() => states.includes('CLOSED'), 'its end')
  expect(states).toEqual(['SUBSCRIBED', 'CLOSED'])
  return system.join()
}

async function isThere({ broadcasts }: Joined, { topic }: Pharmacy): Promise<void> {
  const event = `still there ${broadcasts.length}`
  await server.realtime.publish({ topic, event, payload: {} })
  await until(() => broadcasts.some((one) => one.event === event), event)
}

describe('the line of a colleague', () => {
  it('is that of their pharmacy, in every process', async () => {
    const pharmacy = await newPharmacy(server)
    const { token } = await colleague(pharmacy)
    const screens = await Promise.all([
      screen(token, pharmacy),
      screen(token, pharmacy, another),
      screen(pharmacy.token, pharmacy),
    ])
    await insertOrder(server, pharmacy.id)
    for (const { broadcasts } of screens) {
      await until(() => broadcasts.some(({ event }) => event === 'orders'), 'the order')
      expect(broadcasts).toContainEqual({ event: 'orders', payload: {} })
    }
  })

  it('is neither one of their own nor that of another pharmacy', async () => {
    const [pharmacy, other] = [await newPharmacy(server), await newPharmacy(server)]
    const { id, token } = await colleague(pharmacy)
    for (const topic of [`pharmacy:${id}`, other.topic]) {
      const client = await clientOf(server, { token })
      expect(await refusal(client, topic)).toContain('Unauthorized: ')
    }
  })

  it.each([
    ['their pharmacy is closed', 'update pharmacies set is_active = false where id = $2', 'theirs'],
    [
      'the account of their pharmacy is closed',
      'update auth_users set deleted_at = now() where id = $2',
      'theirs',
    ],
    [
      'the account of their pharmacy is shut out',
      "update auth_users set banned_until = now() + interval '1 day' where id = $2",
      'theirs',
    ],
    ['their pharmacy is gone', 'delete from auth_users where id = $2', 'theirs'],
    ['their account is closed', 'update auth_users set deleted_at = now() where id = $1', ''],
    [
      'they are shut out',
      "update auth_users set banned_until = now() + interval '1 day' where id = $1",
      '',
    ],
  ])('ends at once when %s', async (_when, change, whose) => {
    const pharmacy = await newPharmacy(server)
    const person = await colleague(pharmacy)
    const theirs = await screen(person.token, pharmacy, another)
    const owners = await screen(pharmacy.token, pharmacy)
    const text = `with given as (select $1::uuid, $2::uuid) ${change}`
    await server.database.pool.query(text, [person.id, pharmacy.id])
    expect(await shutOut(theirs)).not.toBe('')
    if (whose === 'theirs') await shutOut(owners)
    else await isThere(owners, pharmacy)
  })

  it('ends at once when they are removed, and those who stay are told of that and of a new role', async () => {
    const pharmacy = await newPharmacy(server)
    const person = await colleague(pharmacy)
    const owners = await screen(pharmacy.token, pharmacy)
    const theirs = await screen(person.token, pharmacy, another)
    const { rows } = await server.database.pool.query<{ id: string }>(
      'select id from pharmacy_members where user_id = $1',
      [person.id],
    )
    const ask = async (method: 'PATCH' | 'DELETE', payload?: object) => {
      const url = `/api/colleagues/${rows[0]?.id}`
      const headers = { authorization: `Bearer ${pharmacy.token}` }
      const reply = await server.app.inject({ method, url, headers, ...(payload && { payload }) })
      expect(reply.statusCode, reply.body).toBe(200)
    }
    const told = ({ broadcasts }: Joined) =>
      broadcasts.filter(({ event }) => event === 'pharmacy').length
    await ask('PATCH', { role: 'owner' })
    for (const one of [owners, theirs]) await until(() => told(one) === 1, 'the role')
    await ask('DELETE')
    await shutOut(theirs)
    await until(() => told(owners) === 2, 'the removal')
    expect(owners.states).toEqual(['SUBSCRIBED'])
  })

  it('tells the pharmacy that an invited colleague has signed in', async () => {
    const pharmacy = await newPharmacy(server)
    const { broadcasts } = await screen(pharmacy.token, pharmacy)
    const told = () => broadcasts.filter(({ event }) => event === 'pharmacy').length
    const { id } = await colleague(pharmacy)
    await until(() => told() === 1, 'the invitation')
    const { pool } = server.database
    await pool.query('update auth_users set email_confirmed_at = null where id = $1', [id])
    await pool.query('update auth_users set email_confirmed_at = now() where id = $1', [id])
    await until(() => told() === 2, 'the change')
  })
})

describe('a line', () => {
  it('ends at once when its user gets a second factor that it was not opened with', async () => {
    const pharmacy = await newPharmacy(server)
    const person = await colleague(pharmacy)
    const one = await screen(person.token, pharmacy)
    const owners = await screen(pharmacy.token, pharmacy)
    await addFactor(server.database, person.id)
    expect(await shutOut(one)).toContain('access token')
    await isThere(owners, pharmacy)
    const client = await clientOf(server, { token: person.token })
    expect(await refusal(client, pharmacy.topic)).toContain('Unauthorized: ')
    const headers = { authorization: `Bearer ${person.token}` }
    await elevateSession(server.database, headers)
    const ask = async () => (await server.app.inject({ url: '/api/pharmacy', headers })).statusCode
    await expect.poll(ask, { timeout: 2_000 }).toBe(200)
    await isThere(await screen(headers.authorization.slice(7), pharmacy), pharmacy)
  })

  it('ends at once when its session falls below the level that it was opened with', async () => {
    const pharmacy = await newPharmacy(server)
    const person = await colleague(pharmacy)
    const factor = await addFactor(server.database, person.id)
    await addFactor(server.database, person.id)
    const headers = { authorization: `Bearer ${person.token}` }
    await elevateSession(server.database, headers)
    const token = headers.authorization.slice(7)
    const one = await screen(token, pharmacy)
    const { pool } = server.database
    await pool.query("update auth_sessions set aal = 'aal1' where user_id = $1", [person.id])
    expect(await shutOut(one)).toContain('access token')
    // The remaining factor still requires aal2.
    await pool.query('delete from auth_factors where id = $1', [factor])
    const client = await clientOf(server, { token })
    expect(await refusal(client, pharmacy.topic)).toContain('Unauthorized: ')
  })
})
