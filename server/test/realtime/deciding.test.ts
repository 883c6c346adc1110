import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { createEvents } from '../../src/platform/events.ts'
import type { Grant, Refusal } from '../../src/platform/realtime/channels.ts'
import { realtimeRoutes } from '../../src/platform/realtime/realtime.routes.ts'
import { createRealtime } from '../../src/platform/realtime/realtime.service.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { testDatabase } from '../database.ts'
import { silentLog } from '../silent-log.ts'
import { until } from './clients.ts'
import { rawSocket } from './sockets.ts'

/** A server whose authorizations are pending; the test resolves those in `asked`. */
async function undecided() {
  const { db, pool, url } = await testDatabase()
  const events = await createEvents(url, pool, silentLog)
  const asked: ((answer: Grant | Refusal) => void)[] = []
  const realtime = createRealtime({
    db,
    events,
    authorize: () => new Promise((resolve) => asked.push(resolve)),
    isToken: async () => true,
    isAdminKey: () => false,
    publicUrl: 'http://localhost:3000',
    origins: [],
    onMissed() {},
    clock: systemClock,
    log: silentLog,
    timing: { sweepInterval: 10, retryDelay: 20 },
  })
  const app = Fastify()
  await app.register(realtimeRoutes, { prefix: '/realtime/v1', realtime })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    await app.close()
    await realtime.close()
    await events.close()
  })
  const { port } = app.server.address() as AddressInfo
  const { send, frames } = await rawSocket({ port, origin: '' })
  const config = { private: true, presence: { enabled: false } }
  send(['1', '1', 'realtime:here', 'phx_join', { config, access_token: 'a.b.c' }])
  await until(() => asked.length === 1, 'the question')
  return { events, asked, kinds: () => frames.map((frame) => (frame as unknown[])[3]) }
}

const granted = (expiresAt: number): Grant => ({
  dependsOn: ['anna'],
  sessionId: 's',
  expiresAt,
  write: true,
})

it('a grant given while its account was changing is asked for again soon', async () => {
  const { events, asked, kinds } = await undecided()
  let heard = false
  events.on('account_changed', () => {
    heard = true
  })
  await events.ready()
  await events.notify('account_changed', 'anna')
  await until(() => heard, 'the change')
  asked[0]?.(granted(Date.now() + 3_600_000))
  await until(() => asked.length === 2, 'the question again')
  asked[1]?.({ refused: 'topic', reason: 'not any more' })
  await until(() => kinds().length === 3, 'the end')
  expect(kinds()).toEqual(['phx_reply', 'system', 'phx_close'])
})

it('a grant that has ended holds no longer for want of an answer', async () => {
  const { asked, kinds } = await undecided()
  asked[0]?.(granted(Date.now() + 200))
  await until(() => asked.length === 2, 'the question again')
  await until(() => kinds().length === 3, 'the end')
  expect(kinds()).toEqual(['phx_reply', 'system', 'phx_close'])
})
