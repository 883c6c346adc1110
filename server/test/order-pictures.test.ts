import type { OrdersPage } from '@bancone/contract/orders'
import { startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import sharp from 'sharp'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { runJobs } from '../src/platform/jobs.ts'
import { atEnd } from './at-end.ts'
import { type TestServer, testServer } from './server.ts'
import { silentLog } from './silent-log.ts'
import { lastingFolder } from './temporary-folder.ts'

const base = { baseId: 'appTEST0000000001', tableId: 'tblTEST0000000001' }
const HOUR = 60 * 60_000

let airtable: Awaited<ReturnType<typeof startAirtable>>
let server: TestServer
let headers: { authorization: string }
let pharmacyId: string
let now = Date.now()

beforeAll(async () => {
  airtable = await startAirtable({
    bases: { [base.baseId]: [ordersTable(base.tableId, { Image: { kind: 'attachments' } })] },
    requestsPerSecond: 1_000,
  })
  atEnd(() => airtable.close())
  server = await testServer({
    airtable: { apiUrl: airtable.url, token: airtable.token },
    outboundAllow: [airtable.url],
    files: { folder: await lastingFolder() },
    clock: { now: () => now },
  })
  pharmacyId = await server.addPharmacy({ email: 'a@example.it', code: 'PHARM-1', airtable: base })
  headers = await server.signIn('a@example.it')
})

async function image(): Promise<string | undefined> {
  await server.app.inject({ method: 'POST', url: '/api/airtable-orders/refresh', headers })
  const reply = await server.app.inject({ url: '/api/airtable-orders', headers })
  return reply.json<OrdersPage>().records[0]?.fields.Image
}

const open = (url: string, more: Record<string, string> = {}) =>
  server.app.inject({ url, headers: more })

describe('the picture of an order', () => {
  let path = ''

  beforeAll(async () => {
    const Image = [{ id: 'att1', url: '/images/7.png' }]
    airtable.create(base.baseId, base.tableId, [{ fields: { Stato: 'In attesa', Image } }])
    expect(await image()).toContain(`${airtable.url}/images/7.png?link=`)
    // The addresses that were copied with the order are of no use when the job comes to them.
    airtable.endImageLinks()
    const runner = await runJobs(server.database.url, server.jobs, silentLog)
    await vi.waitUntil(
      async () => {
        path = (await image()) ?? ''
        return path.startsWith('/api/order-images/')
      },
      { timeout: 15_000, interval: 100 },
    )
    await runner.stop()
  })

  it('is there, without a session, as it was', async () => {
    const reply = await open(path)
    expect(reply.statusCode).toBe(200)
    const { format, width, height } = await sharp(reply.rawPayload).metadata()
    expect({ format, width, height }).toEqual({ format: 'webp', width: 800, height: 920 })
    expect(reply.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(reply.rawPayload.byteLength),
      'content-disposition': 'inline; filename="ordine.webp"',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=3600',
      'x-content-type-options': 'nosniff',
    })
  })

  it('is the same when Airtable is asked for all of it again', async () => {
    expect(await image()).toBe(path)
  })

  it('is not sent to who has it', async () => {
    const { etag } = (await open(path)).headers
    const known = await open(path, { 'if-none-match': `"other", W/${String(etag)}` })
    expect([known.statusCode, known.rawPayload.byteLength]).toEqual([304, 0])
    expect(known.headers.etag).toBe(etag)
    expect((await open(path, { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  it('tells of itself without being sent', async () => {
    const whole = await open(path)
    const head = await server.app.inject({ method: 'HEAD', url: path })
    expect([head.statusCode, head.rawPayload.byteLength]).toEqual([200, 0])
    const { etag, 'content-length': length } = whole.headers
    expect(head.headers).toMatchObject({ etag, 'content-length': length })
  })

  it('has no other address', async () => {
    const token = path.split('/').at(-1) ?? ''
    const other = token.startsWith('B') ? `A${token.slice(1)}` : `B${token.slice(1)}`
    for (const wrong of [other, `${token}A`, 'ordine.webp', '%00']) {
      const reply = await open(`/api/order-images/${wrong}`)
      expect(reply.statusCode).toBe(404)
      expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(reply.headers['cache-control']).toBe('no-store')
      expect(reply.body).toContain('Immagine non disponibile')
    }
  })

  it('has another address tomorrow, and not this one', async () => {
    now += 24 * HOUR
    expect((await open(path)).statusCode).toBe(404)
    const later = await image()
    expect(later).not.toBe(path)
    expect((await open(later ?? '')).statusCode).toBe(200)
    now -= 24 * HOUR
  })

  it('is not shown while its pharmacy is not active', async () => {
    const activate = (active: boolean) =>
      server.database.pool.query('update pharmacies set is_active = $1 where id = $2', [
        active,
        pharmacyId,
      ])
    await activate(false)
    expect((await open(path)).statusCode).toBe(404)
    await activate(true)
    expect((await open(path)).statusCode).toBe(200)
  })

  it('goes with its order', async () => {
    await server.database.pool.query('delete from pharmacy_orders')
    expect((await open(path)).statusCode).toBe(404)
  })
})
