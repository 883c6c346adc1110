import { readOrdersAgain } from '@bancone/contract/pharmacy-actions'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type AdministrationServer,
  administrationServer,
} from '../../../../test/administration-server.ts'
import { testDatabase } from '../../../../test/database.ts'
import { newLocation, orderProcess } from '../../../../test/order-process.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { scriptedSource } from '../../../../test/scripted-source.ts'
import { createAudit } from '../../../platform/audit.ts'
import { rereadOrders } from './poll-schedule.store.ts'

describe('orders that are read again', () => {
  it('are read from the beginning and swept, in whichever process polls', async () => {
    const database = await testDatabase()
    const location = newLocation()
    const pharmacyId = await addPharmacyRow(database, location)
    // Older than the cursor of the next reading and its overlap.
    const createdAt = '2025-06-01T08:00:00.000Z'
    const before = sourceOrder({ recordId: 'recKept', customerName: 'Prima', createdAt })
    const source = scriptedSource([before, sourceOrder({ recordId: 'recGone' })])
    const process = orderProcess(database, {
      source,
      timing: { pollSchedule: { checkIntervalMs: 10 } },
    })
    await process.copy.poll(pharmacyId, location)
    process.sweep.sweepIfDue(pharmacyId, location)
    await process.sweep.settled()
    const kept = async () => {
      const { rows } = await database.pool.query<{ id: string; name: string }>(
        'select airtable_order_id as id, customer_name as name from pharmacy_orders where pharmacy_id = $1 order by 1',
        [pharmacyId],
      )
      return rows
    }
    expect(await kept()).toHaveLength(2)
    // A change that left the time of the last change as it was, and a record that is gone.
    source.records.delete('recGone')
    source.records.set('recKept', { ...before, customerName: 'Dopo' })
    process.start()
    await rereadOrders(database.db, createAudit(database.db), pharmacyId, location)
    await vi.waitFor(async () => expect(await kept()).toEqual([{ id: 'recKept', name: 'Dopo' }]), {
      timeout: 10_000,
    })
  })
})

describe('the request to read them again', () => {
  let server: AdministrationServer
  beforeAll(async () => {
    server = await administrationServer()
  })
  const path = (id: string) => readOrdersAgain.path.replace(':pharmacyId', id)

  it('is refused where no orders are read, or no pharmacy is', async () => {
    const id = await server.addPharmacy({ email: 'own-orders@example.it', code: 'OWN-1' })
    expect(await server.refusal('POST', path(id))).toEqual([409, 'orders.not_on_airtable'])
    const unknown = server.administratorId
    expect(await server.refusal('POST', path(unknown))).toEqual([404, 'pharmacies.not_found'])
  })
})
