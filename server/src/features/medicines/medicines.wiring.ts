import { findMedicine } from '@bancone/contract/medicines'
import type { Http } from '../../http/app-module.ts'
import type { Context } from '../../platform/context.ts'
import { enqueue, type Tasks } from '../../platform/jobs.ts'
import { type MedicineRegister, MedicineRegisterError } from '../../ports/medicine-register.ts'
import { createMedicinesStore } from './medicines.store.ts'

export const MEDICINE_IMPORT_TASK = 'medicines.import'

/** An import this recent is not repeated by a start; the run of the next night still reads the register. */
const FRESH_MS = 12 * 60 * 60_000

/** An import with less than this share of the packs of the last one has lost some. */
const PLAUSIBLE_SHARE = 0.8

type Dependencies = Context & {
  /** Undefined: no register is configured. */
  register: MedicineRegister | undefined
}

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
    /** Imports the register. When that fails, the last good one stays in use. */
    tasks: {
      [MEDICINE_IMPORT_TASK]: {
        lane: 'maintenance',
        async run(_payload, signal) {
          const last = await store.lastImport()
          if (!register || (last && clock.now() - Date.parse(last.importedAt) < FRESH_MS)) return
          const least = Math.max(1, (last?.packs ?? 0) * PLAUSIBLE_SHARE)
          try {
            const { count, isAccepted } = await store.replace(
              register.packs(signal),
              (packs) => packs >= least,
            )
            const details = { packs: count, before: last?.packs ?? 0 }
            if (isAccepted) log.info(details, 'imported the register of medicines')
            else
              log.warn(
                details,
                'refused a register of medicines that is much smaller than the last',
              )
          } catch (error) {
            // The job is tried again, unless it would read the same file again.
            if (!(error instanceof MedicineRegisterError) || error.kind === 'unreachable')
              throw error
            log.warn({ err: error }, 'the register of medicines was not imported')
          }
        },
      },
    } satisfies Tasks,
    /** Imports at once where the daily job has not run yet. */
    start() {
      if (!register) return
      enqueue(db, MEDICINE_IMPORT_TASK, {}, { key: 'medicines.start' }).catch((error: unknown) =>
        log.warn({ err: error }, 'the import of the register of medicines was not started'),
      )
    },
  }
}
