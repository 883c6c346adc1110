import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { connectDatabase } from '../../src/database/database.ts'
import { breakableConnection } from '../breakable-connection.ts'
import { clientOf, type Joined, join, until } from './clients.ts'
import { anotherServer, newPharmacy, type Pharmacy, realtimeServer, tokenOf } from './servers.ts'

const HOUR = 3_600_000

let ahead = 0
const clock = { now: () => Date.now() + ahead }
const timing = { sweepInterval: 20, retryDelay: 50, recheckInterval: 24 * HOUR }
const server = await realtimeServer({ clock, realtime: { timing } })

async function screen(pharmacy: Pharmacy, at = server) {
  const client = await clientOf(at, { token: pharmacy.token })
  return { client, ...(await join(client, pharmacy.topic)) }
}

/** The system message of a channel that the server closed. */
async function shutOut({ states, system }: Joined): Promise<string> {
  await until(() => states.includes('CLOSED'), 'its end')
  expect(states).toEqual(['SUBSCRIBED', 'CLOSED'])
  expect(system).toHaveLength(1)
  return system[0] ?? ''
}

async function isThere({ broadcasts }: Joined, { topic }: Pharmacy): Promise<void> {
  const event = `still there ${broadcasts.length}`
  await server.realtime.publish({ topic, event, payload: {} })
  await until(() => broadcasts.some((one) => one.event === event), event)
}

const signOut = (token: string) =>
  fetch(`${server.origin}/auth/v1/logout?scope=local`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })

describe('a channel', () => {
  it('goes on with a new token when the old one expires', async () => {
    const pharmacy = await newPharmacy(server)
    const one = await screen(pharmacy)
    const old = await screen(pharmacy)
    try {
      ahead = HOUR / 2
      await one.client.setAuth(await tokenOf(server, pharmacy.email))
      await isThere(one, pharmacy)
      // Accepting a token has no acknowledgement.
      await pause(1_000)
      ahead = HOUR + 1_000
      expect(await shutOut(old)).toContain('expired')
      await isThere(one, pharmacy)
      expect(one.states).toEqual(['SUBSCRIBED'])
    } finally {
      ahead = 0
    }
  })

  it('ends when the new token is not good', async () => {
    const pharmacy = await newPharmacy(server)
    const [one, two] = [await screen(pharmacy), await screen(pharmacy)]
    const other = await newPharmacy(server)
    await one.client.setAuth(other.token)
    expect(await shutOut(one)).toContain('You do not have permissions')
    const revoked = await tokenOf(server, pharmacy.email)
    await signOut(revoked)
    await two.client.setAuth(revoked)
    expect(await shutOut(two)).toContain('session has ended')
  })

  it('does not mind tokens that say nothing new', async () => {
    const pharmacy = await newPharmacy(server)
    const one = await screen(pharmacy)
    for (const token of [pharmacy.token, null, 'sb_publishable_key', 'bancone']) {
      // No response is sent.
      void one.channel.send({
        type: 'access_token' as 'broadcast',
        event: 'x',
        access_token: token,
      })
      await isThere(one, pharmacy)
    }
    expect(one.states).toEqual(['SUBSCRIBED'])
  })

  it('ends at once with its session, in every process, and no other does', async () => {
    const pharmacy = await newPharmacy(server)
    const another = await anotherServer(server.database)
    const here = await screen(pharmacy)
    const there = await join(await clientOf(another, { token: pharmacy.token }), pharmacy.topic)
    const token = await tokenOf(server, pharmacy.email)
    const stays = await screen({ ...pharmacy, token })
    await signOut(pharmacy.token)
    expect(await shutOut(here)).toContain('session has ended')
    expect(await shutOut(there)).toContain('session has ended')
    await isThere(stays, pharmacy)
    expect(stays.states).toEqual(['SUBSCRIBED'])
  })
})

describe('a look at all channels', () => {
  it('is taken five minutes after the one before, by the clock', async () => {
    let later = 0
    const watched = await realtimeServer({
      clock: { now: () => Date.now() + later },
      realtime: { timing: { sweepInterval: 20, retryDelay: 50 } },
    })
    const own = await newPharmacy(watched)
    const one = await join(await clientOf(watched, { token: own.token }), own.topic)
    const { pool } = watched.database
    await pool.query('alter table pharmacies disable trigger all')
    await pool.query('update pharmacies set is_active = false where id = $1', [own.id])
    watched.sessions.invalidate(own.id)
    later = HOUR / 12 - 30_000
    await pause(200)
    expect(one.states).toEqual(['SUBSCRIBED'])
    later = HOUR / 12
    expect(await shutOut(one)).toContain('You do not have permissions')
  })

  it('is taken when the end of sessions could not be told one by one', async () => {
    const pharmacy = await newPharmacy(server)
    const one = await screen(pharmacy)
    const tokens = await server.database.pool.query(
      `insert into auth_sessions (id, user_id) select gen_random_uuid(), $1 from generate_series(1, 200)`,
      [pharmacy.id],
    )
    expect(tokens.rowCount).toBe(200)
    await server.database.pool.query('delete from auth_sessions where user_id = $1', [pharmacy.id])
    expect(await shutOut(one)).toContain('session has ended')
  })

  it('closes no channel while the database is away, and those of ended sessions when it is back', async () => {
    let looks = 0
    const write = (text: string) => {
      if (text.includes('is not known just now')) looks += 1
    }
    const log = pino({ level: 'debug' }, { write })
    const line = await breakableConnection(server.database.url)
    const connection = connectDatabase(line.url)
    const far = await anotherServer(
      { ...connection, url: line.url },
      { log, realtime: { timing: { ...timing, recheckInterval: 100 } } },
    )
    const [good, bad] = [await newPharmacy(server), await newPharmacy(server)]
    const channels = await Promise.all(
      [good, bad].map(async ({ token, topic }) => join(await clientOf(far, { token }), topic)),
    )
    line.down(true)
    await signOut(bad.token)
    await until(() => looks > 4, 'looks in vain')
    expect(channels.map(({ states }) => states)).toEqual([['SUBSCRIBED'], ['SUBSCRIBED']])
    line.down(false)
    const [stays, goes] = channels
    if (!stays || !goes) throw new Error('there are two')
    expect(await shutOut(goes)).toContain('session has ended')
    expect(stays.states).toEqual(['SUBSCRIBED'])
    await far.stop()
    await connection.close()
  })
})
