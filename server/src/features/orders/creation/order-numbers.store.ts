import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'

/** How long to wait for another creation of the pharmacy. */
const LOCK_TIMEOUT_MS = 2_000

/**
 * Serializes the creations of a pharmacy: equal idempotency keys must create one order, and generated numbers must
 * differ.
 *
 * @param tx a transaction that has locked no order yet
 * @throws an error recognized by `isLockTimeout`
 */
export async function lockNewOrders(tx: Database, pharmacyId: string): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true)`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`new orders ${pharmacyId}`}, 0))`.execute(
    tx,
  )
}

/** '0012' and '12' count as the same number. */
export async function isNumberTaken(tx: Database, pharmacyId: string, number: string) {
  const isNumber = /^\d{1,15}$/.test(number)
  let others = tx.selectFrom('pharmacy_orders').select('id').where('pharmacy_id', '=', pharmacyId)
  others = isNumber
    ? others.where('order_seq', '=', number)
    : others.where('order_seq', 'is', null).where('order_number', '=', number)
  return (await others.limit(1).executeTakeFirst()) !== undefined
}

/** The highest value stored as a number; longer ones are texts. */
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
