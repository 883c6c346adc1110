import {
  type ImportField,
  PharmacyImport,
  type RowOutcome,
  type RowProblem,
} from '@bancone/contract/pharmacy-imports'
import { sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../base/app-error.ts'
import type { RequestContext } from '../../base/request-context.ts'
import type { Database } from '../../database/database.ts'
import { rethrowViolationAs } from '../../database/errors.ts'
import type { Audit } from '../../platform/audit.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { FileRow } from './import-file.ts'

export const PHARMACY_IMPORT_TASK = 'pharmacies.import'

const LISTED = 10
const KEPT_DAYS = 30

/** What is stored of a row beside its cells. */
export type Judgement = { outcome: RowOutcome; problems: RowProblem[]; changes: ImportField[] }

/** In whose name an import runs. */
export type ImportRequest = { userId: string; context: Omit<RequestContext, 'actor'> }

const Context = z.object({
  requestId: z.string(),
  address: z.string(),
  agent: z.string().nullable(),
})

export type PharmacyImportsStore = ReturnType<typeof createPharmacyImportsStore>

/** The only writer of `pharmacy_imports`; with `import-rows.store.ts` of `pharmacy_import_rows`. */
export function createPharmacyImportsStore(db: Database, audit: Pick<Audit, 'record'>) {
  const noted = (
    tx: Database,
    importId: string,
    details: Record<string, string | number | boolean | null>,
  ) => {
    const target = { type: 'pharmacy_import', id: importId }
    return audit.record({ action: 'pharmacies_imported', userId: null, target, details }, tx)
  }

  async function find(importId: string): Promise<PharmacyImport> {
    const [found] = await imports(db, sql`where import.id = ${importId}`)
    if (!found) throw new AppError('pharmacy_imports.not_found')
    return found
  }

  return {
    find,

    latest: () => imports(db, sql`order by import.created_at desc limit ${LISTED}`),

    async add(
      { headings, ignored }: { headings: string[]; ignored: string[] },
      rows: readonly (FileRow & Judgement)[],
      userId: string,
    ): Promise<PharmacyImport> {
      const importId = await db.transaction().execute(async (tx) => {
        const { id } = await tx
          .insertInto('pharmacy_imports')
          .values({ headings, ignored, created_by: userId })
          .returning('id')
          .executeTakeFirstOrThrow()
        await sql`insert into pharmacy_import_rows (import_id, line, cells, fields, outcome, problems, changes)
          select ${id}, line, cells, fields, outcome, problems, changes
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as (line integer, cells jsonb, fields jsonb, outcome text, problems jsonb, changes text[])`.execute(
          tx,
        )
        return id
      })
      return find(importId)
    },

    /** Begins to apply the rows, except for those that were refused. */
    async start(importId: string, { userId, context }: ImportRequest): Promise<PharmacyImport> {
      await find(importId)
      await db
        .transaction()
        .execute(async (tx) => {
          const { numUpdatedRows } = await tx
            .updateTable('pharmacy_imports')
            .set({ state: 'running', started_by: userId, request: JSON.stringify(context) })
            .where('id', '=', importId)
            .where('state', '=', 'preview')
            .executeTakeFirst()
          if (numUpdatedRows === 0n) throw new AppError('pharmacy_imports.started')
          const { numUpdatedRows: refused } = await tx
            .updateTable('pharmacy_import_rows')
            .set({ is_done: true })
            .where('import_id', '=', importId)
            .where('outcome', '=', 'refused')
            .executeTakeFirst()
          await noted(tx, importId, { step: 'started', refused: Number(refused) })
          await enqueueImport(tx, importId)
        })
        .catch(
          rethrowViolationAs('pharmacy_imports.other_running', 'pharmacy_imports__one_running'),
        )
      return find(importId)
    },

    /** Deletes a preview; ends a running import, whose rows stay. One that has ended stays as it is. */
    async cancel(importId: string): Promise<void> {
      await find(importId)
      await db.transaction().execute(async (tx) => {
        await tx
          .deleteFrom('pharmacy_imports')
          .where('id', '=', importId)
          .where('state', '=', 'preview')
          .execute()
        const { numUpdatedRows } = await tx
          .updateTable('pharmacy_imports')
          .set({ state: 'cancelled', ended_at: sql<string>`now()` })
          .where('id', '=', importId)
          .where('state', '=', 'running')
          .executeTakeFirst()
        if (numUpdatedRows > 0n) await noted(tx, importId, { step: 'cancelled' })
      })
    },

    /** In whose name a running import runs; undefined when it is not running. */
    async request(importId: string): Promise<ImportRequest | undefined> {
      const row = await db
        .selectFrom('pharmacy_imports')
        .select(['started_by as userId', 'request'])
        .where('id', '=', importId)
        .where('state', '=', 'running')
        .executeTakeFirst()
      return row?.userId ? { userId: row.userId, context: Context.parse(row.request) } : undefined
    },

    /** Adds the job that applies the next rows. */
    enqueueNext: (importId: string) => enqueueImport(db, importId),

    /** Ends an import all of whose rows are done. */
    async finish(importId: string): Promise<void> {
      const { counts } = await find(importId)
      await db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('pharmacy_imports')
          .set({ state: 'done', ended_at: sql<string>`now()` })
          .where('id', '=', importId)
          .where('state', '=', 'running')
          .executeTakeFirst()
        if (numUpdatedRows > 0n) await noted(tx, importId, { step: 'done', ...counts })
      })
    },

    /** @returns the number of imports */
    async deleteOld(): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('pharmacy_imports')
        .where('state', '<>', 'running')
        .where(sql<boolean>`created_at < now() - make_interval(days => ${KEPT_DAYS})`)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

/** Imports run one after the other, and each in many short jobs, so that other jobs do not wait for all of it. */
function enqueueImport(tx: Database, importId: string): Promise<void> {
  const options = { key: `${PHARMACY_IMPORT_TASK}.${importId}`, queue: PHARMACY_IMPORT_TASK }
  return enqueue(tx, PHARMACY_IMPORT_TASK, { importId }, options)
}

async function imports(db: Database, narrowed: ReturnType<typeof sql>): Promise<PharmacyImport[]> {
  const { rows } = await sql`
    select import.id, import.state, import.ignored as "ignoredColumns", import.created_at, import.ended_at,
      creator.email as created_by, counted.*
    from pharmacy_imports import
    left join auth_users creator on creator.id = import.created_by
    cross join lateral (
      select count(*)::int as total, (count(*) filter (where is_done))::int as done,
        jsonb_build_object(
          'new', count(*) filter (where is_counted and outcome = 'new'),
          'changed', count(*) filter (where is_counted and outcome = 'changed'),
          'same', count(*) filter (where is_counted and outcome = 'same'),
          'refused', count(*) filter (where is_counted and outcome = 'refused')
        ) as counts
      from (
        select outcome, is_done, is_done or import.state = 'preview' as is_counted
        from pharmacy_import_rows where import_id = import.id
      ) of_import
    ) counted
    ${narrowed}
  `.execute(db)
  return z.array(PharmacyImport).parse(rows)
}
