import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { closeConnectionsOnShutdown } from './app.ts'

it('a stop waits for an answer under way, and not for a connection that asks nothing', async () => {
  const app = Fastify({ forceCloseConnections: 'idle' })
  closeConnectionsOnShutdown(app, () => false)
  app.get('/slow', async () => {
    await pause(300)
    return 'done'
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const idle = connect(Number(new URL(url).port), '127.0.0.1')
  await once(idle, 'connect')
  const answer = fetch(`${url}/slow`).then((reply) => reply.text())
  await pause(100)
  const closed = app.close().then(() => 'closed')
  expect(await answer).toBe('done')
  expect(await Promise.race([closed, pause(4_000, 'waiting')])).toBe('closed')
})

it('a stop does not wait for a client that asked for another protocol and is then silent', async () => {
  const app = Fastify({ forceCloseConnections: 'idle' })
  closeConnectionsOnShutdown(app, () => false, 100)
  const upgraded = once(app.server, 'upgrade')
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const silent = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void silent.destroy())
  silent.write('GET / HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n')
  await upgraded
  const closed = app.close().then(() => 'closed')
  expect(await Promise.race([closed, pause(4_000, 'waiting')])).toBe('closed')
})
