import type { ErrorCode } from '@bancone/contract/errors'
import type { SelectQueryBuilder } from 'kysely'
import { AppError } from '../base/app-error.ts'
import type { Database } from './database.ts'
import type { DB } from './schema.gen.ts'

/**
 * Locks a pharmacy until the end of the transaction, so that concurrent transactions that enforce a limit run one after
 * the other. Writes to the pharmacy's rows in other tables are not blocked.
 *
 * @param tx a transaction
 */
export async function lockPharmacy(tx: Database, pharmacyId: string): Promise<void> {
  await tx
    .selectFrom('pharmacies')
    .select('id')
    .where('id', '=', pharmacyId)
    .forNoKeyUpdate()
    .execute()
}

type RowLimit<Table extends keyof DB> = {
  /** The rows that count, without a selection. */
  rows: SelectQueryBuilder<DB, Table, object>
  max: number
  code: ErrorCode
  /** Seconds after which there may be room. */
  retryAfter?: number
}

/**
 * Requires that one more row may be inserted. Called in the transaction that inserts it, after a lock that all
 * inserts of such rows take, such as `lockPharmacy`: without it concurrent inserts would exceed the limit.
 *
 * @throws AppError with `code` when there are `max` rows
 */
export async function requireRoom<Table extends keyof DB>({
  rows,
  max,
  code,
  retryAfter,
}: RowLimit<Table>): Promise<void> {
  const { count } = await rows
    .select((row) => row.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) < max) return
  throw new AppError(code, { ...(retryAfter !== undefined && { retryAfter }) })
}
