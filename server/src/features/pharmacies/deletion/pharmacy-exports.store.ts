import { EXPORT_HOURS, PharmacyExport } from '@bancone/contract/pharmacy-deletion'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { enqueue } from '../../../platform/jobs.ts'

export const EXPORT_TASK = 'pharmacies.export'
export const EXPORT_REMOVAL_TASK = 'pharmacies.export.removal'

/** Seconds without progress after which an export counts as failed: its job has ended, or its process has died. */
const IDLE_SECONDS = 10 * 60

export type PharmacyExportsStore = ReturnType<typeof createPharmacyExportsStore>

/** The only writer of `pharmacy_exports`. */
export function createPharmacyExportsStore(db: Database) {
  return {
    /**
     * Adds an export with its job; while one is being written for the pharmacy, that one is returned.
     *
     * @param tx a transaction that has locked the pharmacy
     */
    async add(pharmacyId: string, tx: Database): Promise<PharmacyExport> {
      const running = await selectExports(tx)
        .where('export.pharmacy_id', '=', pharmacyId)
        .where(sql<boolean>`${shownState} in ('waiting', 'running')`)
        .executeTakeFirst()
      if (running) return pharmacyExport(running)
      const { id } = await tx
        .insertInto('pharmacy_exports')
        .values({ pharmacy_id: pharmacyId })
        .returning('id')
        .executeTakeFirstOrThrow()
      await enqueue(tx, EXPORT_TASK, { exportId: id }, { key: `${EXPORT_TASK}:${id}` })
      return pharmacyExport(
        await selectExports(tx).where('export.id', '=', id).executeTakeFirstOrThrow(),
      )
    },

    /** @returns the export, and the key of its file while it can be downloaded; undefined when there is none */
    async find(id: string) {
      const row = await selectExports(db).where('export.id', '=', id).executeTakeFirst()
      return (
        row && {
          export: pharmacyExport(row),
          pharmacyId: row.pharmacy_id,
          fileKey: row.state === 'done' ? row.file_key : null,
        }
      )
    },

    /** The newest export of each pharmacy that has not failed or expired. */
    async newest(pharmacyIds: readonly string[]): Promise<Map<string, PharmacyExport>> {
      const rows = await selectExports(db)
        .where(sql<boolean>`export.pharmacy_id = any(${pharmacyIds}::uuid[])`)
        .where(sql<boolean>`${shownState} <> 'failed'`)
        .orderBy('export.created_at')
        .execute()
      return new Map(rows.map((row) => [row.pharmacy_id, pharmacyExport(row)]))
    },

    /** @returns false when the export does not exist any more, or is complete */
    async progress(id: string, done: number, total: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('pharmacy_exports')
        .set({ state: 'running', done, total, moved_at: clockTime })
        .where('id', '=', id)
        .where('state', '!=', 'done')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Completes the export if it still exists, and plans the removal of its file. */
    complete(id: string, fileKey: string, bytes: number): Promise<void> {
      return db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('pharmacy_exports')
          .set({ state: 'done', file_key: fileKey, bytes, moved_at: clockTime })
          .set((row) => ({ done: row.ref('total') }))
          .where('id', '=', id)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return
        await enqueue(
          tx,
          EXPORT_REMOVAL_TASK,
          { exportId: id },
          { key: `${EXPORT_REMOVAL_TASK}:${id}`, delaySeconds: EXPORT_HOURS * 3600 },
        )
      })
    },

    async fail(id: string): Promise<void> {
      await db
        .updateTable('pharmacy_exports')
        .set({ state: 'failed' })
        .where('id', '=', id)
        .where('state', '!=', 'done')
        .execute()
    },

    /** @returns the key of its file */
    async remove(id: string): Promise<string | null> {
      const row = await db
        .deleteFrom('pharmacy_exports')
        .where('id', '=', id)
        .returning('file_key')
        .executeTakeFirst()
      return row?.file_key ?? null
    },
  }
}

const clockTime = sql<string>`clock_timestamp()`

const expiresAt = sql<string | null>`case when state = 'done'
  then moved_at + make_interval(hours => ${EXPORT_HOURS}) end`

const shownState = sql<string>`case
  when state = 'done' and moved_at < now() - make_interval(hours => ${EXPORT_HOURS}) then 'failed'
  when state in ('waiting', 'running')
    and moved_at < now() - make_interval(secs => ${IDLE_SECONDS})
    then 'failed'
  else state end`

function selectExports(db: Database) {
  return db
    .selectFrom('pharmacy_exports as export')
    .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'export.pharmacy_id')
    .select(['export.id', 'export.pharmacy_id', 'export.done', 'export.total', 'export.bytes'])
    .select(['export.file_key', 'pharmacy.pharmacy_id as code'])
    .select([shownState.as('state'), expiresAt.as('expires_at')])
    .select(sql<string>`rome_day(export.created_at)::text`.as('day'))
}

type ExportRow = Awaited<ReturnType<ReturnType<typeof selectExports>['executeTakeFirstOrThrow']>>

function pharmacyExport({ bytes, expires_at, code, day, ...row }: ExportRow): PharmacyExport {
  return PharmacyExport.parse({
    ...row,
    bytes: bytes === null ? null : Number(bytes),
    expiresAt: expires_at,
    fileName: `${code.replaceAll(/[^\w-]/g, '')}-${day}.zip`,
  })
}
