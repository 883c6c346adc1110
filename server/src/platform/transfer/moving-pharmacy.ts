import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { StartupError } from '../../startup-error.ts'

/** Orders of a pharmacy whose move was killed are open again after so long. A move that takes longer is given up. */
const CLOSED_MINUTES = 15
export const MAX_CLOSED_MS = 14 * 60_000

/** So long a server may believe that the pharmacy is active, whose event it has not processed. */
const SETTLE_MS = 300

/** So long transactions that began before are waited for. */
const MAX_READING_MS = 2_000
const MAX_WRITING_MS = 10_000

/** After so long nothing is written any more that a server accepted before. */
const LATE_MS = 3_000

/**
 * Servers refuse the pharmacy as soon as they hear of it.
 *
 * @returns whether it was active, also before a move that was killed
 */
export async function deactivate(source: pg.Client, pharmacyId: string): Promise<boolean> {
  const { rows } = await source.query<{ was_active: boolean }>(
    `update pharmacies set is_active = false from (
       select is_active or exists (
         select from pharmacy_order_counts where pharmacy_id = $1 and closed_until > now()
       ) as was_active
       from pharmacies where id = $1
     ) before
     where id = $1 returning was_active`,
    [pharmacyId],
  )
  return rows[0]?.was_active === true
}

/** Its orders are not changed any more, whatever a server believes. Waits for transactions that change some. */
export async function closeOrders(source: pg.Client, pharmacyId: string): Promise<void> {
  await source.query(`set lock_timeout = ${MAX_WRITING_MS}`)
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

/**
 * Looks for what was written after the last look at the rows: a server accepted it before the pharmacy was closed, and took
 * long to write it.
 *
 * @param snapshot PostgreSQL's text of what the last look saw
 * @returns the names of tables with such rows
 */
export async function lateTables(
  source: pg.Client,
  tables: readonly { name: string; where: string }[],
  snapshot: string,
): Promise<string[]> {
  await pause(LATE_MS)
  // The number of a transaction in a row has 32 bits; those before the present one are meant.
  const queries = tables.map(
    ({ name, where }) => `select '${name}' as name where exists (
      select from ${source.escapeIdentifier(name)}, present
      where (${where}) and not pg_visible_in_snapshot(
        (present.xid - ((present.xid - xmin::text::bigint) & 4294967295))::text::xid8, $1::pg_snapshot
      )
    )`,
  )
  const { rows } = await source.query<{ name: string }>(
    `with present as materialized (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xid)
     ${queries.join(' union all ')}`,
    [snapshot],
  )
  return rows.map(({ name }) => name)
}
