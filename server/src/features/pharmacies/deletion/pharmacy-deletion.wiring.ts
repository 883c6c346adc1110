import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  downloadPharmacyExport,
  getPharmacyExport,
  listDeletedPharmacies,
  purgePharmacy,
  restorePharmacy,
  startPharmacyExport,
} from '@bancone/contract/pharmacy-deletion'
import { z } from 'zod'
import type { Database } from '../../../database/database.ts'
import type { AppModule } from '../../../http/app-module.ts'
import { createAudit } from '../../../platform/audit.ts'
import type { AuthService } from '../../../platform/auth/auth.service.ts'
import { rethrowAccountError } from '../../../platform/auth/auth-error.ts'
import type { Context } from '../../../platform/context.ts'
import type { Tasks } from '../../../platform/jobs.ts'
import { isStillUsed } from '../../../platform/stored-files.store.ts'
import type { TemporaryFiles } from '../../../platform/temporary-files.ts'
import type { FileStore, StoredFiles } from '../../../ports/file-store.ts'
import { createPharmacyDeletion } from './pharmacy-deletion.service.ts'
import { createPharmacyDeletionStore } from './pharmacy-deletion.store.ts'
import { withSnapshot } from './pharmacy-export-rows.store.ts'
import { exportZip, writtenCount } from './pharmacy-export-zip.ts'
import {
  createPharmacyExportsStore,
  EXPORT_REMOVAL_TASK,
  EXPORT_TASK,
  type PharmacyExportsStore,
} from './pharmacy-exports.store.ts'
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

type ExportDependencies = {
  db: Database
  exports: PharmacyExportsStore
  orderPictures: Pick<FileStore, 'open'>
  storedFiles: StoredFiles
  temporaryFiles: Pick<TemporaryFiles, 'create'>
  log: { error(details: object, message: string): void }
}

/** Milliseconds between two updates of the progress. */
const PROGRESS_MS = 1_000

const Payload = z.object({ exportId: z.uuid() })

/** Writes the files of exports, and removes them when they expire. Nothing of a file is held in memory as a whole. */
function pharmacyExportTasks(dependencies: ExportDependencies) {
  const { db, exports, orderPictures, storedFiles, temporaryFiles, log } = dependencies

  async function write(exportId: string, pharmacyId: string, stopping?: AbortSignal) {
    await using file = await temporaryFiles.create()
    const removed = new AbortController()
    const signal = stopping ? AbortSignal.any([stopping, removed.signal]) : removed.signal
    await withSnapshot(db, pharmacyId, async (snapshot) => {
      const total = writtenCount(snapshot)
      let done = 0
      const timer = setInterval(() => {
        exports.progress(exportId, done, total).then(
          (isThere) => isThere || removed.abort(),
          () => {},
        )
      }, PROGRESS_MS)
      try {
        await exports.progress(exportId, 0, total)
        const parts = exportZip({
          snapshot,
          open: async ({ store, key }) =>
            (await (store === 'orders' ? orderPictures : storedFiles).open(key))?.stream,
          onWritten: (count) => {
            done += count
          },
        })
        const output = createWriteStream(file.path, { flags: 'wx', mode: 0o600 })
        await pipeline(Readable.from(parts, { objectMode: false }), output, { signal })
      } finally {
        clearInterval(timer)
      }
    })
    const key = `pharmacy-exports/${exportId}`
    await storedFiles.put(key, { path: file.path }, 'application/zip')
    await exports.complete(exportId, key, (await stat(file.path)).size)
  }

  return {
    [EXPORT_TASK]: {
      lane: 'media',
      async run(payload, signal) {
        const { exportId } = Payload.parse(payload)
        const found = await exports.find(exportId)
        if (!found || found.export.state === 'done') return
        try {
          await write(exportId, found.pharmacyId, signal)
        } catch (error) {
          // Begun anew by another process.
          signal?.throwIfAborted()
          // The administrator is told, and can start another one.
          log.error({ err: error, exportId }, 'an export of a pharmacy failed')
          await exports.fail(exportId)
        }
      },
    },

    [EXPORT_REMOVAL_TASK]: {
      lane: 'maintenance',
      async run(payload) {
        const key = await exports.remove(Payload.parse(payload).exportId)
        // If this fails the daily cleanup removes the file.
        if (key !== null) await storedFiles.remove(key)
      },
    },
  } satisfies Tasks
}
