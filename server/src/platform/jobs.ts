import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, makeWorkerUtils, runTaskList, type WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database/database.ts'
import { createWorkerLives } from './worker-lives.ts'

/**
 * The work a job does; what it throws makes it run again later, with growing pauses. The end of the
 * process waits for it: `signal` says that it is near.
 */
export type Task = (payload: unknown, signal?: AbortSignal) => Promise<void>

/** `at`: hours and minutes in UTC, as in `02:17`. */
export type DailyJob = { task: string; at: string }

export type Jobs = {
  tasks: Record<string, Task>
  /** Which of them run by themselves every day: in one process, however many there are. */
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
 * Asks for a job, in the transaction of `db`: it exists exactly if the transaction is committed.
 * A job with the same key that has not begun yet is replaced.
 *
 * @param options jobs of one `queue` run one after the other, in all processes together; of those that
 * wait, the ones with the lowest `priority` (0 unless said) run first
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

/** Asks for many jobs of one kind, in one statement: as `enqueue` does for one. */
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

/** Brings the tables of the job queue up to date. */
export async function prepareJobs(url: string, log: Log): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: url, logger: workerLogger(log) })
  await utils.migrate()
  await utils.release()
}

/** Milliseconds after which a runner that lost a worker is begun anew. */
const RESTART_MS = 2_000

/**
 * Runs jobs until stopped; any number of processes may. `stop` waits for those that have begun. While
 * the database is away they wait.
 *
 * A worker of the library's ends for good when it cannot say that its job is done, and the job stays
 * locked for hours: the runner is then begun anew, and the job set free.
 */
export async function runJobs(
  url: string,
  { tasks, daily = [] }: Jobs,
  log: Log,
): Promise<JobRunner> {
  // A pool of ours, so that stopping can wait until it is closed; and one that outlives its connections.
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const stopping = new AbortController()
  const lost = new Set<string>()
  let reviving = Promise.resolve()

  const lives = createWorkerLives(pool, log)
  const events: WorkerEvents = new EventEmitter()
  events.on('worker:create', ({ worker }) => lives.born(worker.workerId))
  events.on('worker:fatalError', ({ worker }) => {
    if (lost.size === 0) reviving = reviving.then(revive)
    lost.add(worker.workerId)
    lives.died(worker.workerId)
  })

  const taskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => {
      const everyDay = daily.find((each) => each.task === name)
      const work = async (payload: unknown) => {
        // First, so that tomorrow does not depend on how it goes today.
        if (everyDay) await askForDaily(pool, everyDay, 'replace')
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
    // Said by the event above, of each worker.
    workers.promise.catch(() => {})
    return workers
  }
  for (const each of daily) await askForDaily(pool, each, 'preserve_run_at')
  let workers = start()

  async function revive(): Promise<void> {
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
      await reviving
      await workers.gracefulShutdown().catch(() => {})
      await lives.stop()
      await pool.end()
    },
  }
}

/**
 * The job of that day, or of the next if its hour is over. Not the library's own timetable: that ends
 * the process when the database is away at its minute.
 *
 * @param mode `preserve_run_at`: one that is asked for already stays, also if its time has passed
 */
async function askForDaily(
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
