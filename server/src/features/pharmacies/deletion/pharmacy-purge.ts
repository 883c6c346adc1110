import { PurgeStep, RESTORE_DAYS } from '@bancone/contract/pharmacy-deletion'
import { z } from 'zod'
import type { Database } from '../../../database/database.ts'
import type { Tasks } from '../../../platform/jobs.ts'
import type { Log } from '../../../ports/log.ts'
import type { PharmacyPurgeStore, Purge } from './pharmacy-purge.store.ts'

export const PURGE_TASK = 'pharmacies.purge'

/** What other features remove of a pharmacy, with its files. Can be repeated. @returns the number of files */
type Remove = (pharmacyId: string, signal?: AbortSignal) => Promise<number>

type Dependencies = {
  db: Database
  store: PharmacyPurgeStore
  /** The copies of the pictures of its orders. Their rows are gone already. */
  removeOrderPictures: Remove
  /** The pictures that customers see, with their rows. */
  removeImages: Remove
  /** Removes a stored file unless a row refers to it. */
  removeFile(key: string): Promise<void>
  /** What else belongs into the transaction that removes the pharmacy, before it is gone. */
  beforeRemoval(tx: Database, pharmacyId: string): Promise<void>
  log: Pick<Log, 'info' | 'error'>
}

const Payload = z.object({ pharmacyId: z.uuid().optional() })

/**
 * The job that removes deleted pharmacies for ever. Each step can be repeated, and the ledger says which ones are
 * complete, so that a purge goes on wherever it was interrupted.
 */
export function purgeTasks(dependencies: Dependencies) {
  const { db, store, log } = dependencies

  const steps: Record<PurgeStep, (purge: Purge, signal?: AbortSignal) => Promise<void>> = {
    async access(purge, signal) {
      await store.removeRows(purge, 'access', signal)
      await store.removeJobs(purge)
    },
    async orders(purge, signal) {
      await store.removeRows(purge, 'orders', signal)
      const files = await dependencies.removeOrderPictures(purge.pharmacyId, signal)
      await store.countFiles(purge, 'orders', files)
    },
    offers: (purge, signal) => store.removeRows(purge, 'offers', signal),
    async pictures(purge, signal) {
      const files = await dependencies.removeImages(purge.pharmacyId, signal)
      await store.countFiles(purge, 'pictures', files)
    },
    async files(purge, signal) {
      await store.removeRows(purge, 'files', signal)
      for (const key of await store.files(purge)) {
        signal?.throwIfAborted()
        await dependencies.removeFile(key)
        await store.forgetFile(purge, key)
      }
    },
    people: (purge, signal) => store.removeRows(purge, 'people', signal),
    account: (purge) =>
      store.finish(purge, (tx) => dependencies.beforeRemoval(tx, purge.pharmacyId)),
  }

  async function purgeOne(pharmacyId: string, signal?: AbortSignal): Promise<void> {
    const begun = await db.transaction().execute((tx) => store.begin(pharmacyId, null, tx))
    if (!begun) return
    for (const step of PurgeStep.options) {
      signal?.throwIfAborted()
      if (!(await store.startStep(begun, step))) continue
      await steps[step](begun, signal)
      // The last one completes itself, with the certificate.
      if (step !== 'account') await store.finishStep(begun, step)
    }
    log.info({ purgeId: begun.id }, 'purged a pharmacy')
  }

  return {
    [PURGE_TASK]: {
      lane: 'maintenance',
      /** @param payload a pharmacy; without one all that are due */
      async run(payload, signal) {
        const { pharmacyId } = Payload.parse(payload)
        const ids = pharmacyId === undefined ? await store.due(RESTORE_DAYS) : [pharmacyId]
        const failures: unknown[] = []
        for (const id of ids) {
          try {
            await purgeOne(id, signal)
          } catch (error) {
            signal?.throwIfAborted()
            // The other pharmacies are purged all the same; the job is retried for this one.
            log.error({ err: error, pharmacyId: id }, 'a purge was interrupted')
            failures.push(error)
          }
        }
        if (failures.length > 0) throw failures[0]
      },
    },
  } satisfies Tasks
}
