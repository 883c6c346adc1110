import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { endpoint } from '@bancone/contract/endpoint'
import Fastify from 'fastify'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { noSessions } from '../../test/no-sessions.ts'
import { createServeFile } from './serve.ts'

const letters = endpoint({
  method: 'GET',
  path: '/api/letters',
  summary: 'Letters',
  access: 'public',
  response: z.string(),
  errors: [],
})

const USUAL_PATIENCE = 60_000

/** A file of three letters, of which the second is delayed until the test releases it. */
async function served() {
  const state = { signal: new AbortController(), isOver: false, proceed: () => {} }
  const waiting = new Promise<void>((resolve) => {
    state.proceed = resolve
  })
  async function* parts() {
    try {
      yield 'a'
      await waiting
      yield 'b'
      yield new Uint8Array([99])
    } finally {
      state.isOver = true
    }
  }
  const app = Fastify({ connectionTimeout: USUAL_PATIENCE })
  createServeFile(app, noSessions())(letters, async () => ({
    name: 'lettere.txt',
    type: 'text/plain; charset=utf-8',
    open: async () => ({ parts: parts(), signal: state.signal.signal }),
  }))
  app.get('/page', (request) => String(request.socket.timeout))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(async () => {
    agent.destroy()
    await app.close()
  })
  const connected = once(app.server, 'connection')
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const take = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(`${url}${path}`, { agent }, resolve).on('error', reject)
    })
  return { state, take, socket: connected.then(([socket]: Socket[]) => socket) }
}

async function rest(reply: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of reply) text += String(piece)
  return text
}

it('a file is something to keep, and nothing a cache keeps', async () => {
  const { state, take } = await served()
  state.proceed()
  const reply = await take('/api/letters')
  expect(reply.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': 'attachment; filename="lettere.txt"',
    'cache-control': 'no-store',
  })
  expect(await rest(reply)).toBe('abc')
})

it('a file has a longer socket timeout, and the next answer has the usual one', async () => {
  const { state, take, socket } = await served()
  const reply = await take('/api/letters')
  expect((await socket)?.timeout).toBe(5 * USUAL_PATIENCE)
  state.proceed()
  await rest(reply)
  expect(await rest(await take('/page'))).toBe(String(USUAL_PATIENCE))
})

it('a file that is given up breaks its connection, also while nothing of it is taken', async () => {
  const { state, take } = await served()
  const reply = await take('/api/letters')
  state.signal.abort()
  state.proceed()
  await expect(rest(reply)).rejects.toMatchObject({ code: 'ECONNRESET' })
  await vi.waitUntil(() => state.isOver)
})
