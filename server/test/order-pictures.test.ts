import type { OrdersPage } from '@bancone/contract/orders'
import { startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { type S3Sandbox, startS3 } from '@bancone/sandbox/s3'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { IMAGE_TASK } from '../src/features/orders/images/order-images.store.ts'
import type { Settings, Wired } from '../src/wiring/wiring.ts'
import { atEnd } from './at-end.ts'
import { foreignServer } from './foreign-server.ts'
import { type TestServer, testApp, testServer } from './server.ts'
import { silentLog } from './silent-log.ts'
import { testFileFolder } from './temporary-folder.ts'

const base = { baseId: 'appTEST0000000001', tableId: 'tblTEST0000000001' }

let airtable: Awaited<ReturnType<typeof startAirtable>>
let s3: S3Sandbox
let server: TestServer
/** A second application on the same database and disk, with S3. */
let withS3: { app: FastifyInstance; wired: Wired }
let headers: { authorization: string }
let pharmacyId: string
/** The URLs of the copies. */
let path: string
let pathInS3: string
/** The URL of a file that is no picture. */
let pdf: string

beforeAll(async () => {
  s3 = await startS3()
  airtable = await startAirtable({
    bases: { [base.baseId]: [ordersTable(base.tableId, { Image: { kind: 'attachments' } })] },
    requestsPerSecond: 1_000,
  })
  const elsewhere = await foreignServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('%PDF-1.4 <script>alert(1)</script>')
  }, atEnd)
  pdf = `${elsewhere.url}promemoria.pdf`
  const folder = await testFileFolder()
  const settings: Partial<Settings> = {
    airtable: { apiUrl: airtable.url, token: airtable.token, perSecond: 1_000 },
    outboundAllow: [airtable.url, elsewhere.origin],
    files: { folder },
    timing: { copy: { maxAgeMs: 0, refreshIntervalMs: 0 } },
  }
  server = await testServer(settings)
  const { url: endpoint, bucket, region, keys } = s3
  const files = { folder, s3: { endpoint, bucket, region, keys } }
  withS3 = await testApp(server.database, { ...settings, files }, silentLog)
  atEnd(async () => {
    await withS3.app.close()
    await withS3.wired.close()
    await airtable.close()
    await s3.close()
  })
  pharmacyId = await server.addPharmacy({ email: 'a@example.it', code: 'PHARM-1', airtable: base })
  headers = await server.signIn('a@example.it')
  path = await copied(server, '7')
  expect(s3.names()).toEqual([])
  pathInS3 = await copied(withS3.wired, '4')
})

/** An order whose picture is copied by that process. @returns the URL of the copy */
async function copied(
  { jobs }: Pick<Wired, 'jobs'>,
  picture: string,
  ...others: object[]
): Promise<string> {
  const Image = [{ id: `att${picture}`, url: `/images/${picture}.png` }, ...others]
  const fields = { Cliente: picture, Stato: 'In attesa', Image }
  const [recordId = ''] = airtable.create(base.baseId, base.tableId, [{ fields }])
  const waiting = (await image(picture)) ?? ''
  // The URLs stored with the order have expired when the job runs, and when the path is opened before.
  airtable.endImageLinks()
  const renewed = await open(waiting)
  expect([renewed.statusCode, renewed.headers['cache-control']]).toEqual([302, 'no-store'])
  const location = String(renewed.headers.location)
  expect(location).toContain(`${airtable.url}/images/${picture}.png?link=`)
  expect((await fetch(location)).status).toBe(200)
  const { rows } = await server.database.pool.query<{ pharmacyId: string; orderId: string }>(
    'select pharmacy_id as "pharmacyId", id::text as "orderId" from pharmacy_orders where airtable_order_id = $1',
    [recordId],
  )
  await jobs.tasks[IMAGE_TASK]?.run(rows[0])
  return (await image(picture)) ?? ''
}

async function image(customer: string): Promise<string | undefined> {
  const { records } = (await orders()).json<OrdersPage>()
  return records.find((record) => record.fields.Cliente === customer)?.fields.Image
}

const orders = () => server.app.inject({ url: '/api/airtable-orders', headers })
const open = (url: string, more: Record<string, string> = {}) =>
  server.app.inject({ url, headers: more })

describe('the picture of an order', () => {
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
    // A complete new reading of Airtable changes nothing.
    expect(await image('7')).toBe(path)
  })

  it('is not sent to a client that has it, or that asks for its head', async () => {
    const { etag, 'content-length': length } = (await open(path)).headers
    const known = await open(path, { 'if-none-match': `"other", W/${String(etag)}` })
    expect([known.statusCode, known.rawPayload.byteLength]).toEqual([304, 0])
    expect(known.headers.etag).toBe(etag)
    expect((await open(path, { 'if-none-match': '"other"' })).statusCode).toBe(200)
    const head = await server.app.inject({ method: 'HEAD', url: path })
    expect([head.statusCode, head.rawPayload.byteLength]).toEqual([200, 0])
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

  it('that is no picture is downloaded as it is, beside the others of its order', async () => {
    const file = { id: 'attPdf', url: pdf, type: 'application/pdf', filename: 'Rossi.pdf', size: 9 }
    const first = await copied(server, '9', file)
    const { records } = (await orders()).json<OrdersPage>()
    expect(records.find((record) => record.fields.Cliente === '9')?.attachments).toEqual([
      { url: first, name: null, type: null, bytes: null },
      { url: `${first}/2`, name: 'Rossi.pdf', type: 'application/pdf', bytes: 9 },
    ])
    expect((await open(first)).headers['content-type']).toBe('image/webp')
    const reply = await open(`${first}/2`)
    expect([reply.statusCode, reply.body]).toEqual([200, '%PDF-1.4 <script>alert(1)</script>'])
    expect(reply.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="ordine-2.pdf"',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    for (const place of ['0', '3', '-1', '01', 'x']) {
      expect([place, (await open(`${first}/${place}`)).statusCode]).toEqual([place, 404])
    }
  })

  it('is in the bucket and nowhere else, and the earlier ones are still on the disk', async () => {
    expect(s3.names()).toEqual([expect.stringMatching(/^images\/[0-9a-f-]{36}\/[0-9a-f]{64}$/)])
    const found = await withS3.app.inject({ url: pathInS3 })
    expect([found.statusCode, found.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(found.rawPayload).toEqual(s3.object(s3.names()[0] ?? '')?.content)
    expect((await open(pathInS3)).statusCode).toBe(404)
    const kept = await open(path)
    expect((await withS3.app.inject({ url: path })).rawPayload).toEqual(kept.rawPayload)
  })

  it('is unavailable for a moment when the bucket is', async () => {
    s3.fail({ mode: '500' })
    const reply = await withS3.app.inject({ url: pathInS3 })
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '2'])
    s3.fail({ mode: 'ok' })
    expect((await withS3.app.inject({ url: pathInS3 })).statusCode).toBe(200)
  })

  it('is not shown while its pharmacy is not active or deleted, and goes with its order', async () => {
    const { pool } = server.database
    const set = (change: string) =>
      pool.query(`update pharmacies set ${change} where id = $1`, [pharmacyId])
    for (const change of ['is_active = false', 'is_active = true, deleted_at = now()']) {
      await set(change)
      expect([change, (await open(path)).statusCode]).toEqual([change, 404])
    }
    await set('deleted_at = null')
    expect((await open(path)).statusCode).toBe(200)
    await pool.query('delete from pharmacy_orders')
    expect((await open(path)).statusCode).toBe(404)
  })
})
