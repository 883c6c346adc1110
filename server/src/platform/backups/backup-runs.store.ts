import { BackupProblem, type BackupRun } from '@bancone/contract/backups'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import type { DatabaseTimes } from '../telemetry/database-readings.ts'

type Kind = BackupRun['kind']

/** How far the log is in the target (ISO 8601), and why not further. */
export type ArchiveState = { until: string | null; problem: BackupProblem | null }

export type BackupRunsStore = ReturnType<typeof createBackupRunsStore>

/** A run that has not been updated for so long has ended with its process. */
const DEAD = sql`interval '2 minutes'`

const SHOWN = 20

const lastGoodAt = (kind: Kind) => sql<string | null>`(
  select max(started_at) from backup_runs where state = 'done' and kind = ${kind}
)`

/** The last good back-up, the last good test (before there is one, the first back-up), and how far the archived log is. */
export const lastBackups = {
  backup: lastGoodAt('backup'),
  restore_test: sql<
    string | null
  >`coalesce(${lastGoodAt('test')}, (select min(started_at) from backup_runs))`,
  log_archive: sql<string | null>`(select archived_until from backup_archive)`,
} satisfies DatabaseTimes

/** The writer of all tables of back-ups, besides the restore. */
export function createBackupRunsStore(db: Database) {
  const runs = db
    .selectFrom('backup_runs')
    .select(['id', 'kind', 'state', 'bytes', 'problem'])
    .select(['started_at', 'finished_at'])
    .orderBy('started_at', 'desc')

  type Row = Awaited<ReturnType<typeof runs.executeTakeFirstOrThrow>>

  async function endDead(): Promise<void> {
    await db
      .updateTable('backup_runs')
      .set({ state: 'failed', problem: 'interrupted', finished_at: sql<string>`now()` })
      .where('state', '=', 'running')
      .where(sql<boolean>`updated_at < now() - ${DEAD}`)
      .execute()
  }

  return {
    /** @returns the id; undefined when another run goes on */
    async begin(kind: Kind): Promise<string | undefined> {
      await endDead()
      await db
        .deleteFrom('backup_runs')
        .where(sql<boolean>`started_at < now() - interval '1 year'`)
        .execute()
      const row = await db
        .insertInto('backup_runs')
        .values({ kind })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      return row?.id
    },

    async update(id: string, bytes: number): Promise<void> {
      await db
        .updateTable('backup_runs')
        .set({ bytes, updated_at: sql<string>`now()` })
        .where('id', '=', id)
        .execute()
    },

    async finish(id: string, result: { bytes: number } | { problem: BackupProblem }) {
      const state = 'problem' in result ? 'failed' : 'done'
      await db
        .updateTable('backup_runs')
        .set({ ...result, state, finished_at: sql<string>`now()` })
        .where('id', '=', id)
        .execute()
    },

    /** The newest runs, newest first, and the last good ones. */
    async runs() {
      await endDead()
      const newest = await runs.limit(SHOWN).execute()
      const lastGood = async (kind: Kind) => {
        const row = await runs
          .where('state', '=', 'done')
          .where('kind', '=', kind)
          .executeTakeFirst()
        return row ? runOf(row) : null
      }
      return {
        newest: newest.map(runOf),
        lastBackup: await lastGood('backup'),
        lastTest: await lastGood('test'),
      }
    },

    /** Null: nothing was ever sent, or the last server that ran did not archive. */
    async archive(): Promise<ArchiveState | null> {
      const row = await db
        .selectFrom('backup_archive')
        .select(['archived_until', 'problem'])
        .executeTakeFirst()
      return row ? { until: row.archived_until, problem: problemOf(row.problem) } : null
    },

    /** For a server that does not archive: what it writes is a gap in the log, after which a back-up is due. */
    async forgetArchive(): Promise<void> {
      await db.deleteFrom('backup_archive').execute()
    },

    /** @param until milliseconds since 1970; undefined when nothing new was sent */
    async setArchive(problem: BackupProblem | null, until?: number): Promise<void> {
      const values = {
        problem,
        updated_at: sql<string>`now()`,
        ...(until !== undefined && { archived_until: new Date(until).toISOString() }),
      }
      await db
        .insertInto('backup_archive')
        .values(values)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
        .execute()
    },

    /** Whether PostgreSQL itself fails to copy its log into the folder of the archive. */
    async isArchiverFailing(): Promise<boolean> {
      const { rows } = await sql<{ failing: boolean }>`
        select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing
        from pg_stat_archiver`.execute(db)
      return rows[0]?.failing ?? false
    },

    async confirmedAt(keyId: string): Promise<string | null> {
      const row = await db
        .selectFrom('backup_keys')
        .select('confirmed_at')
        .where('key_id', '=', keyId)
        .executeTakeFirst()
      return row?.confirmed_at ?? null
    },

    async confirm(keyId: string, userId: string, tx: Database): Promise<void> {
      await tx
        .insertInto('backup_keys')
        .values({ key_id: keyId, confirmed_by: userId })
        .onConflict((conflict) => conflict.column('key_id').doNothing())
        .execute()
    },

    /**
     * Takes the problems that are to be mailed now, so that no other process does: new ones, and those of a day ago.
     * Those that are over are forgotten.
     */
    async takeAlerts(problems: readonly BackupProblem[]): Promise<BackupProblem[]> {
      await db
        .deleteFrom('backup_alerts')
        .where(sql<boolean>`problem <> all (${[...problems]}::text[])`)
        .execute()
      if (problems.length === 0) return []
      const taken = await db
        .insertInto('backup_alerts')
        .values(problems.map((problem) => ({ problem })))
        .onConflict((conflict) =>
          conflict
            .column('problem')
            .doUpdateSet({ mailed_at: sql<string>`now()` })
            .where(sql<boolean>`backup_alerts.mailed_at < now() - interval '1 day'`),
        )
        .returning('problem')
        .execute()
      const names = new Set(taken.map(({ problem }) => problem))
      return problems.filter((problem) => names.has(problem))
    },

    /** Gives back what could not be mailed. */
    async returnAlerts(problems: readonly BackupProblem[]): Promise<void> {
      await db.deleteFrom('backup_alerts').where('problem', 'in', problems).execute()
    },

    /** The pharmacies that a restored database has to erase. */
    async erasures(): Promise<string[]> {
      const rows = await db.selectFrom('backup_erasures').select('purged_id').execute()
      return rows.map((row) => row.purged_id)
    },

    /** The customers whose data a restored database has to erase, by the hash of their telephone numbers. */
    async customerErasures(): Promise<{ pharmacyId: string; hash: string; erasedAt: string }[]> {
      return db
        .selectFrom('backup_customer_erasures')
        .select(['owner_id as pharmacyId', 'customer_hash as hash', 'erased_at as erasedAt'])
        .orderBy('owner_id')
        .execute()
    },

    async removeCustomerErasures(pharmacyId: string): Promise<void> {
      await db.deleteFrom('backup_customer_erasures').where('owner_id', '=', pharmacyId).execute()
    },

    async removeErasure(pharmacyId: string): Promise<void> {
      await db.deleteFrom('backup_erasures').where('purged_id', '=', pharmacyId).execute()
    },
  }

  function runOf({ id, kind, state, bytes, problem, started_at, finished_at }: Row): BackupRun {
    return {
      id,
      kind: kind === 'test' ? 'test' : 'backup',
      state: state === 'running' || state === 'done' ? state : 'failed',
      startedAt: started_at,
      finishedAt: finished_at,
      bytes: Number(bytes),
      problem: problemOf(problem),
    }
  }
}

/** Of a newer version, after a restore: `unexpected`. */
function problemOf(problem: string | null): BackupProblem | null {
  return problem === null ? null : z.catch(BackupProblem, 'unexpected').parse(problem)
}
