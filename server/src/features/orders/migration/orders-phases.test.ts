import { setTimeout as pause } from 'node:timers/promises'
import type { ErrorBody } from '@bancone/contract/errors'
import type { OrdersPage } from '@bancone/contract/orders'
import type { MigrationDetail, OrdersPhase } from '@bancone/contract/orders-migration'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type MigrationServer, migrationServer } from '../../../../test/migration-server.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'

let world: MigrationServer

/** On a busy machine. */
const patience = { timeout: 20_000, interval: 50 }

beforeAll(async () => {
  world = await migrationServer()
})

const phaseUrl = (id: string) => `${world.root}/pharmacies/${id}/phase`

function move(id: string, from: OrdersPhase, to: OrdersPhase, reason?: string, status = 200) {
  const body = { from, to, ...(reason && { reason }) }
  return world.call<MigrationDetail>('POST', phaseUrl(id), body, status)
}

/** A pharmacy in `database`, with that many orders. */
async function migrated(count: number) {
  const made = await world.addPharmacy()
  const ids = world.fill(made.location, count)
  await world.run(made.id, { mode: 'full' })
  await move(made.id, 'airtable', 'shadow')
  await vi.waitFor(async () => {
    expect((await world.detail(made.id)).shadow?.checks).toBeGreaterThan(0)
  }, patience)
  await move(made.id, 'shadow', 'database', 'Passaggio anticipato per la prova')
  const headers = await world.server.signIn(`${made.code}@example.it`.toLowerCase())
  return { ...made, ids, headers }
}

/** At once, in whatever state its copy is. */
const enterDatabase = (id: string) =>
  world.server.database.pool.query(
    'update pharmacies set use_supabase_orders = true where id = $1',
    [id],
  )

type Migrated = Awaited<ReturnType<typeof migrated>>

async function page({ headers }: Migrated): Promise<OrdersPage> {
  const request = { url: '/api/airtable-orders?pageSize=100', headers }
  return (await world.server.app.inject(request)).json()
}

function statusesThere({ baseId, tableId }: SourceLocation): Map<string, unknown> {
  return new Map(world.airtable.all(baseId, tableId).map(({ id, fields }) => [id, fields['Stato']]))
}

async function statusesHere(id: string): Promise<Map<string, unknown>> {
  return new Map((await world.orders(id)).map((order) => [order.id, order.status]))
}

describe('the way to the database', () => {
  it('needs an equal verification, then a day without differences or a reason', async () => {
    const { id, location } = await world.addPharmacy()
    world.fill(location, 20)
    await move(id, 'airtable', 'shadow', undefined, 409)
    await world.run(id, { mode: 'full' })
    await move(id, 'shadow', 'database', undefined, 409)
    expect((await move(id, 'airtable', 'shadow')).use_supabase_orders).toBe(false)
    await vi.waitFor(async () => {
      expect((await world.detail(id)).shadow).toMatchObject({ checks: 1, mismatches: 0 })
    }, patience)
    const { steps } = await world.detail(id)
    expect(steps[0]).toMatchObject({ to: 'database', isPossible: true, needsReason: true })
    expect(steps[0]?.needs.at(-1)?.text).toContain('mancano 24 ore')
    await move(id, 'shadow', 'database', undefined, 409)
    expect(await move(id, 'shadow', 'database', 'Deciso con il titolare')).toMatchObject({
      phase: 'database',
      use_supabase_orders: true,
      badge: 'Sincronizzato',
    })
    const { rows } = await world.server.database.pool.query(
      `select changes, details from audit_events
       where action = 'orders_phase_changed' and pharmacy_id = $1 and outcome = 'done' order by at`,
      [id],
    )
    expect(rows).toMatchObject([
      { changes: { orders_phase: { before: 'airtable', after: 'shadow' } } },
      {
        changes: { orders_phase: { before: 'shadow', after: 'database' } },
        details: { reason: 'Deciso con il titolare' },
      },
    ])
  })

  it('starts the day anew when the comparison finds a difference', async () => {
    const { id, location } = await world.addPharmacy()
    const ids = world.fill(location, 20)
    await world.run(id, { mode: 'full' })
    await move(id, 'airtable', 'shadow')
    const { pool } = world.server.database
    await vi.waitFor(async () => expect((await world.detail(id)).shadow?.checks).toBe(1), patience)
    await pool.query(
      `update order_migrations set clean_since = now() - interval '2 days' where pharmacy_id = $1`,
      [id],
    )
    expect((await world.detail(id)).steps[0]?.needsReason).toBe(false)
    await pool.query(
      `update pharmacy_orders set customer_name = 'altro' where pharmacy_id = $1 and airtable_order_id = $2`,
      [id, ids[19]],
    )
    await pool.query(
      'update order_migrations set check_at = now(), checked_until = null where pharmacy_id = $1',
      [id],
    )
    await vi.waitFor(async () => expect((await world.detail(id)).shadow?.mismatches).toBe(1), {
      timeout: 10_000,
    })
    expect((await world.detail(id)).steps[0]?.needsReason).toBe(true)
  })
})

describe('in the database', () => {
  it('pages do not wait for Airtable, and what is written there still arrives', async () => {
    const there = await migrated(30)
    const { id, location } = there
    expect((await page(there)).freshness).toMatchObject({ source: 'database', stale: false })
    const { baseId, tableId } = location
    const [added] = world.airtable.create(baseId, tableId, [{ fields: { Cliente: 'Nuova' } }])
    const { pool } = world.server.database
    // The next poll is due at once, although no page is open.
    const due = `update order_copies set poll_at = now(), watched_until = null where pharmacy_id = $1`
    await vi.waitFor(
      async () => {
        await pool.query(due, [id])
        expect((await world.orders(id)).map((order) => order.id)).toContain(added)
      },
      { ...patience, interval: 300 },
    )
  })

  it('an order that was deleted in Airtable stays, and its changes are done', async () => {
    const there = await migrated(5)
    const { baseId, tableId } = there.location
    const [gone = ''] = there.ids
    world.airtable.remove(baseId, tableId, gone)
    const request = {
      method: 'PATCH' as const,
      url: `/api/airtable-orders/${gone}`,
      headers: there.headers,
      payload: { fields: { Stato: 'Annullato' } },
    }
    expect((await world.server.app.inject(request)).statusCode).toBe(200)
    await vi.waitFor(async () => expect((await world.detail(there.id)).waiting).toBe(0), patience)
    expect((await statusesHere(there.id)).get(gone)).toBe('Annullato')
  })
})

describe('the switch of the list', () => {
  it('leads to the database by the rules of its page, and names what is missing', async () => {
    const { id, location } = await world.addPharmacy()
    world.fill(location, 3)
    const url = `/api/admin/pharmacies/${id}`
    const on = { use_supabase_orders: true }
    const refused = async () => (await world.call<ErrorBody>('PATCH', url, on, 409)).error
    expect(await refused()).toBe(
      'Per leggere gli ordini dal database manca: Verifica completa senza differenze nelle ultime 24 ore; 24 ore di confronto senza differenze.',
    )
    await world.run(id, { mode: 'full' })
    await move(id, 'airtable', 'shadow')
    await vi.waitFor(async () => expect((await world.detail(id)).shadow?.checks).toBe(1), patience)
    expect(await refused()).toMatch(/manca: 24 ore senza differenze \(mancano 24 ore\)\.$/)
    await world.server.database.pool.query(
      `update order_migrations set clean_since = now() - interval '2 days' where pharmacy_id = $1`,
      [id],
    )
    expect(await world.call('PATCH', url, on)).toMatchObject({ pharmacy: on })
    expect((await world.detail(id)).phase).toBe('database')
  })

  it('leads back to Airtable by the run that first brings all changes there', async () => {
    const there = await migrated(5)
    const { baseId, tableId } = there.location
    const url = `/api/admin/pharmacies/${there.id}`
    // Airtable's own differences: a record that is gone, and one with a cell that cannot be read.
    world.airtable.remove(baseId, tableId, there.ids[0] ?? '')
    world.airtable.update(baseId, tableId, there.ids[1] ?? '', { Cliente: { error: '#ERROR!' } })
    const off = { use_supabase_orders: false }
    const still = { pharmacy: { use_supabase_orders: true } }
    expect(await world.call('PATCH', url, off)).toMatchObject(still)
    expect(await world.ended((await world.detail(there.id)).run?.id ?? '')).toMatchObject({
      mode: 'back',
      state: 'completed_with_errors',
      counts: { toFix: 1, onlyHere: 1 },
    })
    expect(await world.call('GET', url)).toMatchObject({ pharmacy: off })
  })
})

describe('twenty writers', () => {
  it('lose nothing on the way there and back, and both sides are equal', async () => {
    const { id, code, location } = await world.addPharmacy()
    const ids = world.fill(location, 40)
    await world.run(id, { mode: 'full' })
    const headers = await world.server.signIn(`${code}@example.it`.toLowerCase())
    const statuses = ['Confermato', 'Annullato', 'Prenotato Domani', 'In attesa']
    const wanted = new Map<string, string>()
    const writing = new AbortController()
    onTestFinished(() => writing.abort())
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      const own = ids.slice(writer * 2, writer * 2 + 2)
      for (let n = 0; !writing.signal.aborted; n += 1) {
        const recordId = own[n % own.length] ?? ''
        const status = statuses[(n + writer) % statuses.length] ?? ''
        const request = {
          method: 'PATCH' as const,
          url: `/api/airtable-orders/${recordId}`,
          headers,
          payload: { fields: { Stato: status } },
        }
        const reply = await world.server.app.inject(request)
        expect(reply.statusCode, reply.body).toBe(200)
        wanted.set(recordId, status)
        // Without it they would take the processor from what they are to disturb.
        await pause(50)
      }
    })
    await enterDatabase(id)
    expect((await world.detail(id)).phase).toBe('database')
    const back = await move(id, 'database', 'airtable')
    expect(back.phase).toBe('database')
    expect(await world.ended(back.run?.id ?? '')).toMatchObject({
      mode: 'back',
      state: 'completed',
      verification: { equal: true },
    })
    expect((await world.detail(id)).phase).toBe('airtable')
    writing.abort()
    await Promise.all(writers)
    await vi.waitFor(async () => {
      // Changes that were not pushed at once are pushed with a reading.
      await world.server.readOrders(id, location)
      expect((await world.detail(id)).waiting).toBe(0)
    }, patience)
    expect(statusesThere(location)).toEqual(await statusesHere(id))
    for (const [recordId, status] of wanted) {
      expect(statusesThere(location).get(recordId)).toBe(status)
    }
    const verified = await world.run(id, { mode: 'verify' })
    expect(verified.verification).toMatchObject({ equal: true })
  }, 60_000)
})

describe('the backup', () => {
  it('is deleted by its code only where no page needs it, and restored', async () => {
    const { id, code, location } = await world.addPharmacy()
    world.fill(location, 10)
    await world.run(id, { mode: 'full' })
    const stats = () => world.call('GET', `/api/supabase-orders-stats?pharmacyId=${id}`)
    const remove = (typed: string | undefined, status: number) =>
      world.call('DELETE', '/api/supabase-orders-cleanup', { pharmacyId: id, code: typed }, status)
    const { pool } = world.server.database
    const gone = () =>
      pool.query("select id from order_events where kind = 'gone' and pharmacy_id = $1", [id])
    const { lastMigration: at } = await world.detail(id)
    expect(at).not.toBeNull()
    await remove('PHARM-0000', 422)
    await enterDatabase(id)
    await remove(code, 409)
    await world.call('PATCH', `/api/admin/pharmacies/${id}`, { use_supabase_orders: false })
    await world.ended((await world.detail(id)).run?.id ?? '')
    expect(await stats()).toMatchObject({ count: 10, lastMigration: at })
    await remove(code.toLowerCase(), 200)
    expect(await stats()).toEqual({ count: 0, lastMigration: null })
    expect(await world.orders(id)).toHaveLength(10)
    expect((await gone()).rows).toEqual([])
    const { deletedBackup } = await world.detail(id)
    expect(deletedBackup).toMatchObject({ orders: 10 })
    await world.call('POST', `${world.root}/pharmacies/${id}/backup`)
    expect(await stats()).toMatchObject({ count: 10, lastMigration: at })
    await world.call('POST', `${world.root}/pharmacies/${id}/backup`, undefined, 409)
    // As other programs call it.
    await remove(undefined, 200)
    expect(await stats()).toMatchObject({ count: 0 })
  })

  it('takes batches of other programs, and overwrites when told to', async () => {
    const { id } = await world.addPharmacy()
    const order = {
      airtable_order_id: 'recBatch0000000001',
      order_number: 12,
      customer_name: 'Anna',
      airtable_created: '2026-01-05T10:00:00+01:00',
    }
    const send = (orders: object[], overwrite: boolean) =>
      world.call('POST', '/api/supabase-orders-batch', { pharmacyId: id, orders, overwrite })
    expect(
      await send([order, { ...order, airtable_order_id: 'recBatch0000000002' }], true),
    ).toEqual({
      inserted: 2,
    })
    expect(await send([{ ...order, customer_name: 'Bea' }], false)).toEqual({ inserted: 0 })
    expect(await send([{ ...order, customer_name: 'Bea' }], true)).toEqual({ inserted: 1 })
    expect(await world.orders(id)).toMatchObject([
      { id: 'recBatch0000000001', status: 'In attesa', name: 'Bea' },
      { id: 'recBatch0000000002', name: 'Anna' },
    ])
    // What is no web address is no link: the order is taken without it, and a finding says so.
    const image_url = 'javascript:alert(1)'
    const linked = { ...order, airtable_order_id: 'recBatch0000000003', image_url }
    const sound = {
      ...linked,
      airtable_order_id: 'recBatch0000000004',
      image_url: 'https://x.it/1',
    }
    expect(await send([linked, sound], true)).toEqual({ inserted: 2 })
    const { rows } = await world.server.database.pool.query(
      `select airtable_order_id as id, image_url, aside.reason from pharmacy_orders record
      left join order_set_aside aside on aside.record_id = record.airtable_order_id
      where airtable_order_id = any($1) order by 1`,
      [['recBatch0000000003', 'recBatch0000000004']],
    )
    expect(rows).toEqual([
      { id: 'recBatch0000000003', image_url: null, reason: 'kept; cannot be read: Image' },
      { id: 'recBatch0000000004', image_url: 'https://x.it/1', reason: null },
    ])
  })
})
