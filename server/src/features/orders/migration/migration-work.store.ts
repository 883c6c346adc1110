import type { VerificationResult } from '@bancone/contract/migration-results'
import {
  MigrationCounts,
  type MigrationFailure,
  MigrationMode,
  MigrationStep,
} from '@bancone/contract/migration-runs'
import { OrderStatus } from '@bancone/contract/orders'
import { OrdersPhase } from '@bancone/contract/orders-migration'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../../database/database.ts'
import { violatesConstraint } from '../../../database/errors.ts'
import { KindError } from '../../../ports/kind-error.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { Findings } from './migration-findings.rules.ts'
import { noCounts } from './migration-run-view.rules.ts'

/** What is parsed of a run. */
const Parsed = z.object({
  mode: MigrationMode,
  step: z.nullable(MigrationStep),
  statusMapping: z.record(z.string(), OrderStatus),
  counts: z.catch(MigrationCounts, noCounts),
  findings: Findings,
  phase: OrdersPhase,
})

/** A run that this process works on. */
export type ClaimedRun = z.infer<typeof Parsed> & {
  id: string
  /** The attempt: writes of an earlier one are refused. */
  holder: string
  pharmacyId: string
  location: SourceLocation
  retryOf: string | null
  /** The time of change of the last record that was done. */
  cursor: string | null
  recheckAt: string | null
  startedBy: string | null
  request: unknown
  /** The pharmacy still uses this table. */
  isCurrent: boolean
}
type HeldRun = Pick<ClaimedRun, 'id' | 'holder' | 'pharmacyId'>

/**
 * `lost`: the run belongs to another process, or is gone. `not_drained`: the changes made here did not reach Airtable in
 * time. `outdated_page`: a normal reading may have taken the lease over, and have newer data than a page that was
 * requested before.
 */
export class RunError extends KindError<'lost' | 'cancelled' | 'not_drained' | 'outdated_page'> {
  override readonly name = 'RunError'
}

export type RunEnd = {
  state: 'completed' | 'completed_with_errors' | 'cancelled' | 'failed'
  verification?: VerificationResult | null
  failure?: MigrationFailure
  /** Of a dry run. */
  result?: object
}

export type MigrationWorkStore = ReturnType<typeof createMigrationWorkStore>

/** The state of runs that are being worked on, and what they leave in `order_migrations`. */
export function createMigrationWorkStore(db: Database) {
  const held = (tx: Database, { id, holder, pharmacyId }: HeldRun) =>
    tx
      .updateTable('migration_runs')
      .where('pharmacy_id', '=', pharmacyId)
      .where('id', '=', id)
      .where('holder', '=', holder)

  return {
    /**
     * Takes the oldest run that waits or whose process has died, one of a base at a time.
     *
     * @param stalledMs how long a process may be silent
     */
    async claim(holder: string, stalledMs: number): Promise<ClaimedRun | undefined> {
      const { rows } = await claimed(holder, stalledMs)
        .execute(db)
        .catch((error: unknown) => {
          if (!violatesConstraint(error, 'migration_runs__one_of_base')) throw error
          return { rows: [] }
        })
      if (!rows[0]) return undefined
      const { baseId, tableId, ...row } = rows[0]
      return { ...row, holder, location: { baseId, tableId }, ...Parsed.parse(row) }
    },

    /**
     * Stores the progress, in the transaction of the batch.
     * @returns whether it has been cancelled
     * @throws RunError `lost`
     */
    async advance(tx: Database, run: HeldRun & Pick<ClaimedRun, 'counts' | 'findings' | 'cursor'>) {
      const row = await held(tx, run)
        .set({
          counts: JSON.stringify(run.counts),
          findings: JSON.stringify(run.findings),
          cursor: run.cursor,
          failure: null,
          heartbeat_at: sql<string>`clock_timestamp()`,
          ...paceAt(run.counts.read),
        })
        .returning('state')
        .executeTakeFirst()
      if (!row) throw new RunError('lost', 'the run is held by another process')
      return row.state === 'cancelling'
    },

    /** @returns whether it has been cancelled @throws RunError `lost` */
    async beat(run: ClaimedRun): Promise<boolean> {
      const row = await held(db, run)
        .set({ heartbeat_at: sql<string>`clock_timestamp()` })
        .returning('state')
        .executeTakeFirst()
      if (!row) throw new RunError('lost', 'the run is held by another process')
      return row.state === 'cancelling'
    },

    /** Why it waits before it tries again. */
    async noteFailure(run: ClaimedRun, failure: MigrationFailure): Promise<void> {
      await held(db, run).set({ failure }).execute()
    },

    /** @throws RunError `lost` */
    async enter(run: ClaimedRun, step: MigrationStep, recheckAt?: string): Promise<void> {
      const { numUpdatedRows } = await held(db, run)
        .set({ step, failure: null, ...(recheckAt !== undefined && { recheck_at: recheckAt }) })
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new RunError('lost', 'the run is held by another process')
      run.step = step
    },

    /** Another process, or this one after a restart, continues it at once. */
    async release(run: ClaimedRun): Promise<void> {
      await held(db, run)
        .set({
          holder: null,
          heartbeat_at: null,
          state: sql<string>`case when state = 'running' then 'queued' else state end`,
        })
        .where('ended_at', 'is', null)
        .execute()
    },

    /**
     * Ends a run. What it read is not needed any more; what it found is kept.
     *
     * @param besides done in the same transaction
     * @throws RunError `lost`
     */
    finish(
      run: ClaimedRun,
      end: RunEnd,
      besides: (tx: Database) => Promise<void> = async () => {},
    ): Promise<void> {
      return db.transaction().execute(async (tx) => {
        await finish(tx, run, end)
        await besides(tx)
      })
    },
  }

  async function finish(tx: Database, run: ClaimedRun, end: RunEnd): Promise<void> {
    const { verification } = end
    const { numUpdatedRows } = await held(tx, run)
      .set({
        state: end.state,
        step: null,
        counts: JSON.stringify(run.counts),
        findings: JSON.stringify({ ...run.findings, ...(end.result && { result: end.result }) }),
        verification: verification ? JSON.stringify(verification) : null,
        failure: end.failure ?? null,
        heartbeat_at: sql<string>`clock_timestamp()`,
        ended_at: sql<string>`clock_timestamp()`,
      })
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new RunError('lost', 'the run is held by another process')
    await tx
      .deleteFrom('migration_records')
      .where('pharmacy_id', '=', run.pharmacyId)
      .where('run_id', '=', run.id)
      .execute()
    const isWhole = end.state !== 'cancelled' && end.state !== 'failed' && run.retryOf === null
    if (isWhole) await setCount(tx, run)
    const isMigration = isWhole && run.mode === 'full'
    if (!isMigration && !verification) return
    const found = {
      ...(isMigration && {
        last_migration_at: sql<string>`now()`,
        deleted_at: null,
        deleted_orders: null,
        deleted_migration_at: null,
      }),
      ...(verification && {
        verified_at: sql<string>`now()`,
        has_differences: !verification.equal,
      }),
    }
    await tx
      .insertInto('order_migrations')
      .values({ pharmacy_id: run.pharmacyId, ...found })
      .onConflict((conflict) => conflict.column('pharmacy_id').doUpdateSet(found))
      .execute()
  }
}

/**
 * The sample from which the speed is measured. After 30 seconds it is replaced by one of ten seconds ago, as it was by
 * the speed until now.
 */
function paceAt(read: number) {
  const isOld = sql`paced_at < clock_timestamp() - interval '30 seconds'`
  const share = sql`10 / extract(epoch from clock_timestamp() - paced_at)`
  return {
    paced_at: sql<string>`case when ${isOld} then clock_timestamp() - interval '10 seconds' else paced_at end`,
    paced_read: sql<number>`case when ${isOld}
      then round(${read}::integer - (${read}::integer - paced_read) * ${share})::integer
      else paced_read end`,
  }
}

/** Stores how many records Airtable has. A pharmacy whose orders were not read before has no row yet. */
async function setCount(tx: Database, { pharmacyId, location, counts }: ClaimedRun): Promise<void> {
  const { baseId, tableId } = location
  await sql`
    insert into order_copies (pharmacy_id, base_id, table_id, records, counted_at)
    values (${pharmacyId}, ${baseId}, ${tableId}, ${counts.read}, now())
    on conflict (pharmacy_id) do update set records = excluded.records, counted_at = excluded.counted_at
      where (order_copies.base_id, order_copies.table_id) = (excluded.base_id, excluded.table_id)
  `.execute(tx)
}

type ClaimedRow = Omit<ClaimedRun, keyof typeof Parsed.shape | 'holder' | 'location'> &
  SourceLocation

function claimed(holder: string, stalledMs: number) {
  return sql<ClaimedRow>`
    update migration_runs run set
      state = case when run.state = 'queued' then 'running' else run.state end,
      holder = ${holder}, heartbeat_at = clock_timestamp(), paced_at = clock_timestamp(),
      paced_read = coalesce((run.counts ->> 'read')::integer, 0),
      started_at = coalesce(run.started_at, now())
    from pharmacies pharmacy
    where pharmacy.id = run.pharmacy_id and (run.pharmacy_id, run.id) = (
      select due.pharmacy_id, due.id from migration_runs due
      where due.ended_at is null
        and (
          due.holder is null
          or due.heartbeat_at < clock_timestamp() - make_interval(secs => ${stalledMs / 1_000}::float8)
        )
        and not exists (
          select from migration_runs other
          where other.base_id = due.base_id and other.id <> due.id
            and other.state in ('running', 'cancelling')
        )
      order by due.created_at, due.id
      limit 1
      for update skip locked
    )
    returning run.id, run.pharmacy_id as "pharmacyId", run.base_id as "baseId",
      run.table_id as "tableId", run.mode, run.step, run.retry_of as "retryOf",
      run.status_mapping as "statusMapping", run.counts, run.findings, run.cursor,
      run.recheck_at as "recheckAt", run.started_by as "startedBy", run.request,
      pharmacy.orders_phase as phase, pharmacy.deleted_at is null
      and coalesce(pharmacy.airtable_base_id = run.base_id, false)
      and coalesce(pharmacy.airtable_table_id = run.table_id, false) as "isCurrent"
  `
}
