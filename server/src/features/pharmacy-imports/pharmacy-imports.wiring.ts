import type { AppModule } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import { createAudit } from '../../platform/audit.ts'
import type { Log } from '../../ports/log.ts'
import { createRowApplier } from './apply-rows.ts'
import { createImportRowsStore } from './import-rows.store.ts'
import type { ImportedPharmacies } from './imported-pharmacies.ts'
import { pharmacyImportRoutes } from './pharmacy-imports.routes.ts'
import { createPharmacyImports } from './pharmacy-imports.service.ts'
import { createPharmacyImportsStore } from './pharmacy-imports.store.ts'
import { pharmacyImportTasks } from './pharmacy-imports-job.ts'

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
  return {
    routes: (http) => pharmacyImportRoutes(http, imports),
    tasks: pharmacyImportTasks({
      applyNext: createRowApplier({ db, store, rows, pharmacies, log }),
      store,
      log,
    }),
  }
}
