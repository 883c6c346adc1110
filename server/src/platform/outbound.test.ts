import { describe, expect, it, onTestFinished } from 'vitest'
import { failureOf } from '../../test/failure-of.ts'
import { type ForeignServer, foreignServer } from '../../test/foreign-server.ts'
import { OutboundError, type OutboundRequest } from '../ports/outbound.ts'
import { createOutbound, type OutboundOptions } from './outbound.ts'
import type { Resolve } from './outbound-connection.ts'

/** Public by range, but unused addresses. */
const UNREACHABLE = '2000::1'

const limits = { timeLimitMs: 2_000, sizeLimit: 10_000 }

function outbound(options: OutboundOptions = {}) {
  const made = createOutbound(options)
  onTestFinished(() => made.close())
  return made
}

async function kindOf(work: Promise<unknown>): Promise<string> {
  return (await failureOf(work, OutboundError)).kind
}

const always =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

describe('what data leads to', () => {
  it.each([
    ['no address', 'somewhere'],
    ['no web address', 'file:///etc/passwd'],
    ['one of a browser', 'data:text/plain,hello'],
    ['one without TLS', 'http://example.org/'],
    ['one with a port', 'https://example.org:8443/'],
    ['the port of something else', 'https://example.org:22/'],
    ['one with credentials', 'https://user:secret@example.org/'],
    ['this machine', 'https://127.0.0.1/'],
    ['this machine in decimal', 'https://2130706433/'],
    ['this machine in hexadecimal', 'https://0x7f.1/'],
    ['this machine in octal', 'https://0177.0.0.1/'],
    ['this machine in wide letters', 'https://①②⑦.⓪.⓪.①/'],
    ['this machine as IPv6', 'https://[::1]/'],
    ['this machine as IPv4 in IPv6', 'https://[::ffff:7f00:1]/'],
    ['nowhere', 'https://0/'],
    ['metadata', 'https://169.254.169.254/latest/meta-data/'],
    ['a private network', 'https://192.168.0.1/'],
    ['a tunnel to a private network', 'https://[2002:c0a8:0001::]/'],
  ])('is refused: %s', async (_what, url) => {
    const resolve = () => Promise.reject(new Error('asked for a name'))
    expect(await kindOf(outbound({ resolve }).fetch(url, limits))).toBe('forbidden')
  })

  it.each([
    ['this machine', ['127.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['a private address among public ones', ['1.1.1.1', '10.0.0.1']],
    ['no address at all', []],
  ])('is refused when its name is of %s', async (_what, addresses) => {
    const { fetch } = outbound({ resolve: always(...addresses) })
    expect(await kindOf(fetch('https://pictures.example/', limits))).toBe('forbidden')
  })

  it('is refused when the system knows its name as that of this machine', async () => {
    expect(await kindOf(outbound().fetch('https://localhost/', limits))).toBe('forbidden')
  })

  it('is resolved once: a name cannot change between check and connection', async () => {
    let asked = 0
    const resolve: Resolve = async () => {
      asked += 1
      return asked === 1
        ? [{ address: UNREACHABLE, family: 6 }]
        : [{ address: '127.0.0.1', family: 4 }]
    }
    const kind = await kindOf(
      outbound({ resolve }).fetch('https://rebinding.example/', { ...limits, timeLimitMs: 300 }),
    )
    // The request went to the first address, which is unreachable; the error depends on the network.
    expect(['unreachable', 'timeout']).toContain(kind)
    expect(asked).toBe(1)
  })

  it('may be anywhere on an origin the operator allows, and on that alone', async () => {
    const there = await foreignServer((_request, response) => response.end('hello'))
    const other = await foreignServer((_request, response) => response.end('hello'))
    const { fetch } = outbound({ allow: [there.origin] })
    const reply = await fetch(there.url, limits)
    expect([reply.status, Buffer.from(reply.body).toString()]).toEqual([200, 'hello'])
    expect(await kindOf(fetch(other.url, limits))).toBe('forbidden')
    expect(await kindOf(fetch(there.url.replace('//', '//me@'), limits))).toBe('forbidden')
    expect(await kindOf(fetch(`blob:${there.url}`, limits))).toBe('forbidden')
    expect(other.requestCount).toBe(0)
  })

  it('is reached without the proxy the environment names', async () => {
    const proxy = await foreignServer((_request, response) => response.end('from the proxy'))
    const there = await foreignServer((_request, response) => response.end('hello'))
    const { env } = process
    onTestFinished(() => {
      delete env['http_proxy']
      delete env['NODE_USE_ENV_PROXY']
    })
    env['http_proxy'] = proxy.origin
    env['NODE_USE_ENV_PROXY'] = '1'
    await outbound({ allow: [there.origin] }).fetch(there.url, limits)
    expect([proxy.requestCount, there.requestCount]).toEqual([0, 1])
  })

  it('gets what is sent, and its status and headers are told', async () => {
    const there = await foreignServer((request, response) => {
      request.on('data', (body: Buffer) => {
        const { method, headers } = request
        response.writeHead(410, { 'Retry-After': '5' })
        response.end(`${method} ${String(headers['ttl'])} ${body.toString()}`)
      })
    })
    const reply = await outbound({ allow: [there.origin] }).fetch(there.url, {
      ...limits,
      method: 'POST',
      headers: { TTL: '60' },
      body: Buffer.from('sealed'),
    })
    expect(reply.status).toBe(410)
    expect(reply.headers['retry-after']).toBe('5')
    expect(Buffer.from(reply.body).toString()).toBe('POST 60 sealed')
  })
})

describe('a redirect', () => {
  /** Redirects to `location`, or responds with the received headers. */
  const leading = (location: () => string) =>
    foreignServer((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: location() }).end('elsewhere')
      else response.end(JSON.stringify(request.headers))
    })

  const follow = (there: ForeignServer, request: Partial<OutboundRequest>, others: string[] = []) =>
    outbound({ allow: [there.origin, ...others], resolve: always('127.0.0.1') }).fetch(there.url, {
      ...limits,
      redirects: 3,
      ...request,
    })

  it.each([
    ['a private address', 'http://127.0.0.1:1/'],
    ['a name of one', 'https://internal.example/'],
    ['a file', 'file:///etc/passwd'],
    ['credentials', 'https://user@example.org/'],
  ])('to %s is refused', async (_what, location) => {
    const there = await leading(() => location)
    expect(await kindOf(follow(there, {}))).toBe('forbidden')
    expect(there.requestCount).toBe(1)
  })

  it('is followed within an origin, with what was sent', async () => {
    const there = await leading(() => '/picture')
    const reply = await follow(there, { headers: { Authorization: 'Bearer secret' } })
    expect(Buffer.from(reply.body).toString()).toContain('Bearer secret')
  })

  it('to another origin takes no secret along', async () => {
    const other = await leading(() => '/')
    const there = await leading(() => `${other.url}picture`)
    const headers = { Authorization: 'Bearer secret', Cookie: 'secret', Accept: 'image/*' }
    const reply = await follow(there, { headers }, [other.origin])
    const received = Buffer.from(reply.body).toString()
    expect(received).toContain('image/*')
    expect(received).not.toContain('secret')
  })

  it('is followed as often as was said, and no more', async () => {
    const there: ForeignServer = await leading(() => there.url)
    expect(await kindOf(follow(there, { redirects: 3 }))).toBe('status')
    expect(there.requestCount).toBe(4)
    expect(await kindOf(follow(there, { redirects: 0 }))).toBe('status')
    expect(there.requestCount).toBe(5)
  })

  it('of what was sent is not followed', async () => {
    const there = await leading(() => '/picture')
    const sent = { method: 'POST' as const, body: Buffer.from('sealed') }
    expect(await kindOf(follow(there, sent))).toBe('status')
    expect(there.requestCount).toBe(1)
  })
})
