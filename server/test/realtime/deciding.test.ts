import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { createEvents } from '../../src/platform/events.ts'
import type { Grant, Refusal } from '../../src/platform/realtime/access.ts'
import { realtimeRoutes } from '../../src/platform/realtime/realtime.routes.ts'
import { createRealtime } from '../../src/platform/realtime/realtime.service.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { testDatabase } from '../database.ts'
import { silentLog } from '../silent-log.ts'
import { until } from './clients.ts'
import { rawSocket } from './sockets.ts'

it('a grant given while its account was changing is asked for again soon', async () => {
  const { db, pool, url } = await testDatabase()
  const events = await createEvents(url, pool, silentLog)
  /** Questions that have no answer yet. */
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
    timing: { sweep: 10, retry: 20 },
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
  const { say, frames } = await rawSocket({ port, origin: '' })
  let heard = false
  events.on('account_changed', () => {
    heard = true
  })
  await events.ready()

  const config = { private: true, presence: { enabled: false } }
  say(['1', '1', 'realtime:here', 'phx_join', { config, access_token: 'a.b.c' }])
  await until(() => asked.length === 1, 'the question')
  await events.notify('account_changed', 'anna')
  await until(() => heard, 'the change')
  const grant = { userId: 'anna', sessionId: 's', expiresAt: Date.now() + 3_600_000, write: true }
  asked[0]?.(grant)
  await until(() => asked.length === 2, 'the question again')
  asked[1]?.({ refused: 'topic', reason: 'not any more' })
  await until(() => frames.length === 3, 'the end')
  expect(frames.map((frame) => (frame as unknown[])[3])).toEqual([
    'phx_reply',
    'system',
    'phx_close',
  ])
})
