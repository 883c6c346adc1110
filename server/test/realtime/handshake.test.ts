import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { beforeCacheEnds } from '../before-cache-ends.ts'
import { testAuth } from '../server.ts'
import { newPharmacy, realtimeServer } from './servers.ts'
import { handshake, rawSocket } from './sockets.ts'

const HOUR = 3_600_000
const path = '/realtime/v1/websocket'
const wanted = `${path}?apikey=bancone&vsn=2.0.0`

let ahead = 0
const server = await realtimeServer({
  publicUrl: 'https://bancone.example.it',
  auth: { ...testAuth, origins: ['https://other.example.it'] },
  realtime: { limits: { connections: 3 } },
  clock: { now: () => Date.now() + ahead },
})

async function refused(asked: ReturnType<typeof handshake>) {
  const { status, body } = await asked
  expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(/\w/) as string })
  return status
}

describe('the handshake', () => {
  it('needs a key, which says nothing', async () => {
    expect((await handshake(server, wanted)).status).toBe(101)
    expect((await handshake(server, `${path}?apikey=anything`)).status).toBe(101)
    expect(await refused(handshake(server, path))).toBe(401)
    expect(await refused(handshake(server, `${path}?apikey=`))).toBe(401)
    expect(await refused(handshake(server, `${path}?apikey=${'x'.repeat(201)}`))).toBe(401)
    expect(await refused(handshake(server, `${path}?apikey=a&apikey=b`))).toBe(401)
  })

  it('takes a token as the key, if it is good', async () => {
    const { token, id } = await newPharmacy(server)
    const withKey = (key: string) => `${path}?vsn=1.0.0&apikey=${key}`
    expect((await handshake(server, withKey(token))).status).toBe(101)
    expect(await refused(handshake(server, withKey(`${token.slice(0, -4)}AAAA`)))).toBe(401)
    expect(await refused(handshake(server, withKey('a.b.c')))).toBe(401)
    ahead = HOUR + 1_000
    expect(await refused(handshake(server, withKey(token)))).toBe(401)
    ahead = 0
    await server.database.pool.query('delete from auth_sessions where user_id = $1', [id])
    await vi.waitFor(
      async () => expect((await handshake(server, withKey(token))).status).toBe(401),
      beforeCacheEnds,
    )
  })

  it('is for versions 1 and 2', async () => {
    expect((await handshake(server, `${path}?apikey=bancone&vsn=1.0.0`)).status).toBe(101)
    expect(await refused(handshake(server, `${path}?apikey=bancone&vsn=3.0.0`))).toBe(400)
  })

  it('is for pages of our own, and of those that may', async () => {
    const from = async (origin: string) => handshake(server, wanted, { origin })
    expect((await from('https://bancone.example.it')).status).toBe(101)
    expect((await from('https://other.example.it')).status).toBe(101)
    expect((await from(`http://127.0.0.1:${server.port}`)).status).toBe(101)
    expect(await refused(from('https://evil.example.it'))).toBe(403)
    expect(await refused(from('https://bancone.example.it.evil.it'))).toBe(403)
    expect(await refused(from('null'))).toBe(403)
  })

  it('is given to so many of one address, and to the next when one has gone', async () => {
    const open = await Promise.all([1, 2, 3].map(() => rawSocket(server)))
    expect(await refused(handshake(server, wanted))).toBe(429)
    open[0]?.socket.close()
    await vi.waitFor(async () => expect((await handshake(server, wanted)).status).toBe(101))
  })

  it('is offered at one place', async () => {
    for (const other of ['/', '/api/pharmacy', '/realtime/v1/other', `${path}/x`]) {
      expect((await handshake(server, other)).status, other).toBe(404)
    }
  })

  it('is not needed by those who ask for another protocol, or for none', async () => {
    const upgrade = { upgrade: 'h2c' }
    expect((await handshake(server, '/healthz', upgrade)).status).toBe(200)
    expect((await fetch(server.origin + wanted)).status).toBe(426)
  })

  it.each([
    ['websocket', wanted],
    ['websocket', '/elsewhere'],
    ['h2c', '/healthz'],
  ])(
    'to %s at %s, before another answer is given, ends that connection alone',
    async (upgrade, at) => {
      const asked = [
        'GET /readyz HTTP/1.1\r\nHost: here\r\n\r\n',
        `GET ${at} HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`,
      ]
      const caller = connect(server.port, '127.0.0.1')
      caller.write(asked.join(''))
      caller.resume()
      await once(caller, 'close')
      expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
    },
  )

  it('that is refused leaves no connection behind', async () => {
    const connections = () =>
      new Promise<number>((resolve) => {
        server.app.server.getConnections((_error, count) => resolve(count))
      })
    const before = await connections()
    const caller = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => void caller.destroy())
    caller.write(
      'GET /elsewhere HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
    caller.resume()
    await once(caller, 'end')
    await vi.waitFor(async () => expect(await connections()).toBe(before))
  })
})
