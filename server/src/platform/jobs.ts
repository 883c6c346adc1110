import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** The work a job does; what it throws makes it run again later, with growing pauses. */
export type Task = (payload: unknown) => Promise<void>

export type JobRunner = { stop(): Promise<void> }

type Log = {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/**
 * Asks for a job, in the transaction of `db`: it exists exactly if the transaction is committed.
 * A job with the same key that has not begun yet is replaced.
 */
export async function enqueue(
  db: Database,
  task: string,
  payload: Record<string, string | number>,
  options: { key: string; delaySeconds: number },
): Promise<void> {
  await sql`select graphile_worker.add_job(
    ${task}, ${JSON.stringify(payload)}::json,
    job_key := ${options.key}, run_at := now() + make_interval(secs => ${options.delaySeconds})
  )`.execute(db)
}

/** Brings the tables of the job queue up to date. */
export async function prepareJobs(url: string, log: Log): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: url, logger: workerLogger(log) })
  await utils.migrate()
  await utils.release()
}

/** Runs jobs until stopped; any number of processes may. `stop` waits for those that have begun. */
export async function runJobs(
  url: string,
  tasks: Record<string, Task>,
  log: Log,
): Promise<JobRunner> {
  const runner = await run({
    connectionString: url,
    maxPoolSize: 3,
    concurrency: 2,
    noHandleSignals: true,
    logger: workerLogger(log),
    taskList: Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [name, (payload: unknown) => task(payload)]),
    ),
  })
  // Ends by itself when it cannot go on, and says why through the logger.
  runner.promise.catch(() => {})
  return { stop: () => runner.stop() }
}

/** Its progress notes are our debug level: a line a job would drown the log. */
function workerLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const details = {
      worker: true,
      ...(meta?.['error'] instanceof Error && { err: meta['error'] }),
    }
    if (level === 'error') log.error(details, message)
    else if (level === 'warning') log.warn(details, message)
    else log.debug(details, message)
  })
}
