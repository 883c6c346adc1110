import { PurgeStep } from '@bancone/contract/pharmacy-deletion'
import { sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { lockPlans } from '../plan-deviations.store.ts'
import { pharmacyTables } from './tables.store.ts'

/** Rows that are removed in one transaction: short enough not to hold up the other pharmacies. */
const BATCH_SIZE = 1_000

/** A purge that is not finished. */
export type Purge = { id: string; pharmacyId: string }

export type PharmacyPurgeStore = ReturnType<typeof createPharmacyPurgeStore>

/**
 * The ledger of purges. The only exception to the rule that a table is written by its owner: a purge removes the rows
 * of a pharmacy from all tables of `tables.store.ts`.
 */
export function createPharmacyPurgeStore(db: Database) {
  /** Adds to the number of removed rows of a step, in the transaction that removes them. */
  async function count(tx: Database, purge: Purge, step: PurgeStep, name: string, rows: number) {
    if (rows === 0) return
    await sql`
      update pharmacy_purge_steps set removed = removed
        || jsonb_build_object(${name}::text, coalesce((removed ->> ${name})::integer, 0) + ${rows}::integer)
      where purge_id = ${purge.id} and step = ${step}`.execute(tx)
  }

  async function finishStep(tx: Database, purge: Purge, step: PurgeStep): Promise<void> {
    await tx
      .updateTable('pharmacy_purge_steps')
      .set({ finished_at: clockTime })
      .where('purge_id', '=', purge.id)
      .where('step', '=', step)
      .execute()
  }

  return {
    /**
     * Records that the purge begins; from then on the pharmacy cannot be restored. A purge that has begun goes on.
     *
     * @param requestedBy the administrator; null where the 30 days are over
     * @param tx a transaction
     * @returns undefined when the pharmacy does not exist or is not deleted
     */
    async begin(pharmacyId: string, requestedBy: string | null, tx: Database) {
      const pharmacy = await tx
        .selectFrom('pharmacies')
        .select(['pharmacy_id', 'deleted_at', 'deleted_by'])
        .where('id', '=', pharmacyId)
        // A concurrent restoration waits, and then finds the purge.
        .forUpdate()
        .executeTakeFirst()
      if (!pharmacy?.deleted_at) return undefined
      const { id } = await tx
        .insertInto('pharmacy_purges')
        .values({
          pharmacy_id: pharmacyId,
          code: pharmacy.pharmacy_id,
          deleted_at: pharmacy.deleted_at,
          deleted_by: pharmacy.deleted_by,
          requested_by: requestedBy,
        })
        .onConflict((conflict) =>
          conflict.column('pharmacy_id').doUpdateSet({ pharmacy_id: pharmacyId }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, pharmacyId }
    },

    /** @throws AppError `pharmacies.being_purged` */
    async requireNone(pharmacyId: string, tx: Database): Promise<void> {
      const found = await tx
        .selectFrom('pharmacy_purges')
        .select('id')
        .where('pharmacy_id', '=', pharmacyId)
        .executeTakeFirst()
      if (found) throw new AppError('pharmacies.being_purged')
    },

    /** The ids of the pharmacies that have been deleted for so many days, or whose purge has begun; oldest first. */
    async due(days: number): Promise<string[]> {
      const rows = await db
        .selectFrom('pharmacies')
        .select('id')
        .where('deleted_at', 'is not', null)
        .where(
          sql<boolean>`(deleted_at <= now() - make_interval(days => ${days}) or exists (
            select from pharmacy_purges purge where purge.pharmacy_id = pharmacies.id))`,
        )
        .orderBy('deleted_at')
        .execute()
      return rows.map(({ id }) => id)
    },

    /** @returns false when the step is complete */
    async startStep(purge: Purge, step: PurgeStep): Promise<boolean> {
      const row = await db
        .insertInto('pharmacy_purge_steps')
        .values({ purge_id: purge.id, step })
        .onConflict((conflict) => conflict.columns(['purge_id', 'step']).doUpdateSet({ step }))
        .returning('finished_at')
        .executeTakeFirstOrThrow()
      return row.finished_at === null
    },

    finishStep: (purge: Purge, step: PurgeStep) => finishStep(db, purge, step),

    /**
     * Removes the rows of the step's tables, in batches. Removed rows that refer to stored files leave their keys in
     * `pharmacy_purge_files`.
     *
     * @param signal stops between two batches
     */
    async removeRows(purge: Purge, step: PurgeStep, signal?: AbortSignal): Promise<void> {
      for (const table of pharmacyTables.filter((each) => each.step === step)) {
        const name = sql.table(table.name)
        let removed: number
        do {
          signal?.throwIfAborted()
          removed = await db.transaction().execute(async (tx) => {
            const batch = sql`select ctid from ${name}
              where ${table.isOf(purge.pharmacyId)} limit ${BATCH_SIZE}`
            const gone = sql`delete from ${name} where ctid in (${batch})`
            const withFiles = sql`insert into pharmacy_purge_files (purge_id, key)
              select distinct ${purge.id}::uuid, file_key from gone where file_key is not null
              on conflict do nothing`
            const counted = await sql<{ rows: number }>`
              with gone as (${gone} ${step === 'files' ? sql`returning file_key` : sql`returning 1`})
              ${step === 'files' ? sql`, noted as (${withFiles})` : sql``}
              select count(*)::integer as rows from gone`.execute(tx)
            const rows = counted.rows[0]?.rows ?? 0
            await count(tx, purge, step, table.name, rows)
            return rows
          })
        } while (removed > 0)
      }
    },

    /** The keys of files whose bytes are to be removed. */
    async files(purge: Purge): Promise<string[]> {
      const rows = await db
        .selectFrom('pharmacy_purge_files')
        .select('key')
        .where('purge_id', '=', purge.id)
        .orderBy('key')
        .execute()
      return rows.map(({ key }) => key)
    },

    async forgetFile(purge: Purge, key: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('pharmacy_purge_files')
          .where('purge_id', '=', purge.id)
          .where('key', '=', key)
          .executeTakeFirst()
        if (numDeletedRows > 0n) await count(tx, purge, 'files', 'files', 1)
      })
    },

    /** Adds to the number of files that a step has removed. */
    async countFiles(purge: Purge, step: PurgeStep, files: number): Promise<void> {
      await count(db, purge, step, 'files', files)
    },

    /** Removes pending jobs that name the pharmacy. Those of its orders end by themselves. */
    async removeJobs({ pharmacyId }: Purge): Promise<void> {
      await sql`select graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs where key like ${`%:${pharmacyId}`} and locked_at is null
          and task_identifier not like 'pharmacies.%'
      ))`.execute(db)
    },

    /**
     * Removes the pharmacy with its account, and makes the ledger its certificate, in one transaction.
     *
     * @param before what belongs into it, before the pharmacy is gone
     */
    async finish(purge: Purge, before: (tx: Database) => Promise<void>): Promise<void> {
      const { id, pharmacyId } = purge
      await db.transaction().execute(async (tx) => {
        // The removal of deviations computes what the plan grants.
        await lockPlans(tx)
        await before(tx)
        for (const table of pharmacyTables.filter(({ step }) => step === 'account')) {
          const gone =
            await sql`delete from ${sql.table(table.name)} where ${table.isOf(pharmacyId)}`.execute(
              tx,
            )
          await count(tx, purge, 'account', table.name, Number(gone.numAffectedRows ?? 0n))
        }
        const account = await sql`delete from auth_users where id = ${pharmacyId}
          and not exists (select from admin_users where user_id = ${pharmacyId})`.execute(tx)
        await count(tx, purge, 'account', 'auth_users', Number(account.numAffectedRows ?? 0n))
        await finishStep(tx, purge, 'account')
        await tx
          .updateTable('pharmacy_purges')
          .set({ pharmacy_id: null, finished_at: clockTime })
          .where('id', '=', id)
          .execute()
      })
    },

    /** The certificates of the finished purges, newest first. */
    async certificates() {
      const rows = await db
        .selectFrom('pharmacy_purges as purge')
        .innerJoin('pharmacy_purge_steps as step', 'step.purge_id', 'purge.id')
        .selectAll('purge')
        .select(['step.step', 'step.removed', 'step.finished_at as step_finished_at'])
        .where('purge.finished_at', 'is not', null)
        .orderBy('purge.finished_at', 'desc')
        .orderBy('purge.id')
        .orderBy('step.started_at')
        .execute()
      return rows
    },

    /** The complete steps of the purges in progress, by pharmacy. */
    async inProgress(): Promise<Map<string, PurgeStep[]>> {
      const rows = await db
        .selectFrom('pharmacy_purges as purge')
        .leftJoin('pharmacy_purge_steps as step', (join) =>
          join.onRef('step.purge_id', '=', 'purge.id').on('step.finished_at', 'is not', null),
        )
        .select(['purge.pharmacy_id', 'step.step'])
        .where('purge.pharmacy_id', 'is not', null)
        .orderBy('step.started_at')
        .execute()
      const steps = new Map<string, PurgeStep[]>()
      for (const { pharmacy_id: id, step } of rows) {
        if (id === null) continue
        const done = steps.get(id) ?? []
        if (step !== null) done.push(PurgeStep.parse(step))
        steps.set(id, done)
      }
      return steps
    },
  }
}

const clockTime = sql<string>`clock_timestamp()`
