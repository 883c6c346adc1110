import { z } from 'zod'
import type { AppModule } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import { createAudit } from '../../platform/audit.ts'
import type { Log } from '../../ports/log.ts'
import { createRowApplier } from './apply-rows.ts'
import { createImportRowsStore } from './import-rows.store.ts'
import type { ImportedPharmacies } from './imported-pharmacies.ts'
import { pharmacyImportRoutes } from './pharmacy-imports.routes.ts'
import { createPharmacyImports } from './pharmacy-imports.service.ts'
import { createPharmacyImportsStore, PHARMACY_IMPORT_TASK } from './pharmacy-imports.store.ts'

export const IMPORT_CLEANUP_TASK = 'pharmacies.imports.cleanup'

const Payload = z.object({ importId: z.uuid() })

type Dependencies = {
  db: Database
  pharmacies: ImportedPharmacies
  log: Pick<Log, 'info' | 'error'>
}

/** Wires the imports of pharmacies. */
export function wirePharmacyImports({ db, pharmacies, log }: Dependencies): AppModule {
  const store = createPharmacyImportsStore(db, createAudit(db))
  const rows = createImportRowsStore(db)
  const imports = createPharmacyImports({ store, rows, pharmacies })
  const applyNext = createRowApplier({ db, store, rows, pharmacies, log })
  return {
    routes: (http) => pharmacyImportRoutes(http, imports),
    // The rows of an import are applied by a batch per job.
    tasks: {
      [PHARMACY_IMPORT_TASK]: {
        lane: 'maintenance',
        run: (payload, signal) => applyNext(Payload.parse(payload).importId, signal),
      },
      [IMPORT_CLEANUP_TASK]: {
        lane: 'maintenance',
        async run() {
          log.info({ imports: await store.deleteOld() }, 'deleted old imports of pharmacies')
        },
      },
    },
  }
}
