import type { BackupProblem, BackupRun } from '@bancone/contract/backups'
import { z } from 'zod'
import { StartupError } from '../../base/startup-error.ts'
import { BackupError } from '../../platform/backups/backup-error.ts'
import type { Keyring } from '../../platform/backups/backup-key.ts'
import type { BackupRunsStore } from '../../platform/backups/backup-runs.store.ts'
import type { BackupStore } from '../../platform/backups/backup-store.ts'
import { writeCustomerErasure, writeErasure } from '../../platform/backups/database-facts.ts'
import { expireBackups } from '../../platform/backups/expire.ts'
import { type BackupSource, copyFile, makeBackup } from '../../platform/backups/make-backup.ts'
import { BACKUP_TASK } from '../../platform/backups/manifest.ts'
import { testBackup } from '../../platform/backups/test-backup.ts'
import type { Tasks } from '../../platform/jobs.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { isTestDue } from './backups.rules.ts'

export { BACKUP_TASK }

/** Every day; it tests once a week. */
export const BACKUP_TEST_TASK = 'backups.test'
/** Copies a file that was stored. */
export const BACKUP_FILE_TASK = 'backups.file'
/** Notes beside the back-ups that a pharmacy was purged. */
export const BACKUP_ERASURE_TASK = 'backups.erasure'

/** Notes beside the back-ups that the data of a customer were erased. */
export const BACKUP_CUSTOMER_ERASURE_TASK = 'backups.customer_erasure'

const TestPayload = z.object({ now: z.boolean().optional() })
const FilePayload = z.object({ folder: z.enum(['images', 'files']), key: z.string() })
const ErasurePayload = z.object({ pharmacyId: z.uuid(), erasedAt: z.string() })
const CustomerErasurePayload = z.object({
  pharmacyId: z.uuid(),
  customerHash: z.string(),
  erasedAt: z.string(),
})

/** Milliseconds between two updates of a run that goes on. */
const BEAT_MS = 5_000

/** The place of the back-ups, and what is put there. */
export type BackupPlace = {
  /** As in BACKUP_TO. */
  name: string
  keys(): Promise<Keyring>
  /** Opens the place for the time of `work`. */
  withStore<T>(work: (store: BackupStore) => Promise<T>): Promise<T>
  source: BackupSource
  /** Where a copy is tested. */
  dataDir: string
  /** The archived log of the embedded database; undefined for another database. */
  archive: { folder: string; log: string } | undefined
  /** Of the PostgreSQL that a test starts, if not the default ones. */
  postgresSettings?: Record<string, string> | undefined
}

type Dependencies = {
  runs: BackupRunsStore
  /** Undefined: the jobs do nothing. */
  place: BackupPlace | undefined
  clock: Clock
  log: Log
}

/** The jobs of back-ups. */
export function backupTasks({ runs, place, clock, log }: Dependencies): Tasks {
  /** Records a run. @param work returns the number of bytes */
  async function record(
    kind: BackupRun['kind'],
    work: (at: BackupPlace, store: BackupStore, report: (bytes: number) => void) => Promise<number>,
  ) {
    if (!place) return
    const id = await runs.begin(kind)
    // Another process, or a person, was faster.
    if (id === undefined) return
    let bytes = 0
    const beat = () => void runs.update(id, bytes).catch(() => {})
    const timer = setInterval(beat, BEAT_MS)
    try {
      const report = (count: number) => {
        bytes = count
      }
      const done = await place.withStore((store) => work(place, store, report))
      clearInterval(timer)
      await runs.finish(id, { bytes: done })
      log.info({ kind, bytes: done }, 'back-up done')
    } catch (error) {
      clearInterval(timer)
      const problem = problemOfFailure(error)
      log.error({ err: error, kind, problem }, 'back-up failed')
      await runs.finish(id, { problem })
      throw error
    }
  }

  return {
    [BACKUP_TASK]: {
      lane: 'backups',
      async run(_payload, signal) {
        await record('backup', async ({ source }, store, report) => {
          const manifest = await makeBackup(store, source, {
            signal,
            now: clock.now,
            onProgress({ step, done }) {
              if (step === 'database') report(done)
            },
          })
          await expireBackups(store, clock.now())
          return manifest.bytes
        })
      },
    },
    [BACKUP_TEST_TASK]: {
      lane: 'backups',
      async run(payload, signal) {
        const { now: isAsked = false } = TestPayload.parse(payload ?? {})
        const { lastTest, lastBackup } = await runs.runs()
        const isDue = lastBackup !== null && isTestDue(clock.now(), lastTest)
        if (!isAsked && !isDue) return
        await record('test', async ({ dataDir, archive, postgresSettings: settings }, store) => {
          const isLogArchived = archive !== undefined
          const test = { store, dataDir, isLogArchived, log, settings, signal }
          return (await testBackup(test)).bytes
        })
      },
    },
    [BACKUP_FILE_TASK]: {
      lane: 'backups',
      async run(payload, signal) {
        const file = FilePayload.parse(payload)
        await place?.withStore(async (store) => {
          if (await store.exists(store.fileName(file.folder, file.key))) return
          await copyFile(store, place.source, file, signal)
        })
      },
    },
    [BACKUP_ERASURE_TASK]: {
      lane: 'backups',
      async run(payload) {
        const erasure = ErasurePayload.parse(payload)
        await place?.withStore((store) => writeErasure(store, erasure))
      },
    },
    [BACKUP_CUSTOMER_ERASURE_TASK]: {
      lane: 'backups',
      async run(payload) {
        const erasure = CustomerErasurePayload.parse(payload)
        await place?.withStore((store) => writeCustomerErasure(store, erasure))
      },
    },
  }
}

/** Where the message of the error is for the operator, its kind; PostgreSQL's refusals are those of the database. */
export function problemOfFailure(error: unknown): BackupProblem {
  if (error instanceof BackupError) return error.kind
  if (error instanceof StartupError) return 'database'
  if (error instanceof Error && error.name === 'AbortError') return 'interrupted'
  return 'unexpected'
}
