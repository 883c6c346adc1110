import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { atEnd } from '../../test/at-end.ts'
import { rawLine } from '../../test/raw-line.ts'
import { limitBodyTime } from './body-time.ts'

const USUAL_MS = 1_000
const FILE_MS = 2_000

let port: number

beforeAll(async () => {
  const app = Fastify()
  limitBodyTime(app, { usualMs: USUAL_MS, window: { ms: 1_000, leastBytes: 10 } })
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post('/usual', async (request) => `took ${String(request.body)}`)
  for (const [path, bodyTimeMs] of [
    ['/file', FILE_MS],
    ['/large-file', 60_000],
  ] as const) {
    app.post(path, { config: { bodyTimeMs } }, async () => 'took a file')
  }
  app.get('/slow', async () => {
    await pause(1.2 * USUAL_MS)
    return 'slow'
  })
  app.post('/early', { onRequest: (_request, reply) => void reply.send('early') }, async () => '')
  atEnd(() => app.close())
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})

const line = () => rawLine(port)

const head = (path: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Type: x/y\r\nContent-Length: ${bytes}\r\n\r\n`

/** Goes on sending as much every so often, until there is no line any more. */
async function drip(socket: Socket, bytes: number, everyMs: number) {
  while (!socket.destroyed) {
    socket.write('x'.repeat(bytes))
    await pause(everyMs)
  }
}

/** Sends as much every so often until it is cut off. @returns the answer, and the milliseconds it took */
async function cutOff(path: string, bytes: number, everyMs: number) {
  const { socket, heard } = await line()
  const began = performance.now()
  socket.write(head(path, 1_000_000))
  await drip(socket, bytes, everyMs)
  return { heard: heard(), took: performance.now() - began }
}

// Each takes its time: they wait together.
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
    const { socket, heard } = await line()
    for (const word of ['one', 'two', 'three']) {
      socket.write(head('/usual', word.length) + word.slice(0, 1))
      await pause(0.4 * USUAL_MS)
      socket.write(word.slice(1))
      await vi.waitUntil(() => heard().includes(`took ${word}`))
    }
    expect(heard()).not.toContain('408')
  }

  async function fileInParts() {
    const { socket, heard } = await line()
    socket.write(head('/large-file', 1_200))
    for (let sent = 0; sent < 1_200; sent += 100) {
      socket.write('x'.repeat(100))
      await pause(100)
    }
    await vi.waitUntil(() => heard().includes('took a file'))
  }

  async function slowAnswer() {
    const { socket, heard } = await line()
    socket.write('GET /slow HTTP/1.1\r\nHost: here\r\n\r\n')
    await vi.waitUntil(() => heard().includes('slow'), { timeout: 5_000 })
  }
})
