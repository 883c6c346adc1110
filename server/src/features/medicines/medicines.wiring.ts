import { findMedicine } from '@bancone/contract/medicines'
import type { Http } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { MedicineRegister } from '../../ports/medicine-register.ts'
import { MEDICINE_IMPORT_TASK, medicineImportTasks } from './medicine-import-job.ts'
import { createMedicinesStore } from './medicines.store.ts'

type Dependencies = {
  db: Database
  register: MedicineRegister | undefined
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
}

/** Wires the register of medicines. */
export function wireMedicines({ db, register, clock, log }: Dependencies) {
  const store = createMedicinesStore(db)
  return {
    lastImport: store.lastImport,
    routes({ serve }: Http) {
      serve(findMedicine, async ({ query }) => ({
        medicine: await store.find(query.code),
        registerTime: (await store.lastImport())?.importedAt ?? null,
      }))
    },
    tasks: medicineImportTasks({ store, register, clock, log }),
    /** Imports at once where the daily job has not run yet. */
    start() {
      if (!register) return
      enqueue(db, MEDICINE_IMPORT_TASK, {}, { key: 'medicines.start' }).catch((error: unknown) =>
        log.warn({ err: error }, 'the import of the register of medicines was not started'),
      )
    },
  }
}
