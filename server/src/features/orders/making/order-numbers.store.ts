import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'

/** Milliseconds that are waited for another request of the pharmacy, which makes an order just now. */
const PATIENCE_MS = 2_000

/**
 * One after the other: two of one key are one order, and two without a number have different ones.
 *
 * @param tx a transaction that has locked no order yet
 * @throws what `isLockedOut` knows, when another one does not come to its end
 */
export async function waitForTurn(tx: Database, pharmacyId: string): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${PATIENCE_MS}ms`}, true)`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`new orders ${pharmacyId}`}, 0))`.execute(
    tx,
  )
}

/** '0012' and '12' are one number to whoever reads them. */
export async function isTaken(tx: Database, pharmacyId: string, number: string): Promise<boolean> {
  const isNumber = /^\d{1,15}$/.test(number)
  let others = tx.selectFrom('pharmacy_orders').select('id').where('pharmacy_id', '=', pharmacyId)
  others = isNumber
    ? others.where('order_seq', '=', number)
    : others.where('order_seq', 'is', null).where('order_number', '=', number)
  return (await others.limit(1).executeTakeFirst()) !== undefined
}

/** The last that is a number to the database: longer ones are texts. */
const LAST_NUMBER = 999_999_999_999_999n

export async function nextNumber(tx: Database, pharmacyId: string): Promise<string> {
  const orders = tx.selectFrom('pharmacy_orders').where('pharmacy_id', '=', pharmacyId)
  const { highest } = await orders
    .select((order) => order.fn.max('order_seq').as('highest'))
    .executeTakeFirstOrThrow()
  if (BigInt(highest ?? 0) < LAST_NUMBER) return String(BigInt(highest ?? 0) + 1n)
  const { longest } = await orders
    .select(sql<string>`max(order_number::numeric)::text`.as('longest'))
    .where('order_number', '~', '^[0-9]+$')
    .executeTakeFirstOrThrow()
  return String(BigInt(longest) + 1n)
}
