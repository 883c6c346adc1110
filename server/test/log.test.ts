import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { noHooks } from '../src/features/orders/records/order-hooks.ts'
import { createOrderCopyStore } from '../src/features/orders/sync/order-copy.store.ts'
import { buildApp } from '../src/http/app.ts'
import { createErrorSerializer, serializeError } from '../src/start/logger.ts'
import { capturedLog } from './captured-log.ts'
import { dropDatabase } from './database.ts'
import { sourceOrder } from './orders.ts'
import { password, testServer } from './server.ts'

const Line = z.looseObject({
  reqId: z.string().optional(),
  err: z
    .object({ type: z.string(), code: z.string().optional(), stack: z.string().optional() })
    .optional(),
})

describe('the log', () => {
  it('holds no customer, no order, no password and no token, whatever happens', async () => {
    const { lines, log } = capturedLog('trace')
    const server = await testServer({}, log)
    const email = 'segreta@example.it'
    const pharmacyId = await server.addPharmacy({ email, code: 'PHARM-0001' })
    const taxCode = 'RSSMRA79B11C566R'
    const order = sourceOrder({
      customerName: 'Ilaria Segreti',
      details: `Antabuse 400, NRE 1300A4000000248 cf ${taxCode}`,
    })
    await createOrderCopyStore(server.database.db, noHooks).saveOrders(
      pharmacyId,
      [order],
      new Date().toISOString(),
    )
    const headers = await server.signIn(email)
    const orders = '/api/airtable-orders'
    await server.app.inject({ url: orders, headers })
    await server.app.inject({
      method: 'POST',
      url: '/api/orders/shown-codes',
      headers,
      payload: { recordId: order.recordId },
    })
    const findByCode = { method: 'POST', url: '/api/orders/find-by-code', headers } as const
    for (const payload of [{ code: taxCode }, { code: [taxCode] }, { [taxCode]: '' }]) {
      await server.app.inject({ ...findByCode, payload })
    }
    const change = { method: 'PATCH', url: `${orders}/${order.recordId}`, headers } as const
    await server.app.inject({ ...change, payload: { fields: { Stato: 'Antabuse 400' } } })
    await server.app.inject({ ...change, payload: { fields: { Stato: 'Annullato' } } })
    await server.app.inject({
      method: 'POST',
      url: `/auth/v1/token?grant_type=password&token=${headers.authorization}`,
      payload: { email, password: 'not the password' },
    })
    const linkSecret = 'secret-of-a-link'
    for (const url of [
      `/auth/v1/verify?token=${linkSecret}&type=recovery&code=${linkSecret}`,
      `/auth/v1/user?apikey=${linkSecret}&refresh_token=${linkSecret}`,
    ]) {
      await server.app.inject({ url, headers: { ...headers, apikey: linkSecret } })
    }
    for (const payload of [
      { token_hash: linkSecret, type: 'recovery' },
      { refresh_token: linkSecret },
    ]) {
      for (const url of ['/auth/v1/verify', '/auth/v1/token?grant_type=refresh_token']) {
        await server.app.inject({ method: 'POST', url, payload, headers: { apikey: linkSecret } })
      }
    }
    // An error whose details PostgreSQL would fill with the row.
    await server.database.pool.query(
      "alter table pharmacy_orders add constraint no_more check (status <> 'Confermato')",
    )
    const failed = await server.app.inject({
      ...change,
      payload: { fields: { Stato: 'Confermato' } },
    })
    expect(failed.statusCode).toBe(500)
    expect(failed.body).not.toContain('no_more')

    const all = lines.join('')
    expect(lines.length).toBeGreaterThanOrEqual(6)
    expect(all).toContain('"route":"/api/airtable-orders"')
    expect(all).toContain('no_more')
    for (const secret of [
      'Segreti',
      'Antabuse',
      '1300A4000000248',
      taxCode,
      '333 123',
      'Via Roma',
      password,
      'not the password',
      linkSecret,
    ]) {
      expect(all).not.toContain(secret)
    }
    expect(all).not.toContain(headers.authorization.slice(7))
  })

  it('keeps of an error its kind, its message and where it was', () => {
    const error = Object.assign(new Error('went wrong'), { code: 'X1', detail: 'Ilaria Segreti' })
    const kept = serializeError(error)
    expect(kept).toMatchObject({ type: 'Error', message: 'went wrong', code: 'X1' })
    expect(Object.keys(kept).toSorted()).toEqual(['code', 'message', 'stack', 'type'])
    expect('stack' in kept && kept.stack).toContain('log.test.ts')
    expect(serializeError('Ilaria Segreti')).toEqual({ message: 'not an error' })
  })

  it.each([
    [false, 1],
    [1, 0],
  ])('warns once of a proxy when %s is trusted: %i', async (trustProxy, warnings) => {
    const { lines, log } = capturedLog('warn')
    const app = await buildApp(
      { ...(await testServer()), modules: [] },
      {
        log,
        trustProxy,
        publicUrl: 'http://localhost:3000',
        webFolder: 'none',
        previewHosts: [],
      },
    )
    onTestFinished(() => app.close())
    await app.inject({ url: '/healthz' })
    expect(lines).toEqual([])
    for (let n = 0; n < 3; n += 1) {
      await app.inject({ url: '/healthz', headers: { 'x-forwarded-for': '203.0.113.7' } })
    }
    expect(lines).toHaveLength(warnings)
    for (const line of lines) expect(line).toContain('behind a proxy set TRUST_PROXY')
  })

  it('has one line of a request while the database is away, and says where it failed once', async () => {
    const { lines, log } = capturedLog('info')
    const renderers = { offers: { render: async () => '' } }
    const server = await testServer({ renderers }, log)
    await server.addPharmacy({ email: 'pharmacy@example.it', code: 'PHARM-0001' })
    const headers = await server.signIn('pharmacy@example.it')
    await dropDatabase(server.database.url)
    const urls = [
      '/readyz',
      '/api/airtable-orders',
      '/auth/v1/user',
      '/storage/v1/bucket',
      '/offers/PHARM-0001',
    ]
    for (const url of [...urls, ...urls]) {
      const reply = await server.app.inject({ url, headers })
      expect([url, reply.statusCode]).toEqual([url, 503])
      const id = reply.headers['x-request-id']
      const ofIt = lines
        .map((line) => Line.parse(JSON.parse(line)))
        .filter((line) => line.reqId === id)
      expect(ofIt).toMatchObject([{ msg: 'request', status: 503, err: {} }])
    }
    const errors = lines.flatMap((line) => Line.parse(JSON.parse(line)).err ?? [])
    const kinds = new Set(errors.map(({ type, code }) => `${type} ${code}`))
    expect(errors.filter(({ stack }) => stack !== undefined)).toHaveLength(kinds.size)
  })

  it('says where it was when the database is away anew', () => {
    let now = 0
    const forLog = createErrorSerializer(() => now)
    const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    expect(forLog(away)).toHaveProperty('stack')
    now += 60_000
    expect(forLog(away)).toEqual({ type: 'Error', message: 'connect', code: 'ECONNREFUSED' })
    now += 60_000
    expect(forLog(away)).not.toHaveProperty('stack')
    now += 60_001
    expect(forLog(away)).toHaveProperty('stack')
    expect(forLog(Object.assign(new Error('no name'), { code: 'ENOTFOUND' }))).toHaveProperty(
      'stack',
    )
    const ours = new Error('a mistake')
    expect([forLog(ours), forLog(ours)]).toMatchObject([
      { stack: ours.stack },
      { stack: ours.stack },
    ])
  })
})
