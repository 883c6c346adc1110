import { setTimeout as pause } from 'node:timers/promises'
import {
  confirmRecoverySheet,
  getBackups,
  getRecoverySheet,
  startBackup,
} from '@bancone/contract/backups'
import { withClient } from '../../database/client.ts'
import type { Database } from '../../database/database.ts'
import type { AppModule } from '../../http/app-module.ts'
import { createAudit } from '../../platform/audit.ts'
import type { AuthService } from '../../platform/auth/auth.service.ts'
import { rethrowAccountError } from '../../platform/auth/auth-error.ts'
import {
  type BackupRunsStore,
  createBackupRunsStore,
  lastBackups,
} from '../../platform/backups/backup-runs.store.ts'
import type { BackupStore } from '../../platform/backups/backup-store.ts'
import { databaseFacts } from '../../platform/backups/database-facts.ts'
import { sendLog } from '../../platform/backups/log-archive.ts'
import type { Context } from '../../platform/context.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Mailer } from '../../ports/mailer.ts'
import {
  BACKUP_CUSTOMER_ERASURE_TASK,
  BACKUP_ERASURE_TASK,
  BACKUP_FILE_TASK,
  type BackupPlace,
  backupTasks,
  problemOfFailure,
} from './backup-jobs.ts'
import { createBackups } from './backups.service.ts'

const ALERTS_MS = 60_000

/** An erasure of a customer, by the hash of the telephone number. */
type PastErasure = { hash: string; erasedAt: string }

type Dependencies = Pick<Context, 'db' | 'clock' | 'log'> & {
  /** Undefined: this server makes no back-ups. */
  place: BackupPlace | undefined
  auth: Pick<AuthService, 'reauthentication'>
  administrators(): Promise<string[]>
  /** Purges a pharmacy that a restored database still has. */
  purge(pharmacyId: string): Promise<void>
  /** Erases the data of customers that a restored database still has. Those of orders in Airtable stay, and of orders held since. */
  eraseCustomers(
    pharmacyId: string,
    erasures: readonly PastErasure[],
  ): Promise<{ customers: number; doSomeStay: boolean }>
  mailer: Mailer
  publicUrl: string
}

/** Wires back-ups: their jobs, the archive of the log, and their page. */
export function wireBackups(dependencies: Dependencies): AppModule & {
  /** After a restore: erases again what was erased after the back-up. To be awaited before the first request. */
  applyErasures(): Promise<void>
  backups: ReturnType<typeof createBackups>
} {
  const { db, place, auth, log, clock } = dependencies
  const runs = createBackupRunsStore(db)
  const backups = createBackups({
    ...dependencies,
    runs,
    place: place && { ...place, isLogArchived: place.archive !== undefined },
    audit: createAudit(db),
    requireRecent: (sessionId) =>
      auth.reauthentication
        .requireRecent({ sessionId }, 'Administration of back-ups')
        .catch(rethrowAccountError),
  })
  const sender =
    place?.archive &&
    createLogSender({
      runs,
      withStore: place.withStore,
      folders: place.archive,
      system: async () => (await withClient(place.source.url, databaseFacts)).system,
      log,
    })
  const alert = () =>
    void backups.alert().catch((error: unknown) => {
      log.warn({ err: error }, 'the state of the back-ups was not checked')
    })
  let timer: NodeJS.Timeout | undefined

  return {
    backups,
    routes({ serve, serveFile }) {
      serve(getBackups, () => backups.status())

      serve(startBackup, ({ body }) => backups.start(body.kind))

      serveFile(getRecoverySheet, (_input, { sessionId }) => backups.sheet(sessionId))

      serve(confirmRecoverySheet, ({ body }, { userId }) => backups.confirm(body.ending, userId))
    },
    lastSuccess: place ? timesOf(place) : {},
    tasks: backupTasks({ runs, place, clock, log }),
    async applyErasures() {
      for (const pharmacyId of await runs.erasures()) {
        await dependencies.purge(pharmacyId)
        await runs.removeErasure(pharmacyId)
        log.info({ pharmacyId }, 'a pharmacy that was purged after the back-up was purged again')
      }
      const erasures = await runs.customerErasures()
      for (const pharmacyId of new Set(erasures.map((erasure) => erasure.pharmacyId))) {
        const ofPharmacy = erasures.filter((erasure) => erasure.pharmacyId === pharmacyId)
        const { customers, doSomeStay } = await dependencies.eraseCustomers(pharmacyId, ofPharmacy)
        // Once they have left Airtable, or were released, the next start erases these orders.
        if (!doSomeStay) await runs.removeCustomerErasures(pharmacyId)
        const details = { pharmacyId, erasures: ofPharmacy.length, customers, doSomeStay }
        log.info(details, 'customers that were erased after the back-up were looked for')
      }
    },
    start() {
      if (place) timer = setInterval(alert, ALERTS_MS).unref()
      void backups
        .startIfDue()
        .catch((error: unknown) => {
          log.warn({ err: error }, 'no back-up was begun at the start')
        })
        .then(() => sender?.start())
    },
    async close() {
      clearInterval(timer)
      await sender?.close()
    },
  }
}

/** Without an archive of its own the log is not this server's to keep. */
function timesOf({ archive }: BackupPlace) {
  const { log_archive, ...runs } = lastBackups
  return archive ? { ...runs, log_archive } : runs
}

/** Adds the job that copies a file which was stored. */
export function enqueueBackupOfFile(db: Database, folder: 'images' | 'files', key: string) {
  const name = `${BACKUP_FILE_TASK}:${folder}/${key}`
  return enqueue(db, BACKUP_FILE_TASK, { folder, key }, { key: name })
}

/** Adds the job that notes a purge beside the back-ups, in its transaction. */
export function enqueueErasure(tx: Database, pharmacyId: string, now: number) {
  const payload = { pharmacyId, erasedAt: new Date(now).toISOString() }
  return enqueue(tx, BACKUP_ERASURE_TASK, payload, { key: `${BACKUP_ERASURE_TASK}:${pharmacyId}` })
}

/** Adds the job that notes the erasure of a customer beside the back-ups, in its transaction. */
export function enqueueCustomerErasure(
  tx: Database,
  pharmacyId: string,
  customerHash: string,
  erasedAt: string,
) {
  const payload = { pharmacyId, customerHash, erasedAt }
  const key = `${BACKUP_CUSTOMER_ERASURE_TASK}:${pharmacyId}:${customerHash}`
  return enqueue(tx, BACKUP_CUSTOMER_ERASURE_TASK, payload, { key })
}

/** PostgreSQL completes a segment a minute after its first record. */
const EVERY_MS = 10_000

const CLOSE_MS = 3_000

type LogSenderDependencies = {
  runs: BackupRunsStore
  withStore<T>(work: (store: BackupStore) => Promise<T>): Promise<T>
  /** PostgreSQL's identifier of the cluster. */
  system(): Promise<string>
  folders: { folder: string; log: string }
  log: { warn(details: object, message: string): void }
}

/** Sends the log of the embedded database to the target, in the process that runs it. */
function createLogSender({ runs, withStore, system, folders, log }: LogSenderDependencies) {
  const stopping = new AbortController()
  const known = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let sending = Promise.resolve()
  let lastProblem: string | null = null

  async function send(): Promise<void> {
    try {
      const id = await system()
      const until = await withStore((store) => sendLog(store, id, folders, known, stopping.signal))
      const isFailing = await runs.isArchiverFailing()
      lastProblem = isFailing ? 'archive' : null
      await runs.setArchive(isFailing ? 'archive' : null, until)
    } catch (error) {
      if (stopping.signal.aborted) return
      const problem = problemOfFailure(error)
      if (problem !== lastProblem) log.warn({ err: error }, 'the log was not archived')
      lastProblem = problem
      // The database may be what has failed.
      await runs.setArchive(problem).catch(() => {})
    }
  }

  return {
    send,
    start() {
      const next = () => {
        sending = send().finally(() => {
          if (!stopping.signal.aborted) timer = setTimeout(next, EVERY_MS).unref()
        })
      }
      next()
    },
    async close() {
      stopping.abort()
      clearTimeout(timer)
      // What a bucket does not answer is sent after the next start.
      await Promise.race([sending, pause(CLOSE_MS, undefined, { ref: false })])
    },
  }
}
