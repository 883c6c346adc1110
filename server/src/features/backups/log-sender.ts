import { setTimeout as pause } from 'node:timers/promises'
import type { BackupRunsStore } from '../../platform/backups/backup-runs.store.ts'
import type { BackupStore } from '../../platform/backups/backup-store.ts'
import { sendLog } from '../../platform/backups/log-archive.ts'
import { problemOfFailure } from './backup-jobs.ts'

/** PostgreSQL completes a segment a minute after its first record. */
const EVERY_MS = 10_000

const CLOSE_MS = 3_000

type Dependencies = {
  runs: BackupRunsStore
  withStore<T>(work: (store: BackupStore) => Promise<T>): Promise<T>
  /** PostgreSQL's identifier of the cluster. */
  system(): Promise<string>
  folders: { folder: string; log: string }
  log: { warn(details: object, message: string): void }
}

/** Sends the log of the embedded database to the target, in the process that runs it. */
export function createLogSender({ runs, withStore, system, folders, log }: Dependencies) {
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
