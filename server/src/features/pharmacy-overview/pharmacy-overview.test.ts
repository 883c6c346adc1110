import { listPharmacyOverview, type PharmacyOverview } from '@bancone/contract/pharmacy-overview'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type AdministrationServer,
  administrationServer,
} from '../../../test/administration-server.ts'

const airtable = { baseId: 'appOverview000001', tableId: 'tblOverview000001' }

let server: AdministrationServer
let busy: string

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

async function overview(): Promise<PharmacyOverview[]> {
  const reply = await server.ask('GET', '/api/admin/pharmacies/overview')
  return listPharmacyOverview.response.parse(reply.json()).pharmacies
}

async function of(id: string): Promise<PharmacyOverview> {
  const found = (await overview()).find((each) => each.id === id)
  if (!found) throw new Error('the pharmacy is not listed')
  return found
}

const addOrder = (pharmacyId: string, recordId: string, age: string) =>
  query(
    `insert into pharmacy_orders (pharmacy_id, airtable_order_id, airtable_created, airtable_last)
     values ($1, $2, now() - $3::interval, now())`,
    pharmacyId,
    recordId,
    age,
  )

beforeAll(async () => {
  server = await administrationServer()
  busy = await server.addPharmacy({ email: 'busy@example.it', code: 'BUSY-1', airtable })
})

describe('the overview of a pharmacy', () => {
  it('is quiet for a new one', async () => {
    const id = await server.addPharmacy({ email: 'new@example.it', code: 'NEW-1' })
    expect(await of(id)).toEqual({
      id,
      code: 'NEW-1',
      name: 'Farmacia NEW-1',
      isActive: true,
      light: 'green',
      reasons: [],
      lastSignInAt: null,
      lastOrderAt: null,
      ordersIn7Days: 0,
      source: 'database',
      lastReadAt: null,
      copyError: null,
      activeOffers: 0,
      maxOffers: 10,
      storageBytes: 0,
      failedJobs: 0,
      planValidUntil: null,
      planDaysLeft: null,
    })
  })

  it('counts what is its own, and not what another pharmacy has', async () => {
    const other = await server.addPharmacy({ email: 'other@example.it', code: 'OTHER-1' })
    const colleague = await server.addColleague({
      email: 'colleague@example.it',
      pharmacyId: busy,
    })
    await query('update auth_users set last_sign_in_at = $2 where id = $1', busy, '2026-01-01Z')
    await query(
      'update auth_users set last_sign_in_at = $2 where id = $1',
      colleague,
      '2026-02-02Z',
    )
    await addOrder(busy, 'recA', '1 day')
    await addOrder(busy, 'recB', '6 days 23 hours')
    await addOrder(busy, 'recC', '8 days')
    await addOrder(other, 'recD', '1 hour')
    const offers = `insert into product_offers (pharmacy_id, pharmacy_code, product_name, category, list_price,
        offer_price, image_url, start_date, end_date, is_active)
      select $1, $2, 'Sole ' || n, 'Altro', 20, 10, '/placeholder.svg', current_date - 9,
        case n when 1 then current_date - 2 end, n <> 2
      from generate_series(1, 4) n`
    await query(offers, busy, 'BUSY-1')
    await query(
      `insert into images (public_id, pharmacy_id, width, height, format, bytes, source)
       values ('own-1', $1, 1, 1, 'webp', 300, 'upload'), ('own-2', $1, 1, 1, 'webp', 400, 'upload'),
         ('foreign', $2, 1, 1, 'webp', 5000, 'upload'), ('shared', null, 1, 1, 'webp', 9000, 'product')`,
      busy,
      other,
    )
    await query("insert into storage_buckets (id, name) values ('files', 'files')")
    await query("insert into stored_files (key) values ('a-file')")
    await query(
      `insert into storage_objects (bucket_id, name, file_key, size, content_type, etag)
       values ('files', $1 || '/a.txt', 'a-file', 50, 'text/plain', 'e')`,
      busy,
    )
    const shown = await of(busy)
    expect(shown).toMatchObject({
      lastSignInAt: '2026-02-02T00:00:00.000Z',
      ordersIn7Days: 2,
      activeOffers: 2,
      storageBytes: 750,
      source: 'airtable',
    })
    expect(Date.now() - Date.parse(shown.lastOrderAt ?? '')).toBeLessThan(25 * 3600_000)
    expect(await of(other)).toMatchObject({ ordersIn7Days: 1, activeOffers: 0, storageBytes: 5000 })
  })

  it('says why the copy fails, of the table that it has now', async () => {
    const copy = `insert into order_copies (pharmacy_id, base_id, table_id, read_at, failed_at, last_error)
      values ($1, $2, $3, now(), now(), 'denied')`
    await query(copy, busy, airtable.baseId, airtable.tableId)
    const shown = await of(busy)
    expect(shown.copyError?.kind).toBe('denied')
    expect(shown.light).toBe('red')
    expect(shown.reasons[0]).toBe("Airtable rifiuta l'accesso: controlla il token e la base")
    await query('update order_copies set base_id = $2 where pharmacy_id = $1', busy, 'appBefore')
    expect((await of(busy)).copyError).toBeNull()
  })

  it('counts jobs that failed three times, by pharmacy and account', async () => {
    const payloads = [{ pharmacyId: busy }, { to: { userId: busy } }, { unrelated: 'x' }]
    for (const payload of payloads) {
      const job =
        "select graphile_worker.add_job('no.such.task', $1::json, run_at := now() + '1 day')"
      await query(job, JSON.stringify(payload))
    }
    expect((await of(busy)).failedJobs).toBe(0)
    await query("update graphile_worker._private_jobs set attempts = 3, last_error = 'secret text'")
    const shown = await of(busy)
    expect(shown.failedJobs).toBe(2)
    expect(JSON.stringify(shown)).not.toContain('secret')
    await query('delete from graphile_worker._private_jobs')
  })

  it('is first for those that need attention, without the deleted ones', async () => {
    const plan = await server.addPlan()
    const valid = (until: string) => server.createPharmacy(plan, { plan_valid_until: until })
    const over = await valid('2026-01-01')
    const gone = await valid('2026-01-01')
    await server.ask('DELETE', `/api/admin-delete-pharmacy?pharmacyId=${gone.id}`)
    const listed = await overview()
    expect(listed.map(({ id }) => id)).not.toContain(gone.id)
    expect(listed[0]).toMatchObject({ id: over.id, light: 'red', planValidUntil: '2026-01-01' })
    expect(listed[0]?.planDaysLeft).toBeLessThan(0)
    const lights = listed.map(({ light }) => ['red', 'yellow', 'green'].indexOf(light))
    expect(lights).toEqual(lights.toSorted((a, b) => a - b))
    await server.ask('PATCH', `/api/admin/pharmacies/${over.id}`, { is_active: false })
    expect(await of(over.id)).toMatchObject({ light: 'green', reasons: [], isActive: false })
  })
})
