import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, makeWorkerUtils, runTaskList, type WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database/database.ts'
import { createWorkerHeartbeat } from './worker-heartbeat.ts'

/**
 * The handler of a job. If it throws, the job is retried with increasing delays. The server waits for running jobs
 * when it stops; `signal` is aborted then.
 */
export type Task = (payload: unknown, signal?: AbortSignal) => Promise<void>

/** A job that runs every day. `at`: hours and minutes in UTC, for example `02:17`. */
export type DailyJob = { task: string; at: string }

export type Jobs = {
  tasks: Record<string, Task>
  /** The tasks that run every day, in only one of the processes. */
  daily?: readonly DailyJob[]
}

export type JobRunner = { stop(): Promise<void> }

type Log = {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/**
 * Adds a job, in the transaction of `db`: the job exists exactly if the transaction is committed. A pending job with the
 * same key is replaced.
 *
 * @param options jobs of one `queue` run one after the other, across all processes; pending jobs with the lowest
 * `priority` number (0 by default) run first
 */
export async function enqueue(
  db: Database,
  task: string,
  payload: object,
  options: { key: string; delaySeconds?: number; queue?: string; priority?: number },
): Promise<void> {
  await sql`select graphile_worker.add_job(
    ${task}, ${JSON.stringify(payload)}::json, queue_name := ${options.queue ?? null},
    job_key := ${options.key}, run_at := now() + make_interval(secs => ${options.delaySeconds ?? 0}),
    priority := ${options.priority ?? 0}
  )`.execute(db)
}

/** Adds many jobs of one task in one statement. See `enqueue`. */
export async function enqueueAll(
  db: Database,
  task: string,
  jobs: readonly { payload: object; key: string; delaySeconds: number }[],
  { priority }: { priority: number },
): Promise<void> {
  await sql`select graphile_worker.add_job(
    ${task}, job.payload, job_key := job.key, run_at := now() + make_interval(secs => job.delay),
    priority := ${priority}::integer
  ) from jsonb_to_recordset(${JSON.stringify(
    jobs.map(({ payload, key, delaySeconds }) => ({ payload, key, delay: delaySeconds })),
  )}::jsonb) as job (payload json, key text, delay float8)`.execute(db)
}

/** Migrates the tables of the job queue. */
export async function prepareJobs(url: string, log: Log): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: url, logger: workerLogger(log) })
  await utils.migrate()
  await utils.release()
}

/** Milliseconds after which the workers are restarted when one has failed. */
const RESTART_MS = 2_000

/**
 * Runs jobs until stopped, in any number of processes. `stop` waits for running jobs. While the database is
 * unavailable, jobs wait.
 *
 * A graphile-worker worker terminates when it cannot mark its job as completed, and the job stays locked for hours.
 * Therefore the workers are restarted then, and the job is unlocked.
 */
export async function runJobs(
  url: string,
  { tasks, daily = [] }: Jobs,
  log: Log,
): Promise<JobRunner> {
  // Our own pool, so that `stop` can wait until it is closed, and which survives broken connections.
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const stopping = new AbortController()
  const lost = new Set<string>()
  let restarting = Promise.resolve()

  const heartbeat = createWorkerHeartbeat(pool, log)
  const events: WorkerEvents = new EventEmitter()
  events.on('worker:create', ({ worker }) => heartbeat.add(worker.workerId))
  events.on('worker:fatalError', ({ worker }) => {
    if (lost.size === 0) restarting = restarting.then(restart)
    lost.add(worker.workerId)
    heartbeat.remove(worker.workerId)
  })

  const taskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => {
      const everyDay = daily.find((each) => each.task === name)
      const work = async (payload: unknown) => {
        // First, so that tomorrow's run does not depend on today's result.
        if (everyDay) await enqueueDaily(pool, everyDay, 'replace')
        await task(payload, stopping.signal)
      }
      return [name, work]
    }),
  )

  function start() {
    const workers = runTaskList(
      { events, concurrency: 2, noHandleSignals: true, logger: workerLogger(log) },
      taskList,
      pool,
    )
    // Handled by the event 'worker:fatalError' above, for each worker.
    workers.promise.catch(() => {})
    return workers
  }
  for (const each of daily) await enqueueDaily(pool, each, 'preserve_run_at')
  let workers = start()

  async function restart(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await pause(RESTART_MS, undefined, { signal: stopping.signal })
        await pool.query('select graphile_worker.force_unlock_workers($1)', [[...lost]])
        lost.clear()
        await workers.gracefulShutdown().catch(() => {})
        workers = start()
        return
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'the jobs wait for the database')
      }
    }
  }

  return {
    async stop() {
      stopping.abort()
      await restarting
      await workers.gracefulShutdown().catch(() => {})
      await heartbeat.stop()
      await pool.end()
    },
  }
}

/**
 * Adds the next run of a daily job, today or tomorrow. The library's own cron is not used because it ends the process
 * when the database is unavailable at that minute.
 *
 * @param mode `preserve_run_at`: a pending run stays as it is, even if its time has passed
 */
async function enqueueDaily(
  pool: pg.Pool,
  { task, at }: DailyJob,
  mode: 'replace' | 'preserve_run_at',
): Promise<void> {
  await pool.query(
    `select graphile_worker.add_job(
       $1, '{}'::json, job_key := 'daily:' || $1, job_key_mode := $3,
       run_at := today + case when today > now() then interval '0' else interval '1 day' end
     )
     from (
       select (date_trunc('day', now() at time zone 'UTC') + $2::interval) at time zone 'UTC' as today
     ) of_day`,
    [task, at, mode],
  )
}

/** The library's info messages are logged at debug level: one line per job would flood the log. */
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
