import type {
  MigrationMode,
  MigrationRun,
  MigrationRunDetail,
} from '@bancone/contract/migration-runs'
import type { OrderStatus } from '@bancone/contract/orders'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { RequestContext } from '../../../base/request-context.ts'
import type { Database } from '../../../database/database.ts'
import { lockPharmacy } from '../../../database/row-limit.ts'
import type { Audit } from '../../../platform/audit.ts'
import { type RunDetailRow, type RunRow, runDetailOf, runOf } from './migration-run-view.rules.ts'

/** In whose name a run works. */
export type RunRequest = { userId: string; context: Omit<RequestContext, 'actor'> }

export type NewRun = {
  mode: MigrationMode
  statusMapping?: Record<string, OrderStatus> | undefined
  retryOf?: string
}

/** Removes the examples of orders, which have parts of names, from the runs of a pharmacy that have ended. */
export async function forgetExamples(tx: Database, pharmacyId: string): Promise<void> {
  await sql`
    update migration_runs set findings = case
      when findings ? 'result' then jsonb_set(
        findings - 'new' - 'changed' - 'conflicts', '{result,examples}',
        '{"new": [], "changed": [], "onlyHere": [], "conflicts": []}'
      )
      else findings - 'new' - 'changed' - 'conflicts' end
    where pharmacy_id = ${pharmacyId} and ended_at is not null
      and (findings ?| array['new', 'changed', 'conflicts']
        or jsonb_path_exists(findings, '$.result.examples.*[*]'))`.execute(tx)
}

export type MigrationRunsStore = ReturnType<typeof createMigrationRunsStore>

/** Starts, cancels and lists runs. With `migration-work.store.ts` the only writer of `migration_runs`. */
export function createMigrationRunsStore(db: Database, audit: Pick<Audit, 'recordChange'>) {
  async function find(runId: string, tx = db): Promise<MigrationRunDetail> {
    const { rows } = await runDetails(sql`where run.id = ${runId}`).execute(tx)
    if (!rows[0]) throw new AppError('migrations.not_found')
    return runDetailOf(rows[0])
  }

  return {
    find,

    /** A run of that pharmacy; the one that has not ended if it has the same mode. Other modes are refused. */
    start(pharmacyId: string, run: NewRun, { userId, context }: RunRequest) {
      return db.transaction().execute(async (tx) => {
        await lockPharmacy(tx, pharmacyId)
        const active = await tx
          .selectFrom('migration_runs')
          .select(['id', 'mode', 'retry_of'])
          .where('pharmacy_id', '=', pharmacyId)
          .where('ended_at', 'is', null)
          .executeTakeFirst()
        if (active) {
          const isSame = active.mode === run.mode && active.retry_of === (run.retryOf ?? null)
          if (!isSame) throw new AppError('migrations.other_running')
          return find(active.id, tx)
        }
        const { rows } = await sql<{ id: string }>`
          insert into migration_runs (
            pharmacy_id, base_id, table_id, mode, status_mapping, retry_of, total, started_by, request
          )
          select p.id, p.airtable_base_id, p.airtable_table_id, ${run.mode},
            ${JSON.stringify(run.statusMapping ?? {})}::jsonb, ${run.retryOf ?? null}::uuid,
            case when ${run.retryOf ?? null}::uuid is null then copy.records else (
              select count(*) from migration_items
              where pharmacy_id = ${pharmacyId} and run_id = ${run.retryOf ?? null}::uuid
                and kind = 'refused' and resolved_at is null
            ) end,
            ${userId}, ${JSON.stringify(context)}::jsonb
          from pharmacies p ${copyOf}
          where p.id = ${pharmacyId} and ${hasAirtable}
          returning id
        `.execute(tx)
        if (!rows[0]) throw new AppError('migrations.no_airtable')
        const target = { type: 'pharmacy', id: pharmacyId }
        const details = { mode: run.mode }
        await audit.recordChange(tx, {
          action: 'orders_migration_started',
          pharmacyId,
          target,
          details,
        })
        return find(rows[0].id, tx)
      })
    },

    /**
     * A full run for each active pharmacy with the backup on. While the runs of an earlier call have not ended, those are
     * returned: of two calls at the same time the second one waits for the first.
     *
     * @returns the id of the batch
     */
    startAll({ userId, context }: RunRequest): Promise<string> {
      return db.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended('migrate all', 0))`.execute(tx)
        const running = await tx
          .selectFrom('migration_runs')
          .select('batch_id')
          .where('ended_at', 'is', null)
          .where('batch_id', 'is not', null)
          .executeTakeFirst()
        if (running?.batch_id) return running.batch_id
        const { rows } = await sql<{ batch_id: string }>`
          insert into migration_runs (
            batch_id, pharmacy_id, base_id, table_id, mode, total, started_by, request
          )
          select batch.id, p.id, p.airtable_base_id, p.airtable_table_id, 'full', copy.records,
            ${userId}, ${JSON.stringify(context)}::jsonb
          from pharmacies p ${copyOf} cross join (select gen_random_uuid() as id) batch
          where p.is_active and p.use_supabase_orders and ${hasAirtable}
          order by p.name
          on conflict do nothing
          returning batch_id
        `.execute(tx)
        if (!rows[0]) throw new AppError('migrations.nothing_to_migrate')
        const target = { type: 'migration', id: rows[0].batch_id }
        const details = { mode: 'full', pharmacies: rows.length }
        const action = 'orders_migration_started'
        await audit.recordChange(tx, { action, pharmacyId: null, target, details })
        return rows[0].batch_id
      })
    },

    /** Ends those that wait, and lets those that run end after their batch. @returns how many there were */
    cancel(which: { runId: string } | 'all'): Promise<number> {
      return db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ id: string; pharmacy_id: string; mode: string }>`
          update migration_runs set
            state = case when state = 'queued' then 'cancelled' else 'cancelling' end,
            ended_at = case when state = 'queued' then now() end
          where ended_at is null and state <> 'cancelling'
            and ${which === 'all' ? sql`batch_id is not null` : sql`id = ${which.runId}`}
          returning id, pharmacy_id, mode
        `.execute(tx)
        for (const { pharmacy_id, mode } of rows) {
          const target = { type: 'pharmacy', id: pharmacy_id }
          const action = 'orders_migration_cancelled'
          await audit.recordChange(tx, {
            action,
            pharmacyId: pharmacy_id,
            target,
            details: { mode },
          })
        }
        return rows.length
      })
    },

    /** Deletes runs that ended 90 days ago, except for the last ten of each pharmacy. @returns their number */
    async deleteOld(): Promise<number> {
      // Of runs that were cancelled while they waited for another attempt.
      await sql`delete from migration_records where (pharmacy_id, run_id) in (
        select pharmacy_id, id from migration_runs where ended_at is not null
      )`.execute(db)
      const { rows } = await sql`
        delete from migration_runs where (pharmacy_id, id) in (
          select pharmacy_id, id from (
            select pharmacy_id, id, ended_at, row_number() over (partition by pharmacy_id order by created_at desc) as nth
            from migration_runs
          ) run where nth > 10 and ended_at < now() - interval '90 days'
        ) returning id
      `.execute(db)
      return rows.length
    },

    /** Newest first. */
    async list(
      pharmacyId: string | undefined,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<{ runs: MigrationRun[]; total: number }> {
      const which = pharmacyId === undefined ? sql`true` : sql`run.pharmacy_id = ${pharmacyId}`
      const { rows } = await runs(
        sql`where ${which} order by run.created_at desc limit ${limit} offset ${offset}`,
      ).execute(db)
      const counted = await sql<{ total: number }>`
        select count(*)::int as total from migration_runs run where ${which}`.execute(db)
      return { runs: rows.map(runOf), total: counted.rows[0]?.total ?? 0 }
    },

    /** Of each pharmacy the run that has not ended, or the last one; with their pharmacies' ids. */
    async latest(): Promise<Map<string, MigrationRun>> {
      const { rows } = await runs(sql`where (run.pharmacy_id, run.id) in (
        select distinct on (pharmacy_id) pharmacy_id, id from migration_runs
        order by pharmacy_id, ended_at is not null, created_at desc
      )`).execute(db)
      return new Map(rows.map((row) => [row.pharmacy.id, runOf(row)]))
    },

    /** The run of a pharmacy that has not ended, or the last one; null without any. */
    async latestOf(pharmacyId: string, tx = db): Promise<MigrationRunDetail | null> {
      const { rows } = await runDetails(
        sql`where run.pharmacy_id = ${pharmacyId}
          order by run.ended_at is not null, run.created_at desc limit 1`,
      ).execute(tx)
      return rows[0] ? runDetailOf(rows[0]) : null
    },

    /** The runs of the last 'Migra Tutte', by name of the pharmacy; empty when there was none. */
    async lastBatch(): Promise<MigrationRun[]> {
      const { rows } = await runs(sql`where run.batch_id = (
        select batch_id from migration_runs where batch_id is not null
        order by created_at desc limit 1
      ) order by pharmacy.name, run.id`).execute(db)
      return rows.map(runOf)
    },
  }
}

/** `p` is the pharmacy, `copy` the state of its copy. */
const copyOf = sql`left join order_copies copy on copy.pharmacy_id = p.id
  and copy.base_id = p.airtable_base_id and copy.table_id = p.airtable_table_id`

const hasAirtable = sql<boolean>`
  p.deleted_at is null and p.airtable_base_id <> '' and p.airtable_table_id <> ''`

const runs = (narrowed: RawBuilder<unknown>) => selectRuns<RunRow>(sql``, narrowed)

const runDetails = (narrowed: RawBuilder<unknown>) =>
  selectRuns<RunDetailRow>(
    sql`run.findings, (
      select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'total', total, 'open', open)), '[]')
      from (
        select kind, count(*) as total, count(*) filter (where resolved_at is null) as open
        from migration_items where pharmacy_id = run.pharmacy_id and run_id = run.id group by kind order by kind
      ) item
    ) as items,`,
    narrowed,
  )

function selectRuns<Row>(besides: RawBuilder<unknown>, narrowed: RawBuilder<unknown>) {
  return sql<Row>`
    select ${besides} run.id, run.batch_id as "batchId", run.retry_of as "retryOf", run.mode, run.step,
      run.counts, run.verification, run.failure, run.total, run.created_at as "createdAt",
      run.started_at as "startedAt", run.heartbeat_at as "heartbeatAt", run.ended_at as "endedAt",
      starter.email as "startedBy",
      case when run.state in ('running', 'cancelling') and run.heartbeat_at < now() - interval '2 minutes'
        then 'stalled' else run.state end as state,
      extract(epoch from run.heartbeat_at - run.paced_at)::float8 as "pacedSeconds",
      run.paced_read as "pacedRead", jsonb_build_object(
        'id', pharmacy.id, 'pharmacy_id', pharmacy.pharmacy_id, 'name', pharmacy.name
      ) as pharmacy
    from migration_runs run
    join pharmacies pharmacy on pharmacy.id = run.pharmacy_id
    left join auth_users starter on starter.id = run.started_by
    ${narrowed}
  `
}
