import { onTestFinished } from 'vitest'
import type { DatabaseConnection } from '../src/database/database.ts'
import {
  type OrdersSync,
  type SyncTiming,
  wireOrdersSync,
} from '../src/features/orders/orders-sync.wiring.ts'
import { noHooks, type OrderHooks } from '../src/features/orders/records/order-hooks.ts'
import type { OrderSource, SourceLocation } from '../src/ports/order-source.ts'

export type OrderProcess = OrdersSync & {
  /** The logged warnings and errors. */
  complaints: { message: string; details: object }[]
}

let tables = 0

/** A table that no other pharmacy of the tests has. */
export function newLocation(): SourceLocation {
  tables += 1
  const id = String(tables).padStart(10, '0')
  return { baseId: `appTEST${id}`, tableId: `tblTEST${id}` }
}

type Options = {
  source: OrderSource | null
  now?: () => number
  timing?: SyncTiming
  hooks?: Partial<OrderHooks>
}

/** The order synchronization of one of several processes; stopped at the end of the test. */
export function orderProcess({ db }: DatabaseConnection, options: Options): OrderProcess {
  const { source, now = Date.now, timing, hooks } = options
  const complaints: OrderProcess['complaints'] = []
  const complain = (details: object, message: string) => complaints.push({ message, details })
  const sync = wireOrdersSync({
    db,
    source,
    hooks: { ...noHooks, ...hooks },
    clock: { now },
    log: { debug() {}, info() {}, warn: complain, error: complain },
    timing,
  })
  onTestFinished(sync.stop)
  return { ...sync, complaints }
}

/** Sets the times of a pharmacy's readings back. */
export async function readingsAreOlder(
  { pool }: DatabaseConnection,
  pharmacyId: string,
  milliseconds: number,
): Promise<void> {
  await pool.query(
    `update order_copies set read_at = read_at - $2 * interval '1 millisecond',
      failed_at = failed_at - $2 * interval '1 millisecond',
      watched_until = watched_until - $2 * interval '1 millisecond',
      poll_at = poll_at - $2 * interval '1 millisecond',
      sweep_at = sweep_at - $2 * interval '1 millisecond'
    where pharmacy_id = $1`,
    [pharmacyId, milliseconds],
  )
}
