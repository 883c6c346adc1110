import { readFile } from 'node:fs/promises'
import { type PageQuery, type Pagination, pagination } from '@bancone/contract/paging'
import type {
  ImportRow,
  PharmacyImport,
  RowOutcome,
  RowProblem,
} from '@bancone/contract/pharmacy-imports'
import { AppError } from '../../base/app-error.ts'
import { runInRequest } from '../../base/request-context.ts'
import type { Database } from '../../database/database.ts'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import type { ServedFile } from '../../http/serve.ts'
import type { Upload } from '../../http/serve-upload.ts'
import { checkRows, judged } from './check-rows.rules.ts'
import { BAD_PHONE, type Decision, decide, NOT_MIGRATED } from './import-rows.rules.ts'
import { ImportEndedError, type ImportRowsStore, type StoredRow } from './import-rows.store.ts'
import { type ImportedPharmacies, knownFor } from './imported-pharmacies.ts'
import type { ImportRequest, PharmacyImportsStore } from './pharmacy-imports.store.ts'

type Dependencies = {
  store: PharmacyImportsStore
  rows: ImportRowsStore
  pharmacies: Pick<ImportedPharmacies, 'plans' | 'matching' | 'present'>
}

/** With the first import: it needs libraries that few processes ever use. */
const importFile = () => import('./import-file.ts')

/** Imports of pharmacies, for administrators: a preview first, which changes nothing. */
export function createPharmacyImports({ store, rows, pharmacies }: Dependencies) {
  /** Computed when they are shown, because another administrator may change a pharmacy meanwhile. */
  async function withDifferences(found: readonly StoredRow[]): Promise<ImportRow[]> {
    const open = found.filter(({ isDone, outcome }) => !isDone && outcome === 'changed')
    const known = await knownFor(open, pharmacies, rows)
    return found.map(({ fields, ...row }) => {
      const decision = row.isDone || row.outcome !== 'changed' ? null : decide(fields, known)
      const differences = decision?.outcome === 'changed' ? decision.differences : []
      return { ...row, differences }
    })
  }

  return {
    async check(userId: string, upload: Upload): Promise<PharmacyImport> {
      const { path } = await upload.receive()
      const { readImportFile } = await importFile()
      const file = readImportFile(await readFile(path))
      const known = await knownFor(file.rows, pharmacies, rows)
      return store.add(file, checkRows(file.rows, known, await pharmacies.present()), userId)
    },

    async rows(
      importId: string,
      { page, pageSize, outcome }: PageQuery & { outcome?: RowOutcome | undefined },
    ): Promise<{ rows: ImportRow[]; pagination: Pagination }> {
      await store.find(importId)
      const portion = { offset: (page - 1) * pageSize, limit: pageSize }
      const found = await rows.page(importId, outcome, portion)
      return {
        rows: await withDifferences(found.rows),
        pagination: pagination(page, pageSize, found.total),
      }
    },

    async refusedFile(importId: string): Promise<ServedFile> {
      await store.find(importId)
      const { refusedFile } = await importFile()
      return refusedFile(await rows.headings(importId), rows.refused(importId))
    },

    async template(): Promise<ServedFile> {
      const [plan] = await pharmacies.plans()
      const { templateFile } = await importFile()
      return templateFile(plan?.name)
    },
  }
}

/** Rows of one job. */
const BATCH = 50

type ApplierDependencies = {
  db: Database
  store: Pick<PharmacyImportsStore, 'request' | 'finish' | 'enqueueNext'>
  rows: ImportRowsStore
  pharmacies: ImportedPharmacies
  log: { error(details: object, message: string): void }
}

/** Applies the next rows of a running import, each in a transaction together with the mark that it is done. */
export function createRowApplier({ db, store, rows, pharmacies, log }: ApplierDependencies) {
  /** Writes what a row means, and in the same transaction that it is done. */
  async function write(
    decision: Decision,
    { userId, context }: ImportRequest,
    settle: (tx: Database) => Promise<void>,
  ): Promise<void> {
    const { address, agent } = context
    if (decision.outcome === 'new') {
      await pharmacies.invite(decision.fields, { actorId: userId, address, agent }, settle)
    } else if (decision.outcome === 'changed') {
      await pharmacies.update(decision.pharmacyId, decision.fields, userId, settle)
    } else {
      await settle(db)
    }
  }

  /** What another administrator did since the rows were read, or what the checks do not foresee. */
  function problemOf(error: unknown): RowProblem {
    if (error instanceof AppError) {
      const known = problems[error.code]
      if (known) return known
    }
    log.error({ err: error }, 'a row of an import was not applied')
    return { field: null, text: 'Errore imprevisto: riprova.' }
  }

  async function apply(importId: string, line: number, decision: Decision, by: ImportRequest) {
    try {
      await write(decision, by, (tx) => rows.settle(tx, importId, line, judged(decision)))
    } catch (error) {
      if (error instanceof ImportEndedError || isDatabaseUnavailable(error)) throw error
      const refused = judged({ outcome: 'refused', problems: [problemOf(error)] })
      await rows.settle(db, importId, line, refused)
    }
  }

  async function applyBatch(importId: string, by: ImportRequest, signal: AbortSignal | undefined) {
    const batch = await rows.waiting(importId, BATCH)
    if (batch.length === 0) return store.finish(importId)
    const known = await knownFor(batch, pharmacies, rows)
    for (const row of batch) {
      // The next process goes on with the other rows.
      if (signal?.aborted) break
      await apply(importId, row.line, decide(row.fields, known), by)
    }
    return store.enqueueNext(importId)
  }

  return async (importId: string, signal?: AbortSignal): Promise<void> => {
    const by = await store.request(importId)
    if (!by) return
    const actor = { id: by.userId, role: 'admin', pharmacyId: null } as const
    try {
      await runInRequest({ ...by.context, actor }, () => applyBatch(importId, by, signal))
    } catch (error) {
      if (!(error instanceof ImportEndedError)) throw error
    }
  }
}

const problems: Partial<Record<AppError['code'], RowProblem>> = {
  'pharmacies.email_taken': { field: 'email', text: 'Questa email ha già un account.' },
  'pharmacies.code_taken': { field: 'pharmacy_id', text: 'Questo codice è già stato usato.' },
  'pharmacies.bad_phone': BAD_PHONE,
  'plans.not_found': { field: 'subscription_plan_id', text: 'Il piano non esiste più.' },
  'pharmacies.orders_in_database': {
    field: 'use_supabase_orders',
    text: 'Gli ordini sono nel database: torna ad Airtable dalla migrazione degli ordini.',
  },
  'pharmacies.not_migrated': NOT_MIGRATED,
  'pharmacies.not_found': { field: null, text: 'Questa farmacia è stata eliminata.' },
}
