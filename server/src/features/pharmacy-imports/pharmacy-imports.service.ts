import { readFile } from 'node:fs/promises'
import { type PageQuery, type Pagination, pagination } from '@bancone/contract/paging'
import type { ImportRow, PharmacyImport, RowOutcome } from '@bancone/contract/pharmacy-imports'
import type { ServedFile } from '../../http/serve.ts'
import type { Upload } from '../../http/serve-upload.ts'
import { checkRows } from './check-rows.rules.ts'
import { readImportFile, refusedFile, templateFile } from './import-file.ts'
import { decide } from './import-rows.rules.ts'
import type { ImportRowsStore, StoredRow } from './import-rows.store.ts'
import { type ImportedPharmacies, knownFor } from './imported-pharmacies.ts'
import type { PharmacyImportsStore } from './pharmacy-imports.store.ts'

type Dependencies = {
  store: PharmacyImportsStore
  rows: ImportRowsStore
  pharmacies: Pick<ImportedPharmacies, 'plans' | 'matching' | 'present'>
}

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
      return refusedFile(await rows.headings(importId), rows.refused(importId))
    },

    async template(): Promise<ServedFile> {
      const [plan] = await pharmacies.plans()
      return templateFile(plan?.name)
    },
  }
}
