import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { endpoint } from '@bancone/contract/endpoint'
import Fastify from 'fastify'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { noSessions } from '../../test/no-sessions.ts'
import { createServeList } from './serve.ts'

const numbers = endpoint({
  method: 'GET',
  path: '/api/numbers',
  summary: 'More numbers than fit on the way',
  access: 'public',
  response: z.object({ numbers: z.array(z.number()) }),
  errors: [],
})

const PORTIONS = 5_000

/** The list that is served, the number of portions read so far, and whether the reading was aborted. */
async function served() {
  const state = { read: 0, givenUp: false }
  async function* portions() {
    try {
      while (state.read < PORTIONS) {
        state.read += 1
        await nextTurn()
        yield Array.from({ length: 1_000 }, (_, n) => n)
      }
    } finally {
      state.givenUp = true
    }
  }
  const app = Fastify()
  createServeList(app, noSessions())(numbers, 'numbers', async () => portions())
  onTestFinished(() => app.close())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { state, url: `${url}/api/numbers`, port: Number(new URL(url).port) }
}

it('a HEAD request reads nothing of a list', async () => {
  const { state, url } = await served()
  const reply = await fetch(url, { method: 'HEAD' })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(state.read).toBe(0)
})

it('a list is read no faster than it is taken, and given up with its caller', async () => {
  const { state, port } = await served()
  const caller = connect(port, '127.0.0.1')
  caller.pause()
  caller.write('GET /api/numbers HTTP/1.1\r\nHost: here\r\n\r\n')
  await once(caller, 'readable')
  let before = -1
  await vi.waitUntil(
    () => {
      const isStill = state.read === before
      before = state.read
      return isStill
    },
    { timeout: 10_000, interval: 100 },
  )
  expect(state.read).toBeLessThan(PORTIONS)
  expect(state.givenUp).toBe(false)
  caller.destroy()
  await vi.waitUntil(() => state.givenUp)
})
