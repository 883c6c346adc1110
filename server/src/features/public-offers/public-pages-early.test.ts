import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  addOffer,
  type PublicPagesServer,
  publicPagesServer,
} from '../../../test/public-pages-server.ts'

let server: PublicPagesServer
let origin: string
let path: string

beforeAll(async () => {
  server = await publicPagesServer()
  await addOffer(server, await server.pharmacy('FARM-1'))
  path = '/offers/FARM-1'
  origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
})

/** Of one answer alone. */
const passing = new Set(['date', 'connection', 'keep-alive', 'x-request-id'])

// What was heard of it last has been dealt with.
beforeEach(() => vi.waitUntil(async () => (await take(path)).isEarly))

/** @returns how it was answered, and whether the framework was asked: it numbers what it answers */
async function take(url: string, sent: Record<string, string> = {}, method = 'GET') {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    request(origin + url, { headers: sent, method }, resolve)
      .on('error', reject)
      .end()
  })
  const bytes = await buffer(reply)
  const headers = Object.entries(reply.headers).filter(([name]) => !passing.has(name))
  const isEarly = reply.headers['x-request-id'] === undefined
  return { status: reply.statusCode, headers: Object.fromEntries(headers), bytes, isEarly }
}

describe('a page that is in memory', () => {
  it.each([
    ['as it is', {}],
    ['by brotli', { 'accept-encoding': 'gzip, deflate, br' }],
    ['by gzip', { 'accept-encoding': 'gzip' }],
    ['not at all to who has it', { 'if-none-match': '*' }],
  ])('is sent at once, as the framework would, %s', async (_how, sent) => {
    const early = await take(path, sent)
    // What brings something is left to the framework, whatever it is.
    const other = await take(path, { ...sent, 'content-length': '0' })
    expect([early.isEarly, other.isEarly]).toEqual([true, false])
    expect(early.headers).toEqual(other.headers)
    expect([early.status, early.bytes]).toEqual([other.status, other.bytes])
  })

  it('is the same with what others have put into its address', async () => {
    const page = await take(path)
    const found = await take(`${path}?fbclid=abc&utm_source=whatsapp`)
    expect([found.isEarly, found.bytes]).toEqual([true, page.bytes])
  })

  it.each([
    ['its head alone', 'HEAD', () => path, 200],
    ['another case', 'GET', () => path.toLowerCase(), 301],
    ['nobody', 'GET', () => '/offers/NOBODY', 404],
    ['an offer that is not shown', 'GET', () => `${path}/x`, 404],
    ['something that is sent', 'POST', () => path, 404],
    ['an address without end', 'GET', () => `${path}?${'x'.repeat(2_000)}`, 200],
  ])('is left to the framework for %s', async (_what, method, url, status) => {
    expect(await take(url(), {}, method)).toMatchObject({ status, isEarly: false })
  })
})
