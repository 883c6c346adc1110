import Fastify from 'fastify'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { atEnd } from '../../test/at-end.ts'
import { rawConnection } from '../../test/raw-connection.ts'
import { limitPublicBodies } from '../platform/request-bodies.ts'

let port: number

beforeAll(async () => {
  const app = Fastify({ trustProxy: true, bodyLimit: 2_000 })
  const isAuthenticated = ({ headers }: { headers: object }) => 'authorization' in headers
  limitPublicBodies(app, isAuthenticated, { ofAll: 3_000, ofNetwork: 2_000 })
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post('/', async (request) => `took ${String(request.body).length}`)
  atEnd(() => app.close())
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})

type Sent = { length?: number; sent: number; more?: string }

/** A request of a client of the network, of whose body some bytes are sent. */
async function post(network: string, { length, sent, more = '' }: Sent) {
  const { socket, received } = await rawConnection(port)
  const size = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  const fields = ['Host: here', 'Content-Type: x/y', `X-Forwarded-For: ${network}`, size]
  socket.write(`POST / HTTP/1.1\r\n${more}${fields.join('\r\n')}\r\n\r\n`)
  const send = (bytes: number) => {
    const body = 'x'.repeat(bytes)
    socket.write(length === undefined ? `${bytes.toString(16)}\r\n${body}\r\n` : body)
  }
  send(sent)
  const answered = () => vi.waitFor(() => expect(received()).toMatch(/^HTTP/))
  return { socket, send, status: () => answered().then(() => received().slice(9, 12)) }
}

const whole = (length: number) => ({ length, sent: length })

describe('bodies of callers without a session', () => {
  it('take a bounded room together, and in one network', async () => {
    const first = await post('10.0.0.1', { length: 1_800, sent: 1_500 })
    // Answered after the first one has arrived, since both take the same loop of events.
    expect(await (await post('10.0.0.2', whole(100))).status()).toBe('200')
    // Announced, and counted while it arrives.
    const announced = await post('10.0.0.1', { length: 600, sent: 0 })
    expect(await announced.status()).toBe('503')
    await vi.waitUntil(() => announced.socket.destroyed)
    expect(await (await post('10.0.0.1', { sent: 600 })).status()).toBe('503')
    expect(await (await post('10.0.0.2', { length: 1_700, sent: 1_700 })).status()).toBe('503')

    const signedIn = { more: 'Authorization: x\r\n' }
    expect(await (await post('10.0.0.1', { ...whole(1_900), ...signedIn })).status()).toBe('200')

    first.send(300)
    expect(await first.status()).toBe('200')
    expect(await (await post('10.0.0.1', whole(1_900))).status()).toBe('200')
    // As before, and not for want of room.
    expect(await (await post('10.0.0.1', { length: 5_000, sent: 0 })).status()).toBe('413')
  })

  it('leave their room when the client is gone', async () => {
    const gone = await post('10.0.0.3', { length: 1_900, sent: 1_800 })
    await vi.waitFor(async () =>
      expect(await (await post('10.0.0.3', { length: 400, sent: 0 })).status()).toBe('503'),
    )
    gone.socket.destroy()
    await vi.waitFor(async () =>
      expect(await (await post('10.0.0.3', whole(400))).status()).toBe('200'),
    )
  })
})
