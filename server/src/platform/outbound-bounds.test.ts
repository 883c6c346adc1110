import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { foreignServer } from '../../test/foreign-server.ts'
import type { OutboundRequest } from '../ports/outbound.ts'
import { createOutbound } from './outbound.ts'

const SIZE = 100_000

async function fetchFrom(answer: RequestListener, request: Partial<OutboundRequest> = {}) {
  const there = await foreignServer(answer)
  const outbound = createOutbound({ allow: [there.origin] })
  onTestFinished(() => outbound.close())
  return outbound.fetch(`${there.url}secret-path?token=secret`, {
    timeLimitMs: 10_000,
    sizeLimit: SIZE,
    ...request,
  })
}

describe('an answer', () => {
  it('of as many bytes as may be is taken, packed or not', async () => {
    const body = Buffer.alloc(SIZE, 'a')
    const plain = await fetchFrom((_request, response) => response.end(body))
    expect(body.equals(plain.body)).toBe(true)
    const packed = await fetchFrom((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body))
    })
    expect(body.equals(packed.body)).toBe(true)
  })

  it('that says it is too large is not read', async () => {
    const failing = fetchFrom((_request, response) => {
      response.writeHead(200, { 'content-length': SIZE + 1 }).write('a')
    })
    await expect(failing).rejects.toMatchObject({ kind: 'too_large' })
  })

  it('that never ends is given up when it is too large', async () => {
    const failing = fetchFrom((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(10_000)));
      }
      response.on('drain', more)
      more()
    })
    await expect(failing).rejects.toMatchObject({ kind: 'too_large' })
  })

  it('that unpacks into too much is given up', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * SIZE))
    expect(bomb.byteLength).toBeLessThan(SIZE)
    const failing = fetchFrom((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    await expect(failing).rejects.toMatchObject({ kind: 'too_large' })
  })

  it.each<[string, RequestListener]>([
    ['does not come', () => {}],
    ['stops in the middle', (_request, response) => response.write('a')],
    [
      'trickles',
      (_request, response) => {
        const timer = setInterval(() => response.write('a'), 20)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('that %s is given up in time', async (_how, answer) => {
    await expect(fetchFrom(answer, { timeLimitMs: 200 })).rejects.toMatchObject({ kind: 'timeout' })
  })

  it.each<[string, RequestListener]>([
    ['breaks off', (request) => request.socket.destroy()],
    [
      'switches to another protocol',
      (_request, response) =>
        response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end(),
    ],
    [
      'is shorter than it says',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 10 }).write('a')
        response.destroy()
      },
    ],
    [
      'is not packed as it says',
      (_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')
      },
    ],
    [
      'has headers without end',
      (_request, response) => response.writeHead(200, { x: 'a'.repeat(100_000) }).end(),
    ],
  ])('that %s is none', async (_how, answer) => {
    const failure = await fetchFrom(answer).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'OutboundError', kind: 'unreachable' })
    expect(String(failure)).not.toContain('secret')
  })

  it.each<[string, number | undefined, RequestListener]>([
    ['before it has begun', undefined, (request) => request.socket.destroy()],
    [
      'after it has begun',
      200,
      (_request, response) => response.write('a', () => response.destroy()),
    ],
  ])('that breaks off %s is told from others', async (_when, status, answer) => {
    await expect(fetchFrom(answer)).rejects.toMatchObject({ kind: 'unreachable', status })
  })

  it('without a body may say that it is packed', async () => {
    const packed: RequestListener = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end()
    expect(await fetchFrom(packed, { method: 'HEAD' })).toMatchObject({ status: 200 })
    expect((await fetchFrom(packed)).body).toHaveLength(0)
  })

  it('is not waited for when the caller gives up, and its connection ends', async () => {
    const asked = new AbortController()
    let ended: Promise<unknown> | undefined
    const failing = fetchFrom(
      (request) => {
        ended = once(request.socket, 'close')
        asked.abort()
      },
      { signal: asked.signal },
    )
    await expect(failing).rejects.toMatchObject({ kind: 'unreachable', message: 'given up' })
    await ended
  })

  it('is not waited for longer while other requests have all connections', async () => {
    const there = await foreignServer(() => {})
    const outbound = createOutbound({ allow: [there.origin], connections: 1 })
    const first = outbound.fetch(there.url, { timeLimitMs: 10_000, sizeLimit: SIZE })
    const second = outbound.fetch(there.url, { timeLimitMs: 50, sizeLimit: SIZE })
    await expect(second).rejects.toMatchObject({ kind: 'timeout' })
    outbound.close()
    await expect(first).rejects.toMatchObject({ kind: 'unreachable' })
    expect(there.requestCount).toBe(1)
  })
})
