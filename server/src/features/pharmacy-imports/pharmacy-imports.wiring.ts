import {
  cancelPharmacyImport,
  downloadImportTemplate,
  downloadRefusedRows,
  getPharmacyImport,
  listImportRows,
  listPharmacyImports,
  startPharmacyImport,
  uploadPharmacyImport,
} from '@bancone/contract/pharmacy-imports'
import { z } from 'zod'
import { currentRequest } from '../../base/request-context.ts'
import type { AppModule } from '../../http/app-module.ts'
import { createAudit } from '../../platform/audit.ts'
import { callerFrom } from '../../platform/auth/auth-protocol.ts'
import type { Context } from '../../platform/context.ts'
import { createImportRowsStore } from './import-rows.store.ts'
import type { ImportedPharmacies } from './imported-pharmacies.ts'
import { createPharmacyImports, createRowApplier } from './pharmacy-imports.service.ts'
import { createPharmacyImportsStore, PHARMACY_IMPORT_TASK } from './pharmacy-imports.store.ts'

export const IMPORT_CLEANUP_TASK = 'pharmacies.imports.cleanup'

const Payload = z.object({ importId: z.uuid() })

type Dependencies = Context & {
  pharmacies: ImportedPharmacies
}

export function wirePharmacyImports({ db, pharmacies, log }: Dependencies): AppModule {
  const store = createPharmacyImportsStore(db, createAudit(db))
  const rows = createImportRowsStore(db)
  const imports = createPharmacyImports({ store, rows, pharmacies })
  const applyNext = createRowApplier({ db, store, rows, pharmacies, log })
  return {
    routes({ serve, serveFile, serveUpload }) {
      serveUpload(uploadPharmacyImport, (_input, { userId }, upload) =>
        imports.check(userId, upload),
      )

      serve(listPharmacyImports, async () => ({ imports: await store.latest() }))

      serve(getPharmacyImport, ({ params }) => store.find(params.importId))

      serve(listImportRows, ({ params, query }) => imports.rows(params.importId, query))

      serve(startPharmacyImport, ({ params }, { userId }, call) => {
        const requestId = currentRequest()?.requestId ?? ''
        return store.start(params.importId, {
          userId,
          context: { requestId, ...callerFrom(call) },
        })
      })

      serve(cancelPharmacyImport, async ({ params }) => {
        await store.cancel(params.importId)
        return {}
      })

      serveFile(downloadRefusedRows, ({ params }) => imports.refusedFile(params.importId))

      serveFile(downloadImportTemplate, () => imports.template())
    },
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
