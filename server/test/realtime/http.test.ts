import { describe, expect, it } from 'vitest'
import { testAuth } from '../server.ts'
import { clientOf, forgetWarnings, type Joined, join, until } from './clients.ts'
import { anotherServer, newPharmacy, realtimeServer } from './servers.ts'

const adminKey = 'a key of the tests for other servers'.replaceAll(' ', '-')

const server = await realtimeServer({
  auth: { ...testAuth, adminKey, origins: ['https://other.example.it'] },
})
const pharmacy = await newPharmacy(server)
const other = await newPharmacy(server)

async function screen(): Promise<Joined> {
  return join(await clientOf(server, { token: pharmacy.token }), pharmacy.topic)
}

/** After the reply to a heartbeat, everything before it has arrived. */
async function heardBy(one: Joined): Promise<Joined['broadcasts']> {
  await server.realtime.publish({ topic: pharmacy.topic, event: 'last', payload: {} })
  await until(() => one.broadcasts.at(-1)?.event === 'last', 'the last')
  return one.broadcasts.slice(0, -1)
}

const message = { topic: '', event: 'news', payload: { n: 1 }, private: true }

async function post(
  path: string,
  { token, headers, body }: { token?: string; headers?: Record<string, string>; body?: unknown },
) {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const reply = await fetch(`${server.origin}/realtime/v1/api/broadcast${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: text,
  })
  const answer = await reply.text()
  if (reply.status !== 202)
    expect(JSON.parse(answer)).toEqual({ error: expect.any(String) as string })
  return reply.status
}

const tell = (token: string | undefined, given: object = {}, headers = {}) =>
  post('', {
    ...(token && { token }),
    headers,
    body: { messages: [{ ...message, topic: pharmacy.topic, ...given }] },
  })

describe('without a socket', () => {
  it('a screen that has not joined can tell the others', async () => {
    const one = await screen()
    const client = await clientOf(server, { token: pharmacy.token })
    const channel = client.channel(pharmacy.topic, { config: { private: true } })
    const news = { type: 'broadcast', event: 'news', payload: { n: 1 } } as const
    expect(await channel.send(news)).toBe('ok')
    expect(await heardBy(one)).toEqual([{ event: 'news', payload: { n: 1 } }])

    const stranger = await clientOf(server, { token: other.token })
    const theirs = stranger.channel(pharmacy.topic, { config: { private: true } })
    expect(await theirs.send(news)).toBe('error')
    const open = client.channel('public', { config: { private: false } })
    expect(await open.send(news)).toBe('error')
    forgetWarnings()
  })

  it('it can also ask for that by name', async () => {
    const one = await screen()
    const client = await clientOf(server, { token: pharmacy.token })
    const channel = client.channel(pharmacy.topic, { config: { private: true } })
    expect(await channel.httpSend('news', { n: 2 })).toEqual({ success: true })
    expect(await channel.httpSend('bytes', Uint8Array.from([0, 1, 255]))).toEqual({ success: true })
    const [first, second] = await heardBy(one)
    expect(first).toEqual({ event: 'news', payload: { n: 2 } })
    expect(new Uint8Array(second?.payload as ArrayBuffer)).toEqual(Uint8Array.from([0, 1, 255]))

    const stranger = await clientOf(server, { token: other.token })
    const theirs = stranger.channel(pharmacy.topic, { config: { private: true } })
    await expect(theirs.httpSend('news', {})).rejects.toThrow('Unauthorized')
  })

  it('another server with the key can tell everybody', async () => {
    const one = await screen()
    const client = await clientOf(server, { key: adminKey })
    const channel = client.channel(pharmacy.topic, { config: { private: true } })
    const news = { type: 'broadcast', event: 'news', payload: { n: 3 } } as const
    expect(await channel.send(news)).toBe('ok')
    expect(await heardBy(one)).toEqual([{ event: 'news', payload: { n: 3 } }])
    forgetWarnings()
  })
})

describe('telling by HTTP', () => {
  it('is for the key and for those who may write', async () => {
    expect(await tell(adminKey)).toBe(202)
    expect(await tell(pharmacy.token)).toBe(202)
    expect(await tell(undefined, {}, { apikey: adminKey })).toBe(202)
    expect(await tell(other.token)).toBe(403)
    expect(await tell(undefined)).toBe(401)
    expect(await tell('bancone')).toBe(401)
    expect(await tell(`${adminKey}x`)).toBe(401)
    expect(await tell(`${pharmacy.token.slice(0, -4)}AAAA`)).toBe(401)
    const email = 'nobody@example.it'
    await server.addUser(email)
    const { authorization } = await server.signIn(email)
    expect(await tell(authorization.replace('Bearer ', ''))).toBe(403)
  })

  it('with the key is not for browsers', async () => {
    const origin = 'https://bancone.example.it'
    expect(await tell(adminKey, {}, { origin })).toBe(403)
    expect(await tell(adminKey, {}, { 'user-agent': 'Mozilla/5.0' })).toBe(403)
    expect(await tell(pharmacy.token, {}, { origin })).toBe(202)
  })

  it('is all or nothing', async () => {
    const one = await screen()
    const messages = [pharmacy.topic, other.topic].map((topic) => ({ ...message, topic }))
    expect(await post('', { token: pharmacy.token, body: { messages } })).toBe(403)
    expect(await heardBy(one)).toEqual([])
    expect(await post('', { token: adminKey, body: { messages } })).toBe(202)
    expect(await heardBy(one)).toHaveLength(2)
  })

  it('is for private topics and for what is well formed', async () => {
    expect(await tell(adminKey, { private: false })).toBe(403)
    expect(await tell(adminKey, { private: undefined })).toBe(403)
    expect(await tell(adminKey, { topic: '' })).toBe(400)
    expect(await tell(adminKey, { event: 'a\u0000b' })).toBe(400)
    expect(await tell(adminKey, { event: 'x'.repeat(201) })).toBe(400)
    expect(await post('', { token: adminKey, body: '{' })).toBe(400)
    expect(await post('', { token: adminKey, body: {} })).toBe(400)
    expect(await post('', { token: adminKey, body: { messages: [] } })).toBe(400)
    expect(await post('/nowhere', { token: adminKey, body: {} })).toBe(404)
    const path = `/${encodeURIComponent(pharmacy.topic)}/events/news`
    expect(await post(path, { token: adminKey, body: {} })).toBe(403)
    expect(await post(`${path}?private=true`, { token: adminKey, body: {} })).toBe(202)
    const headers = { 'content-type': 'text/plain' }
    expect(await post(`${path}?private=true`, { token: adminKey, headers, body: 'x' })).toBe(415)
  })

  it('has the bounds that frames have', async () => {
    const text = 'x'.repeat(1024 * 1024 + 1)
    expect(await tell(pharmacy.token, { payload: { text } })).toBe(413)
    const path = `/${encodeURIComponent(pharmacy.topic)}/events/news?private=true`
    const headers = { 'content-type': 'application/octet-stream' }
    expect(await post(path, { token: pharmacy.token, headers, body: text })).toBe(413)
    const strict = await anotherServer(server.database, {
      realtime: { limits: { messagesPerSecond: 2 } },
    })
    const { origin } = server
    server.origin = strict.origin
    const statuses = []
    for (let n = 0; n < 10; n += 1) statuses.push(await tell(pharmacy.token))
    server.origin = origin
    expect(statuses[0]).toBe(202)
    expect(statuses.at(-1)).toBe(429)
  })

  it('may be asked by pages of other sites that may', async () => {
    const ask = (origin: string) =>
      fetch(`${server.origin}/realtime/v1/api/broadcast`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,apikey,content-type',
        },
      })
    const allowed = await ask('https://other.example.it')
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://other.example.it')
    const refused = await ask('https://evil.example.it')
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
  })
})
