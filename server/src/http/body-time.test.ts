import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { rawLine } from '../../test/raw-line.ts'
import { limitBodyTime } from './body-time.ts'

const USUAL_MS = 1_000
const FILE_MS = 2_000

let app: FastifyInstance
let port: number

beforeEach(async () => {
  app = Fastify()
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
  onTestFinished(() => app.close())
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

describe('a body that does not come', () => {
  it('is waited for so long and no longer', async () => {
    const { socket, heard } = await line()
    socket.write(`${head('/usual', 1000)}x`)
    await drip(socket, 1, 50)
    expect(heard()).toMatch(/^HTTP\/1.1 408 /)
  })

  it('of a file is waited for longer, if there is enough of it', async () => {
    const { socket, heard } = await line()
    const began = performance.now()
    socket.write(head('/file', 1_000_000))
    await drip(socket, 100, 20)
    expect(heard()).toMatch(/^HTTP\/1.1 408 /)
    expect(performance.now() - began).toBeGreaterThan(FILE_MS - 10)
  })

  it('of a file is not waited for when it comes by single bytes', async () => {
    const { socket, heard } = await line()
    socket.write(head('/large-file', 1_000_000))
    await drip(socket, 1, 200)
    expect(heard()).toMatch(/^HTTP\/1.1 408 /)
  })

  it('after its answer is not waited for either', async () => {
    const { socket, heard } = await line()
    socket.write(`${head('/early', 1_000_000)}x`)
    await drip(socket, 1, 50)
    expect(heard()).toMatch(/^HTTP\/1.1 200 /)
    expect(heard()).not.toContain('408')
  })
})

describe('a body that comes in time', () => {
  it('is taken, and the next one on its line', async () => {
    const { socket, heard } = await line()
    for (const word of ['one', 'two', 'three']) {
      socket.write(head('/usual', word.length) + word.slice(0, 1))
      await pause(0.4 * USUAL_MS)
      socket.write(word.slice(1))
      await vi.waitUntil(() => heard().includes(`took ${word}`))
    }
    expect(heard()).not.toContain('408')
  })

  it('of a file is taken after the time of others', async () => {
    const { socket, heard } = await line()
    socket.write(head('/large-file', 1_200))
    for (let sent = 0; sent < 1_200; sent += 100) {
      socket.write('x'.repeat(100))
      await pause(100)
    }
    await vi.waitUntil(() => heard().includes('took a file'))
  })
})

it('an answer that takes long has nothing to do with it', async () => {
  const { socket, heard } = await line()
  socket.write('GET /slow HTTP/1.1\r\nHost: here\r\n\r\n')
  await vi.waitUntil(() => heard().includes('slow'), { timeout: 5_000 })
})
