import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OrderExport } from '@bancone/contract/order-exports'
import { parse } from 'csv-parse/sync'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { untilBlocked } from '../../../../test/lock-waits.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { buildApp } from '../../../http/app.ts'
import type { Http } from '../../../http/app-module.ts'
import { createAudit } from '../../../platform/audit.ts'
import { systemClock } from '../../../ports/clock.ts'
import { orderExportRoutes } from '../orders.routes.ts'
import { createOrderExports } from './order-exports.service.ts'
import {
  BATCH_SIZE,
  createOrderExportsStore,
  EXPORT_CLEANUP_TASK,
  type OrderExportsStore,
} from './order-exports.store.ts'

/** Three portions. */
const ORDERS = 1_100
const CONFIRMED = 100
/** Orders of a pharmacy whose file does not fit into the buffers of a connection. */
const LARGE = 2_500

type Caller = { authorization: string }

const actor = { actorId: randomUUID(), address: '203.0.113.7', agent: null }

let server: TestServer
let ownId: string
let port: number
let own: Caller
let large: Caller

beforeAll(async () => {
  server = await testServer()
  ownId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  const largeId = await server.addPharmacy({ email: 'large@example.it', code: 'PHARM-0002' })
  own = await server.signIn('own@example.it')
  large = await server.signIn('large@example.it')
  for (const [id, orders, details] of [
    [ownId, ORDERS, 'NRE 1300A4000000248 cf RSSMRA79B11C566R'],
    [largeId, LARGE, '💊'.repeat(2_000)],
  ]) {
    await query(
      `insert into pharmacy_orders (pharmacy_id, airtable_order_id, customer_name, order_details,
         status, airtable_created, airtable_last, seen_at)
       select $1, 'rec' || n, 'Anna', $4, case when n <= $3 then 'Confermato' else 'In attesa' end,
         '2026-01-01'::timestamptz + make_interval(mins => n), now(), now()
       from generate_series(1, $2::int) n`,
      id,
      orders,
      CONFIRMED,
      details,
    )
  }
  port = await listen(server.app)
})

beforeEach(async () => {
  await query('delete from order_exports')
})

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

function inject(
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE',
  path = '',
  { payload, headers = own }: { payload?: object; headers?: Caller } = {},
) {
  const url = `/api/orders/exports${path}`
  return server.app.inject({ method, url, headers, ...(payload && { payload }) })
}

async function start(sought: object = {}, headers = own): Promise<OrderExport> {
  return (await inject('POST', '', { payload: { format: 'csv', ...sought }, headers })).json()
}

async function look(id: string, headers = own): Promise<OrderExport> {
  return (await inject('GET', `/${id}`, { headers })).json()
}

async function codeOf(reply: ReturnType<typeof inject>) {
  const { statusCode, body } = await reply
  return [statusCode, body === '' ? null : (JSON.parse(body) as { code?: string }).code]
}

const rowsOf = (file: string | Buffer): Record<string, string>[] =>
  parse(file, { bom: true, delimiter: ';', columns: true })

/** Those of several replies, the least first. */
function statuses(replies: readonly { statusCode: number }[]): number[] {
  return replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
}

/** Begins to take a file and takes nothing of it yet. */
async function begin(id: string, { at = port, headers = own } = {}): Promise<IncomingMessage> {
  const path = `http://127.0.0.1:${at}/api/orders/exports/${id}/file`
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get(path, { headers, agent: false }, resolve).on('error', reject)
  })
  onTestFinished(() => void reply.destroy())
  return reply
}

/** Takes the rest. @returns the file, and how it was cut off if it was */
async function rest(reply: IncomingMessage) {
  const pieces: Buffer[] = []
  const broken = await (async () => {
    for await (const piece of reply) pieces.push(Buffer.from(piece as Uint8Array))
  })().catch((error: unknown) => error)
  return { file: Buffer.concat(pieces), broken }
}

function becomes(id: string, state: OrderExport['state'], headers = own): Promise<OrderExport> {
  return vi.waitFor(
    async () => {
      const found = await look(id, headers)
      expect(found.state).toBe(state)
      return found
    },
    { timeout: 10_000, interval: 50 },
  )
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
    expect(rowsOf(taken.rawPayload)).toHaveLength(CONFIRMED)
    expect(await look(id)).toMatchObject({ state: 'done', done: CONFIRMED, total: CONFIRMED })
    const refused = await inject('GET', `/${id}/file`)
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([
      409,
      'exports.taken',
    ])
    expect(refused.headers['content-disposition']).toBeUndefined()
    expect(refused.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('is given to one of those who want it at the same time', async () => {
    const { id } = await start({ stato: ['Confermato'] })
    const orderExports = exportsOver()
    const owner = { id: ownId, pageSource: null }
    // Both have found it ready before either begins.
    const take = () => orderExports.take(owner, id, actor)
    const wanted = await Promise.all([take(), take()])
    const opened = await Promise.allSettled(wanted.map((file) => file.open()))
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(opened.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'exports.taken' },
    })
  })

  it('is in the trail once it is taken, with who took it', async () => {
    const recorded = async () => {
      const { rows } = await server.database.pool.query<object>(
        `select actor_id, address is not null as "hasAddress", details from audit_events
         where action = 'orders_exported' and user_id = $1 and actor_id = $1`,
        [ownId],
      )
      return rows
    }
    const before = await recorded()
    const { id } = await start({ stato: ['Confermato'] })
    await inject('HEAD', `/${id}/file`)
    expect(await recorded()).toEqual(before)
    expect((await inject('GET', `/${id}/file`)).statusCode).toBe(200)
    expect((await inject('GET', `/${id}/file`)).statusCode).toBe(409)
    expect((await recorded()).slice(before.length)).toEqual([
      { actor_id: ownId, hasAddress: true, details: { format: 'csv', orders: CONFIRMED } },
    ])
  })

  it('leaves nothing of the orders in what is kept of it, in jobs or in the trail', async () => {
    const { id } = await start({ stato: ['Confermato'] })
    const taken = await inject('GET', `/${id}/file`)
    expect(taken.body).toContain('1300A4000000248')
    const { rows } = await query(
      `select to_jsonb(each)::text as kept from order_exports each
       union all select to_jsonb(each)::text from graphile_worker._private_jobs each
       union all select to_jsonb(each)::text from audit_events each`,
    )
    expect(JSON.stringify(rows)).toContain(id)
    expect(JSON.stringify([rows, taken.headers])).not.toMatch(/4000000248|RSSMRA79B11C566R/i)
  })

  it('stays for who asks for its head alone', async () => {
    const { id, fileName } = await start()
    const head = await inject('HEAD', `/${id}/file`)
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers['content-disposition']).toBe(`attachment; filename="${fileName}"`)
    expect((await look(id)).state).toBe('ready')
  })

  it('moves no faster than it is taken, says how far it is, and is known to be under way', async () => {
    const { id } = await start({}, large)
    const reply = await begin(id, { headers: large })
    await vi.waitUntil(async () => (await look(id, large)).done > 0, { timeout: 10_000 })
    let before = -1
    await vi.waitUntil(
      async () => {
        const { done } = await look(id, large)
        const isStill = done === before
        before = done
        return isStill
      },
      { timeout: 10_000, interval: 1_200 },
    )
    expect(await look(id, large)).toMatchObject({ state: 'running', total: LARGE })
    expect(before).toBeLessThan(LARGE)
    await query("update order_exports set moved_at = moved_at - interval '40 seconds'")
    expect((await look(id, large)).state).toBe('failed')
    await becomes(id, 'running', large)
    const { file, broken } = await rest(reply)
    expect(broken).toBeUndefined()
    expect(file.subarray(-30).toString()).toMatch(/;rec1\r\n$/)
    expect(await look(id, large)).toMatchObject({ state: 'done', done: LARGE })
  })

  it('holds an order that moves in the list meanwhile once, and none that has another status by then', async () => {
    const { id } = await start({ ordina: 'aggiornati', stato: ['In attesa'] })
    const taken = await exportsOver().take({ id: ownId, pageSource: null }, id, actor)
    const { parts } = await taken.open()
    let text = ''
    for await (const part of parts) {
      if (text === '') {
        await query(
          "update pharmacy_orders set airtable_last = now() + interval '1 hour' where airtable_order_id = 'rec101'",
        )
        await query(
          "update pharmacy_orders set status = 'Annullato' where airtable_order_id = 'rec102'",
        )
      }
      text += String(part)
    }
    const ids = rowsOf(text).map((row) => row['ID Record'])
    expect(ids.filter((each) => each === 'rec101')).toHaveLength(1)
    expect(ids).not.toContain('rec102')
    expect(new Set(ids).size).toBe(ids.length)
    expect(await look(id)).toMatchObject({ state: 'done', done: ids.length, total: ids.length })
  })
})

describe('a file that is given up', () => {
  it('is cancelled when its taker hangs up', async () => {
    const { id } = await start({}, large)
    const reply = await begin(id, { headers: large })
    await once(reply, 'readable')
    reply.destroy()
    const { done } = await becomes(id, 'cancelled', large)
    expect(done).toBeLessThan(LARGE)
    const again = inject('GET', `/${id}/file`, { headers: large })
    expect(await codeOf(again)).toEqual([409, 'exports.taken'])
  })

  it('breaks its connection, in whichever process it was given up', async () => {
    const { id } = await start()
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let portions = 0
    const at = await appThatReads((read) => async (...from) => {
      portions += 1
      if (portions > 1) await held
      return read(...from)
    })
    const taken = rest(await begin(id, { at }))
    expect(await codeOf(inject('DELETE', `/${id}`))).toEqual([200, undefined])
    goOn()
    expect((await taken).broken).toMatchObject({ code: 'ECONNRESET' })
    expect((await look(id)).state).toBe('cancelled')
  })

  it('cannot be taken any more, and stays done if it was', async () => {
    const cancelled = await start()
    await inject('DELETE', `/${cancelled.id}`)
    expect((await look(cancelled.id)).state).toBe('cancelled')
    expect(await codeOf(inject('GET', `/${cancelled.id}/file`))).toEqual([409, 'exports.taken'])
    const { id } = await start({ stato: ['Confermato'] })
    await inject('GET', `/${id}/file`)
    expect(await codeOf(inject('DELETE', `/${id}`))).toEqual([200, undefined])
    expect((await look(id)).state).toBe('done')
  })
})

type Read = OrderExportsStore['read']

/** The service, with these parts of its own. */
function exportsOver({
  read,
  ensureFresh = async () => {},
}: {
  read?: (read: Read) => Read
  ensureFresh?(id: string): Promise<void>
} = {}) {
  const { db } = server.database
  const store = createOrderExportsStore(db)
  return createOrderExports({
    store: read ? { ...store, read: read(store.read) } : store,
    ensureFresh,
    audit: createAudit(db),
    clock: systemClock,
  })
}

/** Another process, which reads orders otherwise. @returns where it listens */
async function appThatReads(read: (read: Read) => Read): Promise<number> {
  const orderExports = exportsOver({ read })
  const store = createOrderExportsStore(server.database.db)
  const routes = (http: Http) => orderExportRoutes(http, orderExports, store)
  const app = await buildApp(
    { ...server, modules: [{ routes }] },
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

describe('a file that fails', () => {
  it.each(['csv', 'xlsx'])(
    'breaks its connection, so that a part is not taken for the whole: %s',
    async (format) => {
      let portions = 0
      const at = await appThatReads((read) => (...from) => {
        portions += 1
        return portions > 2 ? Promise.reject(new Error('the database is gone')) : read(...from)
      })
      const { id } = await start({ format })
      const { broken } = await rest(await begin(id, { at }))
      expect(broken).toMatchObject({ code: 'ECONNRESET' })
      expect((await becomes(id, 'failed')).done).toBe(2 * BATCH_SIZE)
    },
  )

  it('is told as failed when its process has died', async () => {
    const { id } = await start()
    await query(
      "update order_exports set state = 'running', moved_at = now() - interval '31 seconds'",
    )
    expect((await look(id)).state).toBe('failed')
  })
})

describe('files', () => {
  it('are three at once at most; those that are not read for two minutes count no more', async () => {
    for (let n = 0; n < 3; n += 1) await start()
    const refused = await inject('POST', '', { payload: { format: 'csv' } })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '120'])
    expect(refused.json()).toMatchObject({ code: 'exports.too_many' })
    await query(
      `update order_exports set moved_at = now() - interval '121 seconds'
       where id = (select id from order_exports limit 1)`,
    )
    expect((await start()).state).toBe('ready')
  })

  it('are three at once also if they are asked for at the same time', async () => {
    const holder = await server.database.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select from pharmacies where id = $1 for no key update', [ownId])
      const replies = Promise.all(
        Array.from({ length: 12 }, () => inject('POST', '', { payload: { format: 'xlsx' } })),
      )
      await untilBlocked(server.database.pool, 4)
      await holder.query('commit')
      const counted = async (status: number) =>
        statuses(await replies).filter((each) => each === status).length
      expect([await counted(200), await counted(429)]).toEqual([3, 9])
    } finally {
      holder.release(true)
    }
  })

  it('can be had for an hour', async () => {
    const { id } = await start()
    await query("update order_exports set created_at = now() - interval '61 minutes'")
    expect(await codeOf(inject('GET', `/${id}/file`))).toEqual([404, 'exports.not_found'])
  })

  it('leave nothing of what was looked for when they have ended, and nothing at all after a day', async () => {
    const { id } = await start({ stato: ['Confermato'] })
    const kept = () => query('select sought from order_exports')
    expect((await kept()).rows).toEqual([{ sought: { stato: ['Confermato'] } }])
    await inject('GET', `/${id}/file`)
    expect((await kept()).rows).toEqual([{ sought: {} }])
    const young = await start()
    await query(
      `update order_exports set created_at = now() - interval '25 hours',
         moved_at = now() - interval '25 hours'
       where id = $1`,
      id,
    )
    await server.runTask(EXPORT_CLEANUP_TASK)
    expect(await codeOf(inject('GET', `/${id}`))).toEqual([404, 'exports.not_found'])
    expect((await look(young.id)).state).toBe('ready')
    expect(server.jobs.daily).toHaveProperty([EXPORT_CLEANUP_TASK])
  })

  it('hold what the order store has by then', async () => {
    const asked: string[] = []
    const exports = exportsOver({ ensureFresh: async (pharmacyId) => void asked.push(pharmacyId) })
    const pageSource = { baseId: 'appAAAAAAAAAAAAAA', tableId: 'tblAAAAAAAAAAAAAA' }
    await exports.start({ id: ownId, pageSource }, { format: 'csv' })
    await exports.start({ id: ownId, pageSource: null }, { format: 'csv' })
    expect(asked).toEqual([ownId])
  })
})
