import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { until } from './clients.ts'
import { anotherServer, newPharmacy, realtimeServer } from './servers.ts'
import { rawSocket } from './sockets.ts'

const server = await realtimeServer()

const join = (topic: string, token: string, ref = '1') => [
  ref,
  ref,
  `realtime:${topic}`,
  'phx_join',
  { config: { private: true, presence: { enabled: false } }, access_token: token },
]

const ok = (ref: string, topic: string, response = {}) => [
  ref,
  ref,
  `realtime:${topic}`,
  'phx_reply',
  { status: 'ok', response },
]

async function joined() {
  const { topic, token } = await newPharmacy(server)
  const raw = await rawSocket(server)
  raw.send(join(topic, token))
  await until(() => raw.frames.length > 0, 'the join')
  expect(raw.frames).toEqual([ok('1', topic, { postgres_changes: [] })])
  return { ...raw, topic, token }
}

describe('a socket', () => {
  it.each([
    ['no JSON', '{'],
    ['no frame', '"hello"'],
    [
      'a frame of another version',
      '{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"1"}',
    ],
    ['half a frame', '[null,"1","phoenix"]'],
    ['a ref that is none', '[null,{},"phoenix","heartbeat",{}]'],
    ['a binary frame of an unknown kind', Buffer.from([9, 1, 1, 1, 1, 0, 1])],
    ['a binary frame that ends too early', Buffer.from([3, 1, 1, 200, 200, 0, 1, 49])],
    ['a binary frame that is no JSON inside', Buffer.from([3, 0, 0, 1, 1, 0, 1, 97, 98, 123])],
    ['an empty binary frame', Buffer.alloc(0)],
    ['text that is no text', Buffer.from([0xc3, 0x28])],
  ])('that says %s is closed', async (what, frame) => {
    const { socket, closed } = await rawSocket(server)
    socket.send(frame, { binary: typeof frame !== 'string' && !what.startsWith('text') })
    expect(await closed).toBe(1007)
  })

  it('that sends a frame of more than a megabyte is closed, and one of less is not', async () => {
    const { socket, closed, topic, send, frames } = await joined()
    send([
      '1',
      '2',
      `realtime:${topic}`,
      'broadcast',
      { event: 'e', payload: 'x'.repeat(1_000_000) },
    ])
    send([null, '3', 'phoenix', 'heartbeat', {}])
    await until(() => frames.length > 1, 'the answer to the heartbeat')
    socket.send('x'.repeat(1024 * 1024 + 1))
    expect(await closed).toBe(1009)
  })

  it('that nests what it sends very deeply does no harm', async () => {
    const { socket, closed, topic } = await joined()
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    socket.send(`["1","2","realtime:${topic}","broadcast",{"event":"e","payload":${deep}}]`)
    socket.send('[null,"3","phoenix","heartbeat",{}]')
    const answered = new Promise((resolve) => socket.once('message', resolve))
    await Promise.race([closed, answered])
    const { frames } = await joined()
    expect(frames).toHaveLength(1)
  })

  it('has so many channels and no more, and answers for those it has not joined', async () => {
    const { topic, token } = await newPharmacy(server)
    const few = await anotherServer(server.database, { realtime: { limits: { topics: 1 } } })
    const { send, frames } = await rawSocket(few)
    send(join(topic, token))
    await until(() => frames.length > 0, 'the first')
    send(join('another', token, '2'))
    send(['3', '3', 'realtime:third', 'broadcast', { event: 'e', payload: {} }])
    send(['4', '4', 'realtime:third', 'phx_leave', {}])
    send([null, '5', 'elsewhere', 'phx_join', {}])
    // Joining the same topic again is always allowed.
    send(join(topic, token, '6'))
    const last = () => frames.some((frame) => JSON.stringify(frame).includes('["6","6",'))
    await until(last, 'the last')
    const error = (ref: string, where: string, reason: string, joinRef: string | null = ref) => [
      joinRef,
      ref,
      where,
      'phx_reply',
      { status: 'error', response: { reason } },
    ]
    expect(frames.slice(1)).toEqual([
      error('2', 'realtime:another', 'ChannelRateLimitReached: Too many channels'),
      error('3', 'realtime:third', 'unmatched topic'),
      ok('4', 'third'),
      error('5', 'elsewhere', 'unmatched topic', null),
      ['1', '1', `realtime:${topic}`, 'phx_close', {}],
      ok('6', topic, { postgres_changes: [] }),
    ])
  })

  it('that joins again is not moved by what it said before', async () => {
    const { send, frames, topic, token } = await joined()
    send(join(topic, token, '2'))
    await until(() => frames.length === 3, 'the second join')
    send(['1', '3', `realtime:${topic}`, 'phx_leave', {}])
    await until(() => frames.length === 4, 'the answers')
    await server.realtime.publish({ topic, event: 'news', payload: {} })
    await until(() => frames.length === 5, 'the news')
    expect(frames.at(-1)).toEqual([
      null,
      null,
      `realtime:${topic}`,
      'broadcast',
      { type: 'broadcast', event: 'news', payload: {} },
    ])
  })

  it('that says too much is told so and closed', async () => {
    const { topic, token } = await newPharmacy(server)
    const strict = await anotherServer(server.database, {
      realtime: { limits: { messagesPerSecond: 5 } },
    })
    const { send, frames, closed } = await rawSocket(strict)
    send(join(topic, token))
    await until(() => frames.length > 0, 'the join')
    for (let n = 0; n < 20; n += 1) send([null, String(n), 'phoenix', 'heartbeat', {}])
    expect(await closed).toBe(1008)
    expect(frames.at(-1)).toEqual([
      '1',
      null,
      `realtime:${topic}`,
      'system',
      {
        extension: 'system',
        status: 'error',
        message: 'Too many messages per second',
        channel: topic,
      },
    ])
  })

  it('that says much at a time may say the less often', async () => {
    const { topic, token } = await newPharmacy(server)
    const strict = await anotherServer(server.database, {
      realtime: { limits: { messagesPerSecond: 40 } },
    })
    const { send, frames, closed } = await rawSocket(strict)
    send(join(topic, token))
    await until(() => frames.length > 0, 'the join')
    const payload = 'x'.repeat(1_000_000)
    for (let n = 0; n < 2; n += 1) {
      send(['1', String(n), `realtime:${topic}`, 'broadcast', { event: 'e', payload }])
    }
    expect(await closed).toBe(1008)
  })

  it('that joins nothing is closed', async () => {
    const impatient = await anotherServer(server.database, {
      realtime: { timing: { sweepInterval: 10, noChannelTimeout: 50 } },
    })
    const { closed } = await rawSocket(impatient)
    expect(await closed).toBe(1008)
  })

  it('that gives no sign of life is cut off, and one that answers pings is not', async () => {
    const { topic, token } = await newPharmacy(server)
    const impatient = await anotherServer(server.database, {
      realtime: { timing: { sweepInterval: 10, pingInterval: 30, idleTimeout: 200 } },
    })
    const [alive, dead] = [await rawSocket(impatient), await rawSocket(impatient)]
    for (const { send } of [alive, dead]) send(join(topic, token))
    dead.socket.pong = () => {}
    expect(await dead.closed).toBe(1006)
    // Longer than the idle timeout.
    await pause(250)
    expect(alive.socket.readyState).toBe(alive.socket.OPEN)
  })

  it('is closed when the server stops, so that its client comes back', async () => {
    const { topic, token } = await newPharmacy(server)
    const stopping = await anotherServer(server.database)
    const [first, second] = [await rawSocket(stopping), await rawSocket(stopping)]
    first.send(join(topic, token))
    await until(() => first.frames.length > 0, 'the join')
    await stopping.stop()
    expect(await Promise.all([first.closed, second.closed])).toEqual([1001, 1001])
  })

  it('that does not read is cut off before it costs much memory', async () => {
    const { socket, closed, topic } = await joined()
    const reader = await joined()
    socket.pause()
    const payload = { text: 'x'.repeat(500_000) }
    // How much the network buffers is unknown, so it sends until the limit is reached.
    for (let n = 0; n < 200; n += 1) {
      server.realtime.broadcast(topic, 'news', payload)
      await pause(1)
    }
    socket.resume()
    expect(await closed).toBe(1006)
    await server.realtime.publish({ topic: reader.topic, event: 'e', payload: {} })
    await until(() => reader.frames.length > 1, 'the other')
  })
})
