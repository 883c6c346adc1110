import { randomBytes } from 'node:crypto'
import type { Response } from '@bancone/contract/endpoint'
import type { MigrationProgress, MigrationRun } from '@bancone/contract/migration-runs'
import type { getMigrationOverview } from '@bancone/contract/orders-migration'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { untilBlocked } from '../../../../test/lock-waits.ts'
import { type MigrationServer, migrationServer } from '../../../../test/migration-server.ts'

type Overview = Response<typeof getMigrationOverview>

let world: MigrationServer

/** On a busy machine. */
const patience = { timeout: 20_000, interval: 50 }

beforeAll(async () => {
  world = await migrationServer({ timeLimitMs: 1_000 })
})

/** All that a dry run must not touch. */
async function contents(): Promise<unknown> {
  const { pool } = world.server.database
  const { rows } = await pool.query(
    `select (select json_agg(o order by id) from pharmacy_orders o) as orders,
      (select json_agg(c order by pharmacy_id) from pharmacy_order_counts c) as counts,
      (select json_agg(e order by id) from order_events e) as events,
      (select json_agg(m order by pharmacy_id) from order_migrations m) as states`,
  )
  return rows
}

describe('a dry run', () => {
  it('changes nothing, and says what the run that follows does', async () => {
    const { id, location } = await world.addPharmacy()
    const ids = world.fill(location, 130)
    await world.run(id, { mode: 'full' })
    // Although its orders were never read before.
    expect(await world.detail(id)).toMatchObject({ airtableCount: 130, supabaseCount: 130 })
    const { baseId, tableId } = location
    world.fill(location, 5)
    world.airtable.update(baseId, tableId, ids[3] ?? '', {
      Cliente: 'Mario Rossi',
      Stato: 'Pronto',
    })
    world.airtable.update(baseId, tableId, ids[4] ?? '', { Cliente: { error: '#ERROR!' } })
    world.airtable.remove(baseId, tableId, ids[5] ?? '')
    const before = await contents()
    const dry = await world.run(id, { mode: 'dry_run' })
    expect(await contents()).toEqual(before)
    expect(dry.state).toBe('completed_with_errors')
    expect(dry.counts).toMatchObject({
      read: 134,
      new: 5,
      changed: 2,
      same: 127,
      refused: 0,
      toFix: 1,
      onlyHere: 1,
    })
    expect(dry.dryRun).toMatchObject({
      changedColumns: [
        { column: 'Last', orders: 2 },
        { column: 'Cliente', orders: 1 },
        { column: 'Stato', orders: 1 },
      ],
      unknownStatuses: [{ status: 'Pronto', orders: 1, proposed: 'Confermato' }],
      refused: [{ reason: 'cells', records: 1 }],
      missingColumns: [],
      duplicates: { total: 0, numbers: [] },
    })
    expect(dry.dryRun?.examples.changed).toMatchObject([
      { recordId: ids[3], customer: 'M••• R•••' },
      { recordId: ids[4], columns: ['Last'] },
    ])
    expect(dry.dryRun?.examples.onlyHere).toMatchObject([{ recordId: ids[5] }])
    const full = await world.run(id, { mode: 'full', statusMapping: { Pronto: 'Confermato' } })
    expect(full.counts).toEqual(dry.counts)
    // Also written to Airtable, like a change made by hand.
    await vi.waitFor(() => {
      const there = world.airtable.all(baseId, tableId).find((record) => record.id === ids[3])
      expect(there?.fields['Stato']).toBe('Confermato')
    }, patience)
  })
})

describe('records with columns that cannot be read', () => {
  it('are imported without them, listed in a file, and tried again alone', async () => {
    const { id, code, location } = await world.addPharmacy()
    const { baseId, tableId } = location
    const ids = world.fill(location, 210)
    const broken = [ids[7], ids[110], ids[209]].map((recordId) => recordId ?? '')
    world.airtable.update(baseId, tableId, broken[0] ?? '', { Cliente: { error: '#ERROR!' } })
    world.airtable.update(baseId, tableId, broken[1] ?? '', { 'Phone Number': [{}] })
    world.airtable.update(baseId, tableId, broken[2] ?? '', { Image: { specialValue: 'NaN' } })
    const full = await world.run(id, { mode: 'full' })
    expect(full).toMatchObject({
      state: 'completed_with_errors',
      counts: { new: 210, refused: 0, toFix: 3 },
    })
    expect(full.verification).toMatchObject({
      equal: false,
      airtable: 210,
      database: 210,
      different: 0,
      unreadable: 0,
      toFix: 3,
    })
    expect(await world.orders(id)).toHaveLength(210)
    const file = await world.text(`${world.root}/runs/${full.id}/items/file?kind=refused`)
    expect(file.trim().split('\r\n')).toHaveLength(4)
    for (const recordId of broken) expect(file).toContain(recordId)
    expect(file).toContain('Il valore di Phone Number non si può leggere.')
    expect(file).not.toContain('ERROR')

    world.airtable.update(baseId, tableId, broken[0] ?? '', { Cliente: 'Sana' })
    world.airtable.update(baseId, tableId, broken[1] ?? '', { 'Phone Number': '333 1234567' })
    const requests = world.airtable.requests().byKind.list
    const before = await world.detail(id)
    const again = await world.call<MigrationRun>('POST', `${world.root}/runs/${full.id}/retry`)
    const retried = await world.ended(again.id)
    expect(retried).toMatchObject({ total: 3, counts: { read: 3, changed: 2, same: 1, toFix: 1 } })
    expect(world.airtable.requests().byKind.list - requests).toBeLessThan(6)
    expect(await world.orders(id)).toHaveLength(210)
    const left = await world.call<{ items: { resolvedAt: string | null }[] }>(
      'GET',
      `${world.root}/runs/${full.id}/items?kind=refused`,
    )
    expect(left.items.filter(({ resolvedAt }) => resolvedAt === null)).toHaveLength(1)
    expect(await world.call('GET', `${world.root}/runs/${full.id}`)).toMatchObject({
      items: [{ kind: 'refused', total: 3, open: 1 }],
    })
    // Three records are no migration of the pharmacy.
    const { lastMigration, airtableCount } = await world.detail(id)
    expect({ lastMigration, airtableCount }).toEqual({
      lastMigration: before.lastMigration,
      airtableCount: 210,
    })
    world.airtable.update(baseId, tableId, broken[2] ?? '', { Image: null })
    await world.run(id, { mode: 'full' })
    expect(await world.call('GET', `${world.root}/runs/${full.id}`)).toMatchObject({
      items: [{ kind: 'refused', total: 3, open: 0 }],
    })
    expect(code).toMatch(/^MOVE/)
  })
})

describe('records that the database does not store', () => {
  it('are refused alone, as the dry run says', async () => {
    const { id, location } = await world.addPharmacy()
    const { baseId, tableId } = location
    const ids = world.fill(location, 120)
    // More than an index takes.
    const long = randomBytes(8_000).toString('base64')
    for (const at of [3, 4, 119])
      world.airtable.update(baseId, tableId, ids[at] ?? '', { Stato: long })
    world.airtable.update(baseId, tableId, ids[5] ?? '', { Cliente: 'tagliato \ud83d' })
    const before = await contents()
    const dry = await world.run(id, { mode: 'dry_run' })
    expect(await contents()).toEqual(before)
    expect(dry.counts).toMatchObject({ read: 120, new: 117, refused: 3 })
    expect(dry.dryRun?.refused).toMatchObject([{ reason: 'not_stored', records: 3 }])
    const full = await world.run(id, { mode: 'full' })
    expect(full.counts).toEqual(dry.counts)
    expect(full.verification).toMatchObject({ airtable: 120, database: 117, unreadable: 3 })
    expect(full.items).toMatchObject([{ kind: 'refused', total: 3, open: 3 }])
    expect(await world.orders(id)).toHaveLength(117)
    world.airtable.update(baseId, tableId, ids[3] ?? '', { Stato: 'Confermato' })
    const { id: again } = await world.call<MigrationRun>(
      'POST',
      `${world.root}/runs/${full.id}/retry`,
    )
    expect((await world.ended(again)).counts).toMatchObject({ read: 3, new: 1, refused: 2 })
    expect(await world.orders(id)).toHaveLength(118)
  })
})

describe('blank rows', () => {
  it('are no orders, in a dry run, a migration and a comparison', async () => {
    const { id, location } = await world.addPharmacy()
    world.fill(location, 20)
    const blank = Array.from({ length: 3 }, () => ({ fields: { Stato: 'In attesa' } }))
    world.airtable.create(location.baseId, location.tableId, blank)
    expect((await world.run(id, { mode: 'dry_run' })).counts).toMatchObject({ read: 20, new: 20 })
    const full = await world.run(id, { mode: 'full' })
    expect(full).toMatchObject({ state: 'completed', counts: { read: 20, new: 20 } })
    expect(full.verification).toMatchObject({ equal: true, airtable: 20, database: 20 })
    expect(await world.orders(id)).toHaveLength(20)
  })
})

describe('a column that is gone', () => {
  it('empties nothing, and makes no difference', async () => {
    const { id, location } = await world.addPharmacy()
    const [recordId = ''] = world.fill(location, 130)
    await world.run(id, { mode: 'full' })
    const before = await world.orders(id)
    world.renameColumn(location, 'Stato', 'Stato ordine')
    world.renameColumn(location, 'Ordine', 'Prodotti')
    const { baseId, tableId } = location
    world.airtable.update(baseId, tableId, recordId, { Cliente: 'Carla' })
    const dry = await world.run(id, { mode: 'dry_run' })
    expect(dry.dryRun).toMatchObject({ missingColumns: ['Ordine', 'Stato'] })
    expect(dry.counts).toMatchObject({ same: 129, changed: 1 })
    const full = await world.run(id, { mode: 'full' })
    expect(full).toMatchObject({ state: 'completed', counts: { same: 129, changed: 1 } })
    expect(full.verification).toMatchObject({ equal: true })
    const after = await world.orders(id)
    expect(after.map(({ status }) => status)).toEqual(before.map(({ status }) => status))
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set(['Confermato', 'In attesa']))
  })
})

describe('while Airtable fails', () => {
  it.each([
    { mode: '429', times: 2 },
    { mode: '500', times: 5 },
    { mode: 'malformed', times: 4 },
    { mode: 'hang-up', times: 4 },
    { mode: 'slow', delayMs: 1_200, times: 1 },
  ] as const)('in the way $mode, a run goes on to its end', async (failure) => {
    const { id, location } = await world.addPharmacy()
    onTestFinished(() => world.airtable.fail({ mode: 'ok' }))
    world.fill(location, 120)
    world.airtable.fail(failure)
    const full = await world.run(id, { mode: 'full' })
    expect(full).toMatchObject({ state: 'completed', counts: { read: 120, new: 120 } })
    expect(full.verification).toMatchObject({ equal: true, airtable: 120, database: 120 })
  })
})

describe('a list that Airtable has lost', () => {
  it('is continued where it was, with the orders that have no time of change', async () => {
    const texts = await migrationServer({ columns: { Last: { kind: 'text' } } })
    const { id, location } = await texts.addPharmacy()
    const { baseId, tableId } = location
    // They come first, although they are the newest.
    texts.fill(location, 20)
    texts.airtable.create(
      baseId,
      tableId,
      Array.from({ length: 300 }, (_, index) => ({
        createdTime: Date.UTC(2025, 0, 1),
        fields: {
          Cliente: `Cliente ${index}`,
          Last: new Date(Date.UTC(2025, 1, 1) + index * 60_000).toISOString(),
        },
      })),
    )
    texts.airtable.fail({ mode: 'lost-iterator', times: 2 })
    const full = await texts.run(id, { mode: 'full' })
    expect(full).toMatchObject({ state: 'completed', counts: { read: 320, new: 320 } })
    expect(await texts.orders(id)).toHaveLength(320)
    // Four pages, and two requests that failed. From the beginning these would be eight.
    expect(texts.airtable.requests().byKind.list).toBe(6)
  })
})

describe('the pace of Airtable', () => {
  it('is kept by a run, also after failures', async () => {
    const paced = await migrationServer({ requestsPerSecond: 5 })
    const { id, location } = await paced.addPharmacy()
    paced.fill(location, 320)
    paced.airtable.fail({ mode: '500', times: 3 })
    expect(await paced.run(id, { mode: 'full' })).toMatchObject({ state: 'completed' })
    expect(paced.airtable.requests()).toMatchObject({ limited: 0 })
  })
})

describe('a verification', () => {
  it('names exactly the orders and columns that differ although the counts are equal', async () => {
    const { id, location } = await world.addPharmacy()
    const ids = world.fill(location, 210)
    await world.run(id, { mode: 'full' })
    // Later readings have no reason to look at those orders.
    await world.server.readOrders(id, location)
    expect((await world.detail(id)).badge).toBe('Sincronizzato')
    const { pool } = world.server.database
    const alter = (recordId: string | undefined, set: string) =>
      pool.query(
        `update pharmacy_orders set ${set} where pharmacy_id = $1 and airtable_order_id = $2`,
        [id, recordId],
      )
    await alter(ids[10], "status = 'Annullato'")
    await alter(ids[20], "customer_phone = '333 0000000'")
    await alter(ids[30], "order_details = 'altro'")
    // The same in another form is no difference.
    await alter(ids[40], "customer_name = ' ' || customer_name || ' '")
    const verified = await world.run(id, { mode: 'verify' })
    expect(verified).toMatchObject({
      state: 'completed_with_errors',
      verification: { equal: false, different: 3, onlyHere: 0, onlyInAirtable: 0 },
    })
    const { items } = await world.call<{ items: { recordId: string; columns: string[] }[] }>(
      'GET',
      `${world.root}/runs/${verified.id}/items?kind=different`,
    )
    expect(new Map(items.map(({ recordId, columns }) => [recordId, columns]))).toEqual(
      new Map([
        [ids[10], ['Stato']],
        [ids[20], ['Phone Number']],
        [ids[30], ['Ordine']],
      ]),
    )
    expect(await world.detail(id)).toMatchObject({
      hasDifferences: true,
      badge: 'Da Sincronizzare',
    })
    // Also one whose pages still show Airtable's orders.
    const { cards, standard } = await world.call<Overview>('GET', world.root)
    const named = standard.filter(({ badge }) => badge === 'Da Sincronizzare')
    expect(named.map((one) => one.id)).toContain(id)
    expect(cards.toSync).toBe(named.length)
    await world.run(id, { mode: 'full' })
    expect(await world.detail(id)).toMatchObject({ hasDifferences: false, airtableCount: 210 })
  })
})

describe('two administrators', () => {
  it('who press at the same time start one run', async () => {
    const { pool } = world.server.database
    const { id, location } = await world.addPharmacy()
    world.fill(location, 120)
    const url = `${world.root}/runs`
    await world.call('POST', url, undefined, 409)
    await pool.query('update pharmacies set use_supabase_orders = true where id = $1', [id])
    // Neither can end before the other has begun.
    const holder = await pool.connect()
    await holder.query('begin; lock table audit_events in share mode')
    const calls = Promise.all([
      world.call<MigrationProgress>('POST', url),
      world.call<MigrationProgress>('POST', url),
    ])
    await untilBlocked(pool, 2)
    await holder.query('commit')
    holder.release()
    const [one, other] = await calls
    expect(one.batchId).toBe(other.batchId)
    const { runs } = await world.call<{ runs: MigrationRun[] }>('GET', `${url}?pharmacyId=${id}`)
    expect(runs).toHaveLength(1)
    await world.ended(runs[0]?.id ?? '')
    const { progress } = await world.call<{ progress: MigrationProgress }>('GET', world.root)
    expect(progress).toMatchObject({ total: 1, processed: 1, success: 1, status: 'completed' })
    const { rows } = await pool.query(
      "select details from audit_events where action = 'orders_migration_started' and details ->> 'pharmacies' = '1'",
    )
    expect(rows).toHaveLength(1)
  })

  it('see the same run of a pharmacy, and cannot start another one beside it', async () => {
    const { id, location } = await world.addPharmacy()
    world.fill(location, 300)
    world.airtable.fail({ mode: 'slow', delayMs: 300 })
    onTestFinished(() => world.airtable.fail({ mode: 'ok' }))
    const url = `${world.root}/pharmacies/${id}/runs`
    const first = await world.call<MigrationRun>('POST', url, { mode: 'full' })
    const second = await world.call<MigrationRun>('POST', url, { mode: 'full' })
    expect(second.id).toBe(first.id)
    await world.call('POST', url, { mode: 'verify' }, 409)
    await world.call('DELETE', `${world.root}/runs/${first.id}`)
    expect(await world.ended(first.id)).toMatchObject({ state: 'cancelled' })
  })
})

describe('a run that waits', () => {
  it('is begun at once where it was stored or another has ended, however rarely runs are looked for', async () => {
    const rare = await migrationServer({ checkMs: 3_600_000 })
    // More than are worked on at the same time.
    for (let n = 0; n < 6; n += 1) rare.fill((await rare.addPharmacy()).location, 3)
    await rare.server.database.pool.query('update pharmacies set use_supabase_orders = true')
    await rare.call('POST', `${rare.root}/runs`)
    const { runs } = await rare.call<{ runs: MigrationRun[] }>('GET', `${rare.root}/runs`)
    expect(runs).toHaveLength(6)
    for (const { id } of runs) expect(await rare.ended(id)).toMatchObject({ state: 'completed' })
  }, 60_000)
})
