import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { FakeSocket } from '../../test/fake-socket.ts'
import { sessionOf } from '../../test/fixtures.ts'
import { storeSession } from '../../test/render-app.tsx'
import { StubApi } from '../../test/stub-api.ts'
import type { ChannelEvents } from './channel.ts'
import { openChannel } from './realtime-channel.ts'
import { pharmacySession } from './session.ts'

let heard: string[]

beforeEach(() => {
  heard = []
  new StubApi().install()
  FakeSocket.install()
  storeSession()
  onTestFinished(() => pharmacySession.stop())
})

const events: ChannelEvents = {
  subscribed: () => heard.push('joined'),
  disconnected: () => heard.push('lost'),
  denied: () => heard.push('refused'),
  closed: () => heard.push('ended'),
  broadcast: (event, payload) => heard.push(`${event} ${JSON.stringify(payload)}`),
}

/** A line whose connection the client has asked for. */
async function opened(count = 1) {
  const line = openChannel('pharmacy:1', events)
  onTestFinished(() => line.close())
  await sockets(count)
  return line
}

async function sockets(count: number) {
  await vi.waitFor(() => expect(FakeSocket.opened).toHaveLength(count), { timeout: 4_000 })
}

const joins = () => FakeSocket.opened.flatMap(({ sent }) => sent.filter(isJoin))
const isJoin = ({ event }: { event: string }) => event === 'phx_join'

test('joins the private topic of its own server with the token of the session', async () => {
  await opened()
  const { protocol, host, pathname, searchParams } = new URL(FakeSocket.last.url)
  expect([protocol, host, pathname]).toEqual(['ws:', location.host, '/realtime/v1/websocket'])
  expect(searchParams.get('apikey')).toBe('bancone')
  FakeSocket.last.accept()
  expect(joins()).toMatchObject([
    {
      topic: 'realtime:pharmacy:1',
      payload: { access_token: sessionOf().access_token, config: { private: true } },
    },
  ])
  await vi.waitFor(() => expect(heard).toEqual(['joined']))
})

test('a connection that breaks is made again, and the topic joined again', async () => {
  await opened()
  FakeSocket.last.accept()
  await vi.waitFor(() => expect(heard).toEqual(['joined']))
  FakeSocket.last.close()
  expect(heard).toEqual(['joined', 'lost'])
  await sockets(2)
  FakeSocket.last.accept()
  await vi.waitFor(() => expect(heard).toEqual(['joined', 'lost', 'joined']))
})

test('a heartbeat is sent every 30 seconds', async () => {
  await opened()
  const beats = () => FakeSocket.last.sent.filter(({ event }) => event === 'heartbeat').length
  vi.useFakeTimers()
  FakeSocket.last.accept()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(beats()).toBe(0)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(beats()).toBe(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(beats()).toBe(2)
})

test('a join that is refused is no broken connection', async () => {
  await opened()
  FakeSocket.last.accept({ status: 'error', response: { reason: 'Unauthorized: not yours' } })
  await vi.waitFor(() => expect(heard[0]).toBe('refused'))
  expect(heard).not.toContain('lost')
})

test('a topic the server has closed is joined again after a while', async () => {
  await opened()
  FakeSocket.last.accept()
  await vi.waitFor(() => expect(heard).toEqual(['joined']))
  FakeSocket.last.endTopic()
  expect(heard).toEqual(['joined', 'ended'])
  await vi.waitFor(() => expect(joins()).toHaveLength(2), { timeout: 4_000 })
  await vi.waitFor(() => expect(heard).toEqual(['joined', 'ended', 'joined']))
})

test('a renewal leaves the connection for another at once', async () => {
  const line = await opened()
  FakeSocket.last.accept()
  await vi.waitFor(() => expect(heard).toEqual(['joined']))
  const [old] = FakeSocket.opened
  line.reconnect()
  await sockets(2)
  expect(old?.readyState).toBe(3)
  FakeSocket.last.accept()
  await vi.waitFor(() => expect(heard.at(-1)).toBe('joined'))
})

test('a check asks a connection whether it lives, and makes one where there is none', async () => {
  const line = await opened()
  FakeSocket.last.accept()
  await vi.waitFor(() => expect(heard).toEqual(['joined']))
  line.ensureConnected()
  expect(FakeSocket.last.sent.at(-1)?.event).toBe('heartbeat')
  FakeSocket.last.close()
  line.ensureConnected()
  await sockets(2)
})

test('once closed it is silent, and does not come back', async () => {
  const line = await opened()
  FakeSocket.last.accept()
  await vi.waitFor(() => expect(heard).toEqual(['joined']))
  line.close()
  await vi.waitFor(() => expect(FakeSocket.last.readyState).toBe(3))
  line.reconnect()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(FakeSocket.opened).toHaveLength(1)
  expect(heard).toEqual(['joined'])
})

test('lines that come and go leave nothing behind: the client listens to the window once', async () => {
  const listen = vi.spyOn(window, 'addEventListener')
  for (let time = 1; time <= 4; time += 1) {
    const line = await opened(time)
    FakeSocket.last.accept()
    await vi.waitFor(() => expect(heard).toHaveLength(time))
    line.close()
    await vi.waitFor(() => expect(FakeSocket.last.readyState).toBe(3))
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  FakeSocket.last.close()
  expect(heard).toEqual(['joined', 'joined', 'joined', 'joined'])
  expect(listen.mock.calls.filter(([type]) => type === 'pagehide').length).toBeLessThan(2)
})

test('a browser that refuses connections has none until it allows them, and no error', async () => {
  FakeSocket.forbidden = true
  const line = await opened()
  FakeSocket.forbidden = false
  line.ensureConnected()
  await sockets(2)
  FakeSocket.last.accept()
  await vi.waitFor(() => expect(heard).toEqual(['joined']))
  FakeSocket.last.broadcast('orders', {})
  expect(heard).toEqual(['joined', 'orders {}'])
})
