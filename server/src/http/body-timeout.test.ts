import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { atEnd } from '../../test/at-end.ts'
import { rawConnection } from '../../test/raw-connection.ts'
import { enforceBodyTimeout } from '../platform/request-bodies.ts'

const USUAL_MS = 1_000
const FILE_MS = 2_000

let port: number

beforeAll(async () => {
  const app = Fastify()
  enforceBodyTimeout(app, { defaultMs: USUAL_MS, window: { ms: 1_000, minBytes: 10 } })
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post('/usual', async (request) => `took ${String(request.body)}`)
  for (const [path, bodyTimeoutMs] of [
    ['/file', FILE_MS],
    ['/large-file', 60_000],
  ] as const) {
    app.post(path, { config: { bodyTimeoutMs } }, async () => 'took a file')
  }
  app.get('/slow', async () => {
    await pause(1.2 * USUAL_MS)
    return 'slow'
  })
  app.post('/early', { onRequest: (_request, reply) => void reply.send('early') }, async () => '')
  atEnd(() => app.close())
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})

const line = () => rawConnection(port)

const head = (path: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Type: x/y\r\nContent-Length: ${bytes}\r\n\r\n`

/** Sends so many bytes at intervals until the connection is closed. */
async function drip(socket: Socket, bytes: number, everyMs: number) {
  while (!socket.destroyed) {
    socket.write('x'.repeat(bytes))
    await pause(everyMs)
  }
}

/** Sends so many bytes at intervals until it is cut off. @returns the response and the elapsed milliseconds */
async function cutOff(path: string, bytes: number, everyMs: number) {
  const { socket, received } = await line()
  const began = performance.now()
  socket.write(head(path, 1_000_000))
  await drip(socket, bytes, everyMs)
  return { heard: received(), took: performance.now() - began }
}

// Each case is slow, so they run concurrently.
it('a body that comes too slowly is cut off', async () => {
  const [usual, file, trickle, early] = await Promise.all([
    cutOff('/usual', 1, 50),
    cutOff('/file', 100, 20),
    cutOff('/large-file', 1, 200),
    cutOff('/early', 1, 50),
  ])
  for (const { heard } of [usual, file, trickle]) expect(heard).toMatch(/^HTTP\/1.1 408 /)
  expect(file.took).toBeGreaterThan(FILE_MS - 10)
  expect(early.heard).toMatch(/^HTTP\/1.1 200 /)
  expect(early.heard).not.toContain('408')
})

describe('what comes in time', () => {
  it('is taken, whatever its parts, its route and its answer take together', async () => {
    await Promise.all([severalOnOneLine(), fileInParts(), slowAnswer()])
  })

  async function severalOnOneLine() {
    const { socket, received } = await line()
    for (const word of ['one', 'two', 'three']) {
      socket.write(head('/usual', word.length) + word.slice(0, 1))
      await pause(0.4 * USUAL_MS)
      socket.write(word.slice(1))
      await vi.waitUntil(() => received().includes(`took ${word}`))
    }
    expect(received()).not.toContain('408')
  }

  async function fileInParts() {
    const { socket, received } = await line()
    socket.write(head('/large-file', 1_200))
    for (let sent = 0; sent < 1_200; sent += 100) {
      socket.write('x'.repeat(100))
      await pause(100)
    }
    await vi.waitUntil(() => received().includes('took a file'))
  }

  async function slowAnswer() {
    const { socket, received } = await line()
    socket.write('GET /slow HTTP/1.1\r\nHost: here\r\n\r\n')
    await vi.waitUntil(() => received().includes('slow'), { timeout: 15_000 })
  }
})
