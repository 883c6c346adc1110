import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OrderExport } from '@bancone/contract/order-exports'
import { parse } from 'csv-parse/sync'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type TestServer, testServer } from '../../../../test/server.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { buildApp } from '../../../app.ts'
import { systemClock } from '../../../ports/clock.ts'
import { createOrderExportRowsStore, PORTION } from './order-export-rows.store.ts'
import { createOrderExports } from './order-exports.service.ts'
import { createOrderExportsStore } from './order-exports.store.ts'
import { EXPORT_CLEANUP_TASK } from './order-exports-job.ts'

/** More than fits on the way to somebody who takes nothing. */
const ORDERS = 2_500
const CONFIRMED = 100

let server: TestServer
let ownId: string
let port: number
const callers: Record<string, { authorization: string }> = {}

beforeAll(async () => {
  server = await testServer()
  ownId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0002' })
  for (const who of ['own', 'other']) callers[who] = await server.signIn(`${who}@example.it`)
  await server.database.pool.query(
    `insert into pharmacy_orders (pharmacy_id, airtable_order_id, customer_name, order_details, status,
       airtable_created, airtable_last, seen_at)
     select $1, 'rec' || n, 'Anna', repeat('💊', 2000),
       case when n <= $3 then 'Confermato' else 'In attesa' end,
       '2026-01-01'::timestamptz + make_interval(mins => n), now(), now()
     from generate_series(1, $2::int) n`,
    [ownId, ORDERS, CONFIRMED],
  )
  port = await listen(server.app)
})

beforeEach(async () => {
  await server.database.pool.query('delete from order_exports')
})

async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

function inject(method: 'GET' | 'HEAD' | 'POST' | 'DELETE', path = '', payload?: object) {
  const url = `/api/orders/exports${path}`
  const headers = callers['own'] ?? {}
  return server.app.inject({ method, url, headers, ...(payload && { payload }) })
}

async function start(sought: object = {}): Promise<OrderExport> {
  return (await inject('POST', '', { format: 'csv', ...sought })).json()
}

async function look(id: string): Promise<OrderExport> {
  return (await inject('GET', `/${id}`)).json()
}

async function codeOf(reply: ReturnType<typeof inject>) {
  const { statusCode, body } = await reply
  return [statusCode, body === '' ? null : (JSON.parse(body) as { code?: string }).code]
}

/** Those of several replies, the least first. */
function statuses(replies: readonly { statusCode: number }[]): number[] {
  return replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
}

/** Begins to take a file and takes nothing of it yet. */
async function begin(id: string, at = port): Promise<IncomingMessage> {
  const path = `http://127.0.0.1:${at}/api/orders/exports/${id}/file`
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get(path, { headers: callers['own'], agent: false }, resolve).on('error', reject)
  })
  onTestFinished(() => void reply.destroy())
  return reply
}

/** Takes the rest. @returns the rows, and how it was cut off if it was */
async function rest(reply: IncomingMessage) {
  const pieces: Buffer[] = []
  const broken = await (async () => {
    for await (const piece of reply) pieces.push(Buffer.from(piece as Uint8Array))
  })().catch((error: unknown) => error)
  return { text: Buffer.concat(pieces).toString('utf8'), broken }
}

async function becomes(id: string, state: OrderExport['state']): Promise<OrderExport> {
  let found = await look(id)
  await vi.waitUntil(
    async () => {
      found = await look(id)
      return found.state === state
    },
    { timeout: 10_000, interval: 50 },
  )
  return found
}

describe('a file of orders', () => {
  it('is asked for with what it will hold and what it should be called', async () => {
    const asked = await start({ stato: ['Confermato'] })
    const day = new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Rome' })
    expect(asked).toEqual({
      id: asked.id,
      format: 'csv',
      state: 'ready',
      total: CONFIRMED,
      done: 0,
      fileName: `ordini-${day}.csv`,
    })
    expect(await look(asked.id)).toEqual(asked)
  })

  it('is done when it is taken, and is taken once', async () => {
    const { id } = await start({ stato: ['Confermato'] })
    const taken = await inject('GET', `/${id}/file`)
    const rows = parse(taken.rawPayload, { bom: true, delimiter: ';', columns: true })
    expect(rows).toHaveLength(CONFIRMED)
    expect(await look(id)).toMatchObject({ state: 'done', done: CONFIRMED, total: CONFIRMED })
    expect(await codeOf(inject('GET', `/${id}/file`))).toEqual([409, 'exports.taken'])
  })

  it('is given to one of those who want it at the same time', async () => {
    const { id } = await start({ stato: ['Confermato'] })
    const { orderExports } = server.services
    const owner = { id: ownId, orderSource: null }
    // Both have found it ready before either begins.
    const wanted = await Promise.all([orderExports.take(owner, id), orderExports.take(owner, id)])
    const opened = await Promise.allSettled(wanted.map((file) => file.open()))
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(opened.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'exports.taken' },
    })
  })

  it('is not offered to be kept where it cannot be had', async () => {
    const { id } = await start({ stato: ['Confermato'] })
    await inject('GET', `/${id}/file`)
    const refused = await inject('GET', `/${id}/file`)
    expect(refused.headers['content-disposition']).toBeUndefined()
    expect(refused.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('stays for who asks for its head alone', async () => {
    const { id, fileName } = await start()
    const head = await inject('HEAD', `/${id}/file`)
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers['content-disposition']).toBe(`attachment; filename="${fileName}"`)
    expect((await look(id)).state).toBe('ready')
  })

  it('moves no faster than it is taken, and says how far it is', async () => {
    const { id } = await start()
    const reply = await begin(id)
    await vi.waitUntil(async () => (await look(id)).done > 0, { timeout: 10_000, interval: 50 })
    let before = -1
    await vi.waitUntil(
      async () => {
        const { done } = await look(id)
        const isStill = done === before
        before = done
        return isStill
      },
      { timeout: 10_000, interval: 1_200 },
    )
    expect(await look(id)).toMatchObject({ state: 'running', total: ORDERS })
    expect(before).toBeLessThan(ORDERS)
    const { text, broken } = await rest(reply)
    expect(broken).toBeUndefined()
    expect(parse(text, { bom: true, delimiter: ';', columns: true })).toHaveLength(ORDERS)
    expect(await look(id)).toMatchObject({ state: 'done', done: ORDERS })
  })

  it('is known to move also while nobody takes any of it', async () => {
    const { id } = await start()
    await begin(id)
    await vi.waitUntil(async () => (await look(id)).done > 0, { timeout: 10_000 })
    await server.database.pool.query(
      "update order_exports set moved_at = moved_at - interval '40 seconds'",
    )
    expect((await look(id)).state).toBe('failed')
    await becomes(id, 'running')
  })

  it('holds an order that moves in the list meanwhile, once; and none that is of another kind by then', async () => {
    const { id } = await start({ ordina: 'aggiornati', stato: ['In attesa'] })
    const reply = await begin(id)
    await vi.waitUntil(async () => (await look(id)).done > 0, { timeout: 10_000 })
    const wasLast = 'rec101'
    await server.database.pool.query(
      `update pharmacy_orders set airtable_last = now() + interval '1 hour'
       where airtable_order_id = $1`,
      [wasLast],
    )
    await server.database.pool.query(
      "update pharmacy_orders set status = 'Annullato' where airtable_order_id = 'rec102'",
    )
    const { text } = await rest(reply)
    const rows: { 'ID Record': string }[] = parse(text, {
      bom: true,
      delimiter: ';',
      columns: true,
    })
    const ids = rows.map((row) => row['ID Record'])
    expect(ids.filter((each) => each === wasLast)).toHaveLength(1)
    expect(ids).not.toContain('rec102')
    expect(new Set(ids).size).toBe(ids.length)
    expect(await look(id)).toMatchObject({ state: 'done', done: ids.length, total: ids.length })
  })
})

describe('a file that is given up', () => {
  it('is cancelled when its taker hangs up', async () => {
    const { id } = await start()
    const reply = await begin(id)
    await once(reply, 'readable')
    reply.destroy()
    const { done } = await becomes(id, 'cancelled')
    expect(done).toBeLessThan(ORDERS)
    expect(await codeOf(inject('GET', `/${id}/file`))).toEqual([409, 'exports.taken'])
  })

  it.each(['csv', 'xlsx'])(
    'breaks its connection, in whichever process it was given up: %s',
    async (format) => {
      const { id } = await start({ format, stato: undefined })
      const other = await appThatReads(slowly)
      const reply = await begin(id, other)
      const taken = rest(reply)
      expect(await codeOf(inject('DELETE', `/${id}`))).toEqual([200, undefined])
      expect((await taken).broken).toMatchObject({ code: 'ECONNRESET' })
      expect((await look(id)).state).toBe('cancelled')
    },
  )

  it('cannot be taken any more', async () => {
    const { id } = await start()
    await inject('DELETE', `/${id}`)
    expect((await look(id)).state).toBe('cancelled')
    expect(await codeOf(inject('GET', `/${id}/file`))).toEqual([409, 'exports.taken'])
  })

  it('stays done if it was', async () => {
    const { id } = await start({ stato: ['Confermato'] })
    await inject('GET', `/${id}/file`)
    expect(await codeOf(inject('DELETE', `/${id}`))).toEqual([200, undefined])
    expect((await look(id)).state).toBe('done')
  })
})

type Read = ReturnType<typeof createOrderExportRowsStore>['read']

/** Another process, which reads orders otherwise. @returns where it listens */
async function appThatReads(otherwise: (read: Read) => Read): Promise<number> {
  const rows = createOrderExportRowsStore(server.database.db)
  const store = createOrderExportsStore(server.database.db)
  const orderExports = createOrderExports({
    store,
    rows: { ...rows, read: otherwise(rows.read) },
    freshen: async () => {},
    clock: systemClock,
  })
  const app = await buildApp(
    { ...server.services, orderExports },
    {
      log: silentLog,
      trustProxy: false,
      publicUrl: 'http://localhost:3000',
      webFolder: '/nowhere',
      previewHosts: [],
    },
  )
  onTestFinished(() => app.close())
  return listen(app)
}

/** The first portions at once, and each of the others late. */
function slowly(read: Read): Read {
  let portions = 0
  return async (...from) => {
    portions += 1
    if (portions > 2) await new Promise((resolve) => setTimeout(resolve, 500))
    return read(...from)
  }
}

describe('a file that fails', () => {
  it.each(['csv', 'xlsx'])(
    'breaks its connection, so that a part is not taken for the whole: %s',
    async (format) => {
      let portions = 0
      const other = await appThatReads((read) => (...from) => {
        portions += 1
        return portions > 3 ? Promise.reject(new Error('the database is gone')) : read(...from)
      })
      const { id } = await start({ format })
      const { broken } = await rest(await begin(id, other))
      expect(broken).toMatchObject({ code: 'ECONNRESET' })
      const failed = await becomes(id, 'failed')
      expect(failed.done).toBe(3 * PORTION)
    },
  )

  it('is told as failed when its process has died', async () => {
    const { id } = await start()
    await server.database.pool.query(
      "update order_exports set state = 'running', moved_at = now() - interval '31 seconds'",
    )
    expect((await look(id)).state).toBe('failed')
  })
})

describe('files', () => {
  it('are three at once at most; those that nobody takes for two minutes count no more', async () => {
    for (let n = 0; n < 3; n += 1) await start()
    const refused = await inject('POST', '', { format: 'csv' })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '120'])
    expect(refused.json()).toMatchObject({ code: 'exports.too_many' })
    await server.database.pool.query(
      `update order_exports set moved_at = now() - interval '121 seconds'
       where id = (select id from order_exports limit 1)`,
    )
    expect((await start()).state).toBe('ready')
  })

  it('are three at once also if they are asked for at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => inject('POST', '', { format: 'xlsx' })),
    )
    expect(statuses(replies)).toEqual([200, 200, 200, 429, 429, 429])
  })

  it('of another pharmacy are not there', async () => {
    const { id } = await start()
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['GET', `/${id}/file`],
      ['HEAD', `/${id}/file`],
      ['DELETE', `/${id}`],
    ] as const) {
      const url = `/api/orders/exports${path}`
      const reply = await server.app.inject({ method, url, headers: callers['other'] ?? {} })
      expect([method, reply.statusCode]).toEqual([method, 404])
    }
    expect((await look(id)).state).toBe('ready')
    expect(await codeOf(inject('GET', `/${randomUUID()}`))).toEqual([404, 'exports.not_found'])
  })

  it('can be had for an hour', async () => {
    const { id } = await start()
    await server.database.pool.query(
      "update order_exports set created_at = now() - interval '61 minutes'",
    )
    expect(await codeOf(inject('GET', `/${id}/file`))).toEqual([404, 'exports.not_found'])
  })

  it('leave nothing of what was looked for when they have ended, and nothing at all after a day', async () => {
    const { id } = await start({ stato: ['Confermato'] })
    const kept = () => server.database.pool.query('select sought from order_exports')
    expect((await kept()).rows).toEqual([{ sought: { stato: ['Confermato'] } }])
    await inject('GET', `/${id}/file`)
    expect((await kept()).rows).toEqual([{ sought: {} }])
    const young = await start()
    await server.database.pool.query(
      `update order_exports set created_at = now() - interval '25 hours',
         moved_at = now() - interval '25 hours'
       where id = $1`,
      [id],
    )
    await server.jobs.tasks[EXPORT_CLEANUP_TASK]?.({})
    expect(await codeOf(inject('GET', `/${id}`))).toEqual([404, 'exports.not_found'])
    expect((await look(young.id)).state).toBe('ready')
    expect(server.jobs.daily?.map(({ task }) => task)).toContain(EXPORT_CLEANUP_TASK)
  })

  it('hold what the order store has by then', async () => {
    const db = server.database.db
    const asked: string[] = []
    const exports = createOrderExports({
      store: createOrderExportsStore(db),
      rows: createOrderExportRowsStore(db),
      freshen: async (pharmacyId) => void asked.push(pharmacyId),
      clock: systemClock,
    })
    const orderSource = { baseId: 'appAAAAAAAAAAAAAA', tableId: 'tblAAAAAAAAAAAAAA' }
    await exports.start({ id: ownId, orderSource }, { format: 'csv' })
    await exports.start({ id: ownId, orderSource: null }, { format: 'csv' })
    expect(asked).toEqual([ownId])
  })
})
