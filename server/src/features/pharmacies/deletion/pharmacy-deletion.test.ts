import { createHash } from 'node:crypto'
import { PharmacyExport, PurgeStep } from '@bancone/contract/pharmacy-deletion'
import JSZip from 'jszip'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { beforeCacheEnds } from '../../../../test/before-cache-ends.ts'
import { type DeletionServer, deletionServer } from '../../../../test/deletion-server.ts'
import { codeOf } from '../../../../test/offers-server.ts'
import { pharmacyTables, tables } from './tables.store.ts'

let server: DeletionServer
beforeAll(async () => {
  server = await deletionServer()
})

describe('a deleted pharmacy', () => {
  it('is restored with nothing touched', async () => {
    const pharmacy = await server.filled()
    const before = await server.everythingOf(pharmacy)
    await server.delete(pharmacy)
    const stands = async () => (await pharmacy.ask('GET', '/api/orders/views')).statusCode
    await vi.waitFor(async () => expect(await stands()).toBe(404), beforeCacheEnds)
    const listed = await server.listed(pharmacy)
    expect(listed).toMatchObject({ code: pharmacy.code, daysLeft: 30, purgedSteps: null })
    expect(
      (await server.ask('POST', `/api/admin/pharmacies/${pharmacy.id}/restore`)).statusCode,
    ).toBe(200)
    expect(await server.everythingOf(pharmacy)).toEqual(before)
    await vi.waitFor(async () => expect(await stands()).toBe(200), beforeCacheEnds)
    expect(await server.listed(pharmacy)).toBeUndefined()
    await server.ask('POST', `/api/admin/pharmacies/${pharmacy.id}/restore`)
    const restorations = await server.database.pool.query(
      `select from audit_events where pharmacy_id = $1 and action = 'pharmacy_restored'`,
      [pharmacy.id],
    )
    expect(restorations.rowCount).toBe(1)
  })

  it('is purged after thirty days and not before', async () => {
    const pharmacy = await server.filled()
    await server.delete(pharmacy, '29 days 23 hours')
    await server.runTask('pharmacies.purge')
    expect(await server.listed(pharmacy)).toMatchObject({ daysLeft: 1, purgedSteps: null })
    await server.age(pharmacy, '30 days')
    await server.runTask('pharmacies.purge')
    expect(await server.listed(pharmacy)).toBeUndefined()
    expect(await server.certificateOf(pharmacy)).toMatchObject({
      requestedBy: null,
      deletedBy: server.administratorId,
    })
  })
})

describe('a purge', () => {
  it('is begun only with the code of a deleted pharmacy, in a recent session', async () => {
    const pharmacy = await server.filled()
    const url = `/api/admin/pharmacies/${pharmacy.id}/purge`
    const purge = async (code = pharmacy.code) => {
      const reply = await server.ask('POST', url, { code })
      return reply.statusCode === 200 ? 'begun' : codeOf(reply)
    }
    expect(await purge()).toBe('pharmacies.not_found')
    await server.delete(pharmacy)
    expect(await purge('OTHER-1')).toBe('pharmacies.wrong_code')
    await server.inOldSession(async () => {
      expect(await purge()).toBe('session.reauthentication_needed')
    })
    expect(await server.listed(pharmacy)).toMatchObject({ purgedSteps: null })
    expect(await purge()).toBe('begun')
    const restored = await server.ask('POST', `/api/admin/pharmacies/${pharmacy.id}/restore`)
    expect(codeOf(restored)).toBe('pharmacies.being_purged')
  })

  it('that is killed in every step ends, and leaves no row and no file', async () => {
    const beside = await server.filled()
    const kept = { rows: await server.everythingOf(beside), files: await server.filesOn() }
    const pharmacy = await server.filled()
    const filled = Object.keys(await server.everythingOf(pharmacy))
    const empty = pharmacyTables.filter(({ name }) => !filled.includes(name))
    expect(empty, 'every table has a row in test/deletion-rows.ts').toEqual([])
    expect((await server.filesOn()).length).toBeGreaterThanOrEqual(kept.files.length + 4)
    await server.delete(pharmacy)
    await server.ask('POST', `/api/admin/pharmacies/${pharmacy.id}/purge`, { code: pharmacy.code })

    const run = () => server.runTask('pharmacies.purge', { pharmacyId: pharmacy.id })
    for (const [index, step] of PurgeStep.options.entries()) {
      await server.killedIn(step, () => expect(run()).rejects.toThrow('killed'))
      const listed = await server.listed(pharmacy)
      expect(listed?.purgedSteps).toEqual(PurgeStep.options.slice(0, index))
    }
    await run()

    expect(await server.everythingOf(pharmacy)).toEqual({})
    expect(await server.everythingOf(beside)).toEqual(kept.rows)
    expect(await server.filesOn()).toEqual(kept.files)
    const certificate = await server.certificateOf(pharmacy)
    expect(certificate).toMatchObject({ code: pharmacy.code, requestedBy: server.administratorId })
    expect(certificate?.steps.map(({ step }) => step)).toEqual(PurgeStep.options)
    // Counted once, although each step was done twice.
    expect(certificate?.steps.find(({ step }) => step === 'orders')?.removed).toMatchObject({
      pharmacy_orders: 1,
      order_notes: 1,
      files: 1,
    })
    expect(JSON.stringify(certificate)).not.toContain(pharmacy.id)
    expect(JSON.stringify(certificate)).not.toContain('example.it')
    // The address is free again.
    await server.addPharmacy({ email: pharmacy.email, code: `${pharmacy.code}-NEW` })
  })

  it('goes on where the store of files fails', async () => {
    const pharmacy = await server.filled()
    const files = await server.filesOn()
    await server.delete(pharmacy, '31 days')
    await server.withFailingFiles(() =>
      expect(server.runTask('pharmacies.purge')).rejects.toThrow('cannot be used'),
    )
    expect(await server.listed(pharmacy)).toMatchObject({
      purgedSteps: ['access', 'orders', 'offers'],
    })
    await server.runTask('pharmacies.purge')
    expect(await server.listed(pharmacy)).toBeUndefined()
    expect((await server.filesOn()).length).toBeLessThanOrEqual(files.length - 4)
  })

  it('knows every table that refers to a pharmacy or an account', async () => {
    const { rows } = await server.database.pool.query<{ name: string }>(
      `select distinct table_name as name from information_schema.columns
       where table_schema = 'public' and column_name in ('pharmacy_id', 'user_id', 'folder', 'file_key')
         and table_name not in ('pharmacy_purges', 'audit_events', 'admin_users') order by 1`,
    )
    expect(rows.length).toBeGreaterThanOrEqual(30)
    const purges = new Map(Object.entries(tables).map(([name, { purge }]) => [name, purge]))
    const others = rows.filter(({ name }) => {
      const purge = purges.get(name)
      return purge !== 'follows' && typeof purge !== 'object'
    })
    expect(others).toEqual([])
  })
})

const Manifest = z.object({
  missing: z.array(z.string()),
  entries: z.array(
    z.object({
      path: z.string(),
      rows: z.number().optional(),
      bytes: z.number(),
      sha256: z.string(),
    }),
  ),
})

async function unzipped(bytes: Uint8Array): Promise<Record<string, Buffer>> {
  const { files } = await JSZip.loadAsync(bytes, { checkCRC32: true })
  const contents: Record<string, Buffer> = {}
  for (const [path, file] of Object.entries(files)) contents[path] = await file.async('nodebuffer')
  return contents
}

describe('an export', () => {
  const fileOf = (exportId: string) =>
    server.ask('GET', `/api/admin/pharmacy-exports/${exportId}/file`)

  it('has every row, every picture and every file, with their sums, and no secret', async () => {
    const pharmacy = await server.filled()
    const reply = await fileOf(pharmacy.exportId)
    expect(reply.headers['content-disposition']).toMatch(/filename="LIFE-\d+-[\d-]{10}\.zip"/)
    const files = await unzipped(reply.rawPayload)
    const text = (path: string) => String(files[path])
    const { entries, missing } = Manifest.parse(JSON.parse(text('manifest.json')))
    expect(missing).toEqual([])
    expect(entries.map(({ path }) => path).toSorted()).toEqual(
      Object.keys(files)
        .filter((path) => path !== 'manifest.json')
        .toSorted(),
    )
    for (const { path, bytes, sha256 } of entries) {
      const content = files[path] ?? new Uint8Array()
      expect([path, content.byteLength]).toEqual([path, bytes])
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
    }
    expect(entries.find(({ path }) => path === 'dati/pharmacy_orders.json')?.rows).toBe(1)
    expect(JSON.parse(text('dati/pharmacy_orders.json'))).toMatchObject([{ customer_name: 'Anna' }])
    expect(text('dati/pharmacy_orders.csv')).toContain(';Anna;')
    // Excel must not evaluate it.
    expect(text('dati/reply_texts.csv')).toContain("'=1+1")
    const folders = Object.keys(files).map((path) => path.split('/')[0])
    expect(new Set(folders)).toEqual(
      new Set(['dati', 'file', 'immagini', 'immagini-ordini', 'manifest.json']),
    )
    const { rows } = await server.database.pool.query<{ secret: string }>(
      `select password_hash as secret from auth_users
       where id = any($1) and password_hash is not null union
       select encode(key_hash, 'hex') from api_keys where pharmacy_id = $2
       union select 'DeviceSecret' union select 'DeviceKey'`,
      [pharmacy.ids, pharmacy.id],
    )
    expect(rows.length).toBeGreaterThanOrEqual(4)
    const all = Object.values(files).map((content) => content.toString('latin1'))
    for (const { secret } of rows) expect(all.some((each) => each.includes(secret))).toBe(false)
  })

  it('is downloaded in a recent session within a day', async () => {
    const pharmacy = await server.filled()
    await server.inOldSession(async () => {
      expect(codeOf(await fileOf(pharmacy.exportId))).toBe('session.reauthentication_needed')
    })
    const moved = 'update pharmacy_exports set moved_at = now() - $2::interval where id = $1'
    await server.database.pool.query(moved, [pharmacy.exportId, '23 hours 59 minutes'])
    expect((await fileOf(pharmacy.exportId)).statusCode).toBe(200)
    await server.database.pool.query(moved, [pharmacy.exportId, '24 hours'])
    expect(codeOf(await fileOf(pharmacy.exportId))).toBe('exports.not_found')
    const files = await server.filesOn()
    await server.runTask('pharmacies.export.removal', { exportId: pharmacy.exportId })
    expect((await server.filesOn()).length).toBe(files.length - 1)
  })

  it('is one at a time, and recorded with its downloads', async () => {
    const pharmacy = await server.filled()
    const start = async () => {
      const reply = await server.ask('POST', `/api/admin/pharmacies/${pharmacy.id}/exports`)
      return PharmacyExport.parse(reply.json())
    }
    const { id } = await start()
    expect(await start()).toMatchObject({ id, state: 'waiting' })
    await fileOf(pharmacy.exportId)
    const { rows } = await server.database.pool.query<{ action: string }>(
      `select action from audit_events where pharmacy_id = $1 and actor_id = $2 order by id`,
      [pharmacy.id, server.administratorId],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'pharmacy_export_started',
      'pharmacy_export_started',
      'pharmacy_export_started',
      'pharmacy_export_downloaded',
    ])
  })

  it('that cannot be begun is not recorded', async () => {
    const pharmacy = await server.filled()
    const { pool } = server.database
    const recorded = async () =>
      (await pool.query(`select from audit_events where pharmacy_id = $1`, [pharmacy.id])).rowCount
    const before = await recorded()
    const moved = `update pharmacy_exports set state = 'failed' where id = $1`
    await pool.query(moved, [pharmacy.exportId])
    await pool.query('alter table pharmacy_exports add constraint none check (false) not valid')
    const reply = await server.ask('POST', `/api/admin/pharmacies/${pharmacy.id}/exports`)
    await pool.query('alter table pharmacy_exports drop constraint none')
    expect([reply.statusCode, await recorded()]).toEqual([500, before])
  })
})

describe('a pharmacy that is deactivated or deleted', () => {
  it('is shut out at once, and what waits for its order store goes on when it is back', async () => {
    const pharmacy = await server.filled()
    const { pool } = server.database
    const set = (change: string) =>
      pool.query(`update pharmacies set ${change} where id = $1`, [pharmacy.id])
    const stands = async () => {
      const reply = await pharmacy.ask('GET', '/api/orders/views')
      return reply.statusCode === 200 ? 'in' : codeOf(reply)
    }
    const { rows } = await pool.query<{ id: string }>(
      'select id from pharmacy_orders where pharmacy_id = $1',
      [pharmacy.id],
    )
    const payload = { pharmacyId: pharmacy.id, orderId: rows[0]?.id }
    const changes = async () =>
      (await pool.query('select from order_changes where pharmacy_id = $1', [pharmacy.id])).rowCount
    const waiting = async () => {
      const jobs = await pool.query<{ later: boolean }>(
        `select run_at > now() + interval '10 minutes' as later from graphile_worker.jobs where key = $1`,
        [`orders.push:${payload.orderId}`],
      )
      return jobs.rows
    }

    for (const [change, code] of [
      ['is_active = false', 'pharmacy.inactive'],
      ['is_active = true, deleted_at = now()', 'pharmacy.not_found'],
    ]) {
      await set(`${change}`)
      await vi.waitFor(async () => expect(await stands()).toBe(code), beforeCacheEnds)
      await pool.query('select graphile_worker.remove_job($1)', [`orders.push:${payload.orderId}`])
      await server.runTask('orders.push', payload)
      expect([change, await changes(), await waiting()]).toEqual([change, 1, [{ later: true }]])
    }

    await set('deleted_at = null')
    await vi.waitFor(async () => expect(await stands()).toBe('in'), beforeCacheEnds)
    await server.runTask('orders.push', payload)
    // Without an order store nothing is left to push.
    expect(await changes()).toBe(0)
  })
})
