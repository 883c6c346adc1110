import {
  downloadPharmacyExport,
  getPharmacyExport,
  listDeletedPharmacies,
  purgePharmacy,
  restorePharmacy,
  startPharmacyExport,
} from '@bancone/contract/pharmacy-deletion'
import type { Database } from '../../../database/database.ts'
import type { AppModule } from '../../../http/app-module.ts'
import { createAudit } from '../../../platform/audit.ts'
import { rethrowAccountError } from '../../../platform/auth/account-errors.ts'
import type { AuthService } from '../../../platform/auth/auth.service.ts'
import type { Context } from '../../../platform/context.ts'
import { isStillUsed } from '../../../platform/stored-files.store.ts'
import type { TemporaryFiles } from '../../../platform/temporary-files.ts'
import type { FileStore, StoredFiles } from '../../../ports/file-store.ts'
import { createPharmacyDeletion } from './pharmacy-deletion.service.ts'
import { createPharmacyDeletionStore } from './pharmacy-deletion.store.ts'
import { pharmacyExportTasks } from './pharmacy-export-job.ts'
import { createPharmacyExportsStore } from './pharmacy-exports.store.ts'
import { createPharmacyPurgeStore } from './pharmacy-purge.store.ts'
import { PURGE_TASK, purgeTasks } from './pharmacy-purge.ts'

type Dependencies = Context & {
  auth: Pick<AuthService, 'reauthentication'>
  orderPictures: FileStore
  storedFiles: StoredFiles
  temporaryFiles: TemporaryFiles
  removeOrderPictures(pharmacyId: string, signal?: AbortSignal): Promise<number>
  removeImages(pharmacyId: string, signal?: AbortSignal): Promise<number>
  beforeRemoval(tx: Database, pharmacyId: string): Promise<void>
}

/** Wires the deletion of pharmacies: restoration, export and purge. */
export function wirePharmacyDeletion(dependencies: Dependencies): AppModule & {
  /** Purges a pharmacy now that a restored database still has. Can be repeated. */
  purgeAgain(pharmacyId: string): Promise<void>
} {
  const { db, auth, storedFiles } = dependencies
  const purges = createPharmacyPurgeStore(db)
  const exports = createPharmacyExportsStore(db)
  const store = createPharmacyDeletionStore(db)
  const deletion = createPharmacyDeletion({
    db,
    store,
    purges,
    exports,
    storedFiles,
    audit: createAudit(db),
    requireRecent: (sessionId) =>
      auth.reauthentication
        .requireRecent({ sessionId }, 'Administration of pharmacies')
        .catch(rethrowAccountError),
  })
  const purging = purgeTasks({
    ...dependencies,
    store: purges,
    // A copy of a file that belongs to another pharmacy keeps it.
    removeFile: (key) =>
      storedFiles.remove(key).catch((error: unknown) => {
        if (!isStillUsed(error)) throw error
      }),
  })
  return {
    async purgeAgain(pharmacyId) {
      await store.markDeleted(pharmacyId)
      await purging[PURGE_TASK].run({ pharmacyId }, undefined)
    },
    routes({ serve, serveFile }) {
      serve(listDeletedPharmacies, () => deletion.list())

      serve(restorePharmacy, async ({ params }) => {
        await deletion.restore(params.pharmacyId)
        return {}
      })

      serve(purgePharmacy, async ({ params, body }, session) => {
        await deletion.purge(params.pharmacyId, body.code, session)
        return {}
      })

      serve(startPharmacyExport, ({ params }) => deletion.startExport(params.pharmacyId))

      serve(getPharmacyExport, ({ params }) => deletion.findExport(params.exportId))

      serveFile(downloadPharmacyExport, ({ params }, session) =>
        deletion.takeExport(params.exportId, session),
      )
    },
    tasks: { ...purging, ...pharmacyExportTasks({ ...dependencies, exports }) },
  }
}
