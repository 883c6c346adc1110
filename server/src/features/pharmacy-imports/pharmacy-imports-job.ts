import { z } from 'zod'
import type { Tasks } from '../../platform/jobs.ts'
import { PHARMACY_IMPORT_TASK, type PharmacyImportsStore } from './pharmacy-imports.store.ts'

export const IMPORT_CLEANUP_TASK = 'pharmacies.imports.cleanup'

const Payload = z.object({ importId: z.uuid() })

type Dependencies = {
  applyNext(importId: string, signal?: AbortSignal): Promise<void>
  store: Pick<PharmacyImportsStore, 'deleteOld'>
  log: { info(details: object, message: string): void }
}

/** Applies the rows of imports, a batch per job, and deletes old imports. */
export function pharmacyImportTasks({ applyNext, store, log }: Dependencies): Tasks {
  return {
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
  }
}
