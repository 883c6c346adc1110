import { describe, expect, it } from 'vitest'
import { clientOf, join, KEY, open, refusal, until } from './clients.ts'
import { newPharmacy, realtimeServer } from './servers.ts'

const HOUR = 3_600_000

let ahead = 0
const server = await realtimeServer({ clock: { now: () => Date.now() + ahead } })
const pharmacy = await newPharmacy(server)

describe('joining', () => {
  const client = (token: string | null, key = KEY) => clientOf(server, { token, key })

  it('is for the pharmacy whose topic it is', async () => {
    const { states } = await join(await client(pharmacy.token), pharmacy.topic)
    expect(states).toEqual(['SUBSCRIBED'])
  })

  it('works with the token as the key', async () => {
    const { states } = await join(await client(null, pharmacy.token), pharmacy.topic)
    expect(states).toEqual(['SUBSCRIBED'])
  })

  it('is not for another pharmacy', async () => {
    const other = await newPharmacy(server)
    expect(await refusal(await client(other.token), pharmacy.topic)).toContain(
      `Unauthorized: You do not have permissions to read from this Channel topic: ${pharmacy.topic}`,
    )
  })

  it('needs a token', async () => {
    expect(await refusal(await client(null), pharmacy.topic)).toContain('Unauthorized: ')
    expect(await refusal(await client('not a token'), pharmacy.topic)).toContain('Unauthorized: ')
  })

  it('needs one that was not tampered with', async () => {
    const [head, payload = '', signature] = pharmacy.token.split('.')
    const other = await newPharmacy(server)
    const [, otherPayload] = other.token.split('.')
    const forged = [head, otherPayload, signature].join('.')
    expect(await refusal(await client(forged), other.topic)).toContain('Unauthorized: ')
    const none = [btoa('{"alg":"none","typ":"JWT"}').replaceAll('=', ''), payload, 'x'].join('.')
    expect(await refusal(await client(none), pharmacy.topic)).toContain('Unauthorized: ')
  })

  it('needs one that has not expired', async () => {
    const late = await newPharmacy(server)
    const one = await client(late.token)
    ahead = HOUR + 1_000
    try {
      expect(await refusal(one, late.topic)).toContain('Unauthorized: ')
    } finally {
      ahead = 0
    }
  })

  it('is over with the session', async () => {
    const gone = await newPharmacy(server)
    await server.database.pool.query('delete from auth_sessions where user_id = $1', [gone.id])
    expect(await refusal(await client(gone.token), gone.topic)).toContain('Unauthorized: ')
  })

  it('is for private channels and for what is offered', async () => {
    const one = await client(pharmacy.token)
    expect(await refusal(one, pharmacy.topic, { private: false })).toContain(
      'PrivateOnly: This project only allows private channels',
    )
    const other = await client(pharmacy.token)
    const channel = other.channel(pharmacy.topic, { config: { private: true } })
    const errors: string[] = []
    channel
      .on('postgres_changes', { event: '*', schema: 'public' }, () => {})
      .subscribe((_state, error) => void errors.push(error?.message ?? ''))
    await until(() => errors.length > 0, 'a refusal')
    expect(errors[0]).toContain('PostgresChangesNotOffered')
  })

  it('may be done again after leaving', async () => {
    const one = await client(pharmacy.token)
    const first = await join(one, pharmacy.topic)
    expect(await first.channel.unsubscribe()).toBe('ok')
    expect(first.states).toEqual(['SUBSCRIBED', 'CLOSED'])
    const second = await join(one, pharmacy.topic)
    await server.realtime.publish({ topic: pharmacy.topic, event: 'e', payload: {} })
    await until(() => second.broadcasts.length > 0, 'the event')
    expect(first.broadcasts).toEqual([])
    expect(second.states).toEqual(['SUBSCRIBED'])
  })

  it('is tried again by itself after a refusal', async () => {
    const one = await client(null)
    const { states } = open(one, pharmacy.topic)
    await until(() => states.includes('CHANNEL_ERROR'), 'a refusal')
    await one.setAuth(pharmacy.token)
    await until(() => states.includes('SUBSCRIBED'), 'the join')
  })

  it('lasts as long as heartbeats are answered', async () => {
    const one = await client(pharmacy.token)
    const { states } = await join(one, pharmacy.topic)
    for (let n = 0; n < 5; n += 1) {
      await one.sendHeartbeat()
      expect(one.pendingHeartbeatRef).not.toBeNull()
      await until(() => one.pendingHeartbeatRef === null, 'the answer to a heartbeat')
    }
    expect(states).toEqual(['SUBSCRIBED'])
  })
})
