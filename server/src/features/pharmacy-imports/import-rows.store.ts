import {
  ImportField,
  ImportRow,
  type RowOutcome,
  RowProblem,
} from '@bancone/contract/pharmacy-imports'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import type { Cells } from './import-cells.rules.ts'
import type { RefusedRow } from './import-file.ts'
import type { Judgement } from './pharmacy-imports.store.ts'

/** Refused rows that are read at a time. */
const PORTION = 500

/** The import has ended meanwhile, or the row has been applied by another process. */
export class ImportEndedError extends Error {
  override readonly name = 'ImportEndedError'
}

const Fields: z.ZodType<Cells> = z.partialRecord(ImportField, z.string())
const StoredRow = z.object(ImportRow.shape).omit({ differences: true }).extend({ fields: Fields })
export type StoredRow = z.infer<typeof StoredRow>

const Refused = z.object({
  line: z.number(),
  cells: z.array(z.string()),
  problems: z.array(RowProblem),
})

export type ImportRowsStore = ReturnType<typeof createImportRowsStore>

/** The rows of imports. */
export function createImportRowsStore(db: Database) {
  return {
    async page(
      importId: string,
      outcome: RowOutcome | undefined,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<{ rows: StoredRow[]; total: number }> {
      const found = db
        .selectFrom('pharmacy_import_rows')
        .where('import_id', '=', importId)
        .$if(outcome !== undefined, (of) => of.where('outcome', '=', outcome ?? ''))
      const { total } = await found
        .select(({ fn }) => fn.countAll<string>().as('total'))
        .executeTakeFirstOrThrow()
      const rows = await found
        .select(['line', 'outcome', 'is_done as isDone', 'problems', 'changes', 'fields'])
        .select([
          sql<string>`coalesce(fields ->> 'pharmacy_id', '')`.as('code'),
          sql<string>`coalesce(fields ->> 'name', '')`.as('name'),
          sql<string>`coalesce(fields ->> 'email', '')`.as('email'),
        ])
        .orderBy('line')
        .offset(offset)
        .limit(limit)
        .execute()
      return { rows: StoredRow.array().parse(rows), total: Number(total) }
    },

    /** The next rows to apply. Those with a code come first, so that no other row is given that code. */
    async waiting(importId: string, limit: number): Promise<{ line: number; fields: Cells }[]> {
      const rows = await db
        .selectFrom('pharmacy_import_rows')
        .select(['line', 'fields'])
        .where('import_id', '=', importId)
        .where('is_done', '=', false)
        .orderBy(sql`fields ->> 'pharmacy_id' is null`)
        .orderBy('line')
        .limit(limit)
        .execute()
      return rows.map(({ line, fields }) => ({ line, fields: Fields.parse(fields) }))
    },

    /**
     * Marks a row as done, in the transaction that applies it.
     *
     * @throws ImportEndedError so that nothing of the row is applied twice, or after the import has ended
     */
    async settle(
      tx: Database,
      importId: string,
      line: number,
      { outcome, problems, changes }: Judgement,
    ): Promise<void> {
      const { numUpdatedRows } = await tx
        .updateTable('pharmacy_import_rows')
        .set({ outcome, problems: JSON.stringify(problems), changes, is_done: true })
        .where('import_id', '=', importId)
        .where('line', '=', line)
        .where('is_done', '=', false)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('pharmacy_imports')
              .select('id')
              .where('id', '=', importId)
              .where('state', '=', 'running'),
          ),
        )
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new ImportEndedError()
    },

    async headings(importId: string): Promise<string[]> {
      const { headings } = await db
        .selectFrom('pharmacy_imports')
        .select('headings')
        .where('id', '=', importId)
        .executeTakeFirstOrThrow()
      return headings
    },

    /** In portions, by line. */
    async *refused(importId: string): AsyncGenerator<RefusedRow[]> {
      for (let last = 0; ; ) {
        const rows = await db
          .selectFrom('pharmacy_import_rows')
          .select(['line', 'cells', 'problems'])
          .where('import_id', '=', importId)
          .where('outcome', '=', 'refused')
          .where('line', '>', last)
          .orderBy('line')
          .limit(PORTION)
          .execute()
        const portion = Refused.array().parse(rows)
        if (portion.length === 0) return
        yield portion
        last = portion.at(-1)?.line ?? last
      }
    },

    /** Which of the codes were ever used, and which of the addresses have an account. */
    async used(codes: readonly string[], emails: readonly string[]) {
      const { rows } = await sql<{ codes: string[]; emails: string[] }>`
        select array(select code from used_pharmacy_codes where code = any(${codes})) as codes,
          array(select lower(email) from auth_users where lower(email) = any(${emails})) as emails
      `.execute(db)
      return { codes: rows[0]?.codes ?? [], emails: rows[0]?.emails ?? [] }
    },
  }
}
