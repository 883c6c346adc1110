import { expect, it } from 'vitest'
import { createOrdersStore } from '../src/features/orders/orders.store.ts'
import { resolveFilter } from '../src/features/orders/search/order-filter.rules.ts'
import { createOrderSearchStore } from '../src/features/orders/search/order-search.store.ts'
import { prepareDatabase } from '../src/prepare-database.ts'
import { oldDatabase } from './old-database.ts'
import { recordChange } from './order-changes.ts'
import { newLocation, orderProcess } from './order-process.ts'
import { sourceOrder } from './orders.ts'
import { scriptedSource } from './scripted-source.ts'
import { silentLog } from './silent-log.ts'

it('keeps the orders, the waiting changes and the copies of a database before orders were live', async () => {
  const database = await oldDatabase('0004_sign_in.sql')
  const { pool, db, url } = database
  const location = newLocation()
  const [kept, changed, gone] = [sourceOrder(), sourceOrder(), sourceOrder()]
  const { rows: made } = await pool.query<{ id: string }>(
    "insert into auth_users (email) values ('old@example.it') returning id",
  )
  const pharmacyId = made[0]?.id ?? ''
  await pool.query(
    `insert into pharmacies (id, pharmacy_id, name, email, airtable_base_id, airtable_table_id)
    values ($1, 'PHARM-0001', 'Farmacia', 'old@example.it', $2, $3)`,
    [pharmacyId, location.baseId, location.tableId],
  )
  for (const order of [kept, changed, gone]) {
    await pool.query(
      `insert into pharmacy_orders
        (pharmacy_id, airtable_order_id, order_number, airtable_created, airtable_last, created_at)
      values ($1, $2, $3, $4, $4, now() - interval '1 day')`,
      [pharmacyId, order.recordId, order.orderNumber, order.createdAt],
    )
  }
  await pool.query(
    `with changed as (
      update pharmacy_orders set status = 'Annullato', status_changed_at = now() - interval '1 hour'
      where airtable_order_id = $1 returning id
    )
    insert into order_changes
      (order_id, pharmacy_id, status, stored_status, stored_last, version, claimed_until)
    select id, $2, 'Annullato', 'In attesa', $3, 7, now() - interval '50 minutes' from changed`,
    [changed.recordId, pharmacyId, changed.updatedAt],
  )
  await pool.query(
    `insert into order_copies (pharmacy_id, base_id, table_id, changed_until, read_at)
    values ($1, $2, $3, now(), now() - interval '1 minute')`,
    [pharmacyId, location.baseId, location.tableId],
  )
  await pool.query(
    `insert into order_source_leases values ($1, gen_random_uuid(), now() - interval '1 hour')`,
    [location.baseId],
  )
  const before = await pool.query<{ version: string }>('select version from pharmacy_order_counts')

  await prepareDatabase(url, silentLog, async () => {})

  const orders = createOrdersStore(db)
  expect(await orders.state(pharmacyId)).toMatchObject({
    counts: { total: 3, pending: 2, cancelled: 1 },
    unseen: 0,
    // No row was rewritten: on a large database that would take minutes.
    version: before.rows[0]?.version,
  })
  const { records: page } = await orders.listAfter(pharmacyId, null, 10)
  expect(page.map(({ seen }) => seen)).toEqual([true, true, true])
  const found = await createOrderSearchStore(db).list(pharmacyId, {
    filter: resolveFilter({ q: changed.orderNumber ?? '', stato: ['Annullato'] }, Date.now()),
    sort: 'recenti',
    page: 1,
    pageSize: 10,
    few: false,
  })
  expect(found.records.map(({ id }) => id)).toEqual([changed.recordId])

  const source = scriptedSource([kept, changed])
  const arrivals: string[] = []
  const process = orderProcess(database, {
    source,
    timing: { copy: { maxAgeMs: 0 } },
    hooks: {
      onArrived: async (_tx, id) => {
        arrivals.push(id)
      },
    },
  })
  expect(await process.copy.ensureFresh(pharmacyId, location)).toBe('fresh')
  expect(source.readings).toEqual([null])
  await expect
    .poll(() => source.writes)
    .toEqual([{ recordId: changed.recordId, status: 'Annullato' }])
  process.sweep.sweepIfDue(pharmacyId, location)
  await process.sweep.settled()
  const left = (await orders.listAfter(pharmacyId, null, 10)).records.map(({ id }) => id)
  expect(left.sort()).toEqual([kept.recordId, changed.recordId].sort())
  expect(arrivals).toEqual([])

  // What comes from now on is new, as in a database that was made today.
  const late = sourceOrder()
  source.records.set(late.recordId, late)
  await process.copy.ensureFresh(pharmacyId, location)
  expect((await orders.state(pharmacyId)).unseen).toBe(1)
  expect(arrivals).toEqual([pharmacyId])
  const change = await recordChange(database, pharmacyId, changed.recordId, 'Confermato')
  expect(Number(change?.version)).toBeGreaterThan(7)
})
