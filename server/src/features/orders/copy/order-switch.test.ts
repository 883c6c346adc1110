import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { recordChange, somebody } from '../../../../test/order-changes.ts'
import { newLocation, type OrderProcess, orderProcess } from '../../../../test/order-process.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { type ScriptedSource, scriptedSource } from '../../../../test/scripted-source.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { createOrderChangesStore } from '../changes/order-changes.store.ts'
import { createOrdersStore } from '../orders.store.ts'

let database: TestDatabase
let location: SourceLocation
let pharmacyId: string
let source: ScriptedSource
let process: OrderProcess

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(async () => {
  location = newLocation()
  pharmacyId = await addPharmacyRow(database, location)
  source = scriptedSource([sourceOrder(), sourceOrder()])
  // A later one, so that the next readings do not go back to the others.
  const late = sourceOrder({ updatedAt: new Date().toISOString() })
  source.records.set(late.recordId, late)
  process = orderProcess(database, { source, timing: { copy: { fresh: 0 } } })
  await process.copy.freshen(pharmacyId, location)
})

const pharmacyHas = (columns: string) =>
  database.pool.query(`update pharmacies set ${columns} where id = $1`, [pharmacyId])

async function statuses(): Promise<Record<string, string | undefined>> {
  const page = await createOrdersStore(database.db).page(pharmacyId, { page: 1, pageSize: 100 })
  return Object.fromEntries(page.map(({ id, fields }) => [id, fields.Stato]))
}

const stored = () =>
  Object.fromEntries([...source.records.values()].map((one) => [one.recordId, one.status]))

const firstId = () => [...source.records.keys()][0] ?? ''

describe('a pharmacy that goes back to its store', () => {
  it.each([
    ['from our database', 'use_supabase_orders = true', 'use_supabase_orders = false'],
    ['after it had none', 'airtable_base_id = null', 'airtable_base_id = $2'],
  ])('%s has what the store has', async (_how, away, back) => {
    await pharmacyHas(away)
    await createOrderChangesStore(database.db).change(
      pharmacyId,
      [{ recordId: firstId(), Stato: 'Annullato' }],
      somebody,
    )
    expect(await statuses()).not.toEqual(stored())
    await (back.includes('$2')
      ? database.pool.query(`update pharmacies set ${back} where id = $1`, [
          pharmacyId,
          location.baseId,
        ])
      : pharmacyHas(back))
    await process.copy.freshen(pharmacyId, location)
    expect(await statuses()).toEqual(stored())
  })

  it('has it also where a change was on its way to the store', async () => {
    const change = await recordChange(database, pharmacyId, firstId(), 'Annullato')
    await pharmacyHas('use_supabase_orders = true')
    expect(await process.push.push(change?.orderId ?? '')).toBe('done')
    expect((await statuses())[firstId()]).toBe('Annullato')
    await pharmacyHas('use_supabase_orders = false')
    await process.copy.freshen(pharmacyId, location)
    expect(await statuses()).toEqual(stored())
  })
})

describe('a pharmacy that gets another table', () => {
  it('has the orders of that one alone, once it is read and swept', async () => {
    const moved = newLocation()
    source.records.clear()
    const order = sourceOrder()
    source.records.set(order.recordId, order)
    await database.pool.query("update pharmacy_orders set created_at = now() - interval '1 minute'")
    await process.copy.freshen(pharmacyId, moved)
    process.sweep.sweepIfDue(pharmacyId, moved)
    await process.sweep.settled()
    expect(await statuses()).toEqual(stored())
    expect((await createOrdersStore(database.db).state(pharmacyId)).unseen).toBe(0)
  })
})
