import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { StartupError } from '../../startup-error.ts'
import { storedFileKeys, withOwner } from '../backups/database-facts.ts'
import type { ExportedTable } from './export.ts'
import type { TransferredPharmacy } from './transfer-manifest.ts'
import type { FileKey } from './transferred-files.ts'

/**
 * Orders of a pharmacy that has not moved, because the command was killed, are open again after so long. A move that takes
 * longer is given up.
 */
const CLOSED_MINUTES = 15
export const MAX_CLOSED_MS = 14 * 60_000

/** So long a server may believe that the pharmacy is active, whose event it has not processed. */
const SETTLE_MS = 300

/** So long transactions that began before are waited for. */
const MAX_READING_MS = 2_000
const MAX_WRITING_MS = 30_000

/** The files to which the rows of these tables refer. */
export async function fileKeys(
  source: pg.Client,
  tables: readonly ExportedTable[],
): Promise<FileKey[]> {
  const whereOf = (table: string) => tables.find(({ name }) => name === table)?.where
  const where = { images: whereOf('order_image_files'), files: whereOf('stored_files') }
  const keys: FileKey[] = []
  for await (const key of storedFileKeys(source, where)) keys.push(key)
  return keys
}

/** Servers refuse the pharmacy as soon as they hear of it. @returns whether it was active */
export async function deactivate(source: pg.Client, pharmacyId: string): Promise<boolean> {
  const { rowCount } = await source.query(
    'update pharmacies set is_active = false where id = $1 and is_active',
    [pharmacyId],
  )
  return rowCount === 1
}

/** Its orders are not changed any more, whatever a server believes. Waits for transactions that change some. */
export async function closeOrders(source: pg.Client, pharmacyId: string): Promise<void> {
  await source.query(
    `insert into pharmacy_order_counts as kept (pharmacy_id, closed_until)
     values ($1, clock_timestamp() + make_interval(mins => $2))
     on conflict (pharmacy_id) do update set closed_until = excluded.closed_until`,
    [pharmacyId, CLOSED_MINUTES],
  )
}

/** Opens a pharmacy that has not moved. */
export async function open(
  source: pg.Client,
  pharmacyId: string,
  wasActive: boolean,
): Promise<void> {
  await source.query(
    'update pharmacy_order_counts set closed_until = null where pharmacy_id = $1',
    [pharmacyId],
  )
  if (wasActive)
    await source.query('update pharmacies set is_active = true where id = $1', [pharmacyId])
}

/**
 * Waits until the servers have heard that the pharmacy is closed, and transactions that began before have ended. Those
 * that have only read for long are not waited for: exports and back-ups.
 *
 * @throws StartupError when one that has written does not end
 */
export async function settle(source: pg.Client): Promise<void> {
  await pause(SETTLE_MS)
  const running = `select l.virtualtransaction as id from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'virtualxid' and a.datname = current_database() and pid <> pg_backend_pid()`
  const { rows } = await source.query<{ id: string }>(running)
  const ids = rows.map(({ id }) => id)
  const since = Date.now()
  for (;;) {
    const { rows: found } = await source.query<{ reading: number; writing: number }>(
      `select count(*) filter (where locktype = 'virtualxid')::int as reading,
         count(*) filter (where locktype = 'transactionid' and mode = 'ExclusiveLock' and granted)::int as writing
       from pg_locks where virtualtransaction = any($1)`,
      [ids],
    )
    const { reading, writing } = found[0] ?? { reading: 0, writing: 0 }
    const waited = Date.now() - since
    if (reading === 0 || (writing === 0 && waited > MAX_READING_MS)) return
    if (waited > MAX_WRITING_MS) {
      throw new StartupError(
        'A transaction of the first database does not end (see pg_stat_activity): try again later.',
      )
    }
    await pause(20)
  }
}

/** A connection may break while the last transaction is committed: the pharmacy must not work on both servers. */
export async function requireAbsent(to: string, pharmacy: TransferredPharmacy): Promise<void> {
  const isThere = await withOwner(to, async (client) => {
    const { rowCount } = await client.query('select from pharmacies where id = $1', [pharmacy.id])
    return rowCount === 1
  }).catch(() => undefined)
  if (isThere === false) return
  throw new StartupError(
    isThere
      ? `The pharmacy ${pharmacy.code} has moved, although the connection broke at the end. It is inactive here.`
      : `The other database cannot be reached, and may have the pharmacy ${pharmacy.code} or not: it is inactive ` +
          'here. Look there; if it is not there, activate it here and move it again.',
  )
}
