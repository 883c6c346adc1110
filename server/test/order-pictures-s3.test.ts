import type { OrdersPage } from '@bancone/contract/orders'
import { startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { type S3Sandbox, startS3 } from '@bancone/sandbox/s3'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { runJobs } from '../src/platform/jobs.ts'
import type { Settings, Wired } from '../src/wiring.ts'
import { atEnd } from './at-end.ts'
import { type TestServer, testApp, testServer } from './server.ts'
import { silentLog } from './silent-log.ts'
import { lastingFolder } from './temporary-folder.ts'

const base = { baseId: 'appTEST0000000001', tableId: 'tblTEST0000000001' }

let airtable: Awaited<ReturnType<typeof startAirtable>>
let s3: S3Sandbox
/** With pictures on its disk, and on the same disk and database with a bucket. */
let before: TestServer
let after: { wired: Wired; app: FastifyInstance }
let headers: { authorization: string }
/** The addresses of what each of them copied. */
let old: string
let fresh: string

beforeAll(async () => {
  s3 = await startS3()
  airtable = await startAirtable({
    bases: { [base.baseId]: [ordersTable(base.tableId, { Image: { kind: 'attachments' } })] },
    requestsPerSecond: 1_000,
  })
  const folder = await lastingFolder()
  const settings: Partial<Settings> = {
    airtable: { apiUrl: airtable.url, token: airtable.token },
    outboundAllow: [airtable.url],
    files: { folder },
  }
  before = await testServer(settings)
  const { url: endpoint, bucket, region, keys } = s3
  const files = { folder, s3: { endpoint, bucket, region, keys } }
  after = await testApp(before.database, { ...settings, files }, silentLog)
  atEnd(async () => {
    await after.app.close()
    await after.wired.close()
    await airtable.close()
    await s3.close()
  })
  await before.addPharmacy({ email: 'a@example.it', code: 'PHARM-1', airtable: base })
  headers = await before.signIn('a@example.it')
  old = await copied(before.app, before, '3')
  expect(s3.names()).toEqual([])
  fresh = await copied(after.app, after.wired, '4')
}, 60_000)

/** An order whose picture that server copies. @returns where the copy is */
async function copied(app: FastifyInstance, { jobs }: Pick<Wired, 'jobs'>, picture: string) {
  const Image = [{ id: `att${picture}`, url: `/images/${picture}.png` }]
  const fields = { Cliente: picture, Stato: 'In attesa', Image }
  airtable.create(base.baseId, base.tableId, [{ fields }])
  await app.inject({ method: 'POST', url: '/api/airtable-orders/refresh', headers })
  const runner = await runJobs(before.database.url, jobs, silentLog)
  try {
    return await vi.waitUntil(
      async () => {
        const reply = await app.inject({ url: '/api/airtable-orders', headers })
        const { records } = reply.json<OrdersPage>()
        const path = records.find((record) => record.fields.Cliente === picture)?.fields.Image
        return path?.startsWith('/api/order-images/') ? path : undefined
      },
      { timeout: 30_000, interval: 100 },
    )
  } finally {
    await runner.stop()
  }
}

describe('pictures of orders in S3', () => {
  it('are there and nowhere else, and those of before are still on the disk', async () => {
    expect(s3.names()).toEqual([expect.stringMatching(/^images\/[0-9a-f-]{36}\/[0-9a-f]{64}$/)])

    const found = await after.app.inject({ url: fresh })
    expect([found.statusCode, found.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(found.rawPayload).toEqual(s3.object(s3.names()[0] ?? '')?.content)
    expect((await before.app.inject({ url: fresh })).statusCode).toBe(404)
    const kept = await before.app.inject({ url: old })
    expect((await after.app.inject({ url: old })).rawPayload).toEqual(kept.rawPayload)
  })

  it('are unavailable for a moment when S3 is', async () => {
    s3.fail({ mode: '500' })
    const reply = await after.app.inject({ url: fresh })
    expect(reply.statusCode).toBe(503)
    expect(reply.headers['retry-after']).toBe('2')
    s3.fail({ mode: 'ok' })
    expect((await after.app.inject({ url: fresh })).statusCode).toBe(200)
  })
})
