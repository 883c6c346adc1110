import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  Logger,
  makeWorkerUtils,
  runTaskList,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../database/database.ts'
import { isDatabaseUnavailable } from '../database/errors.ts'
import { createSockets, type Sockets } from '../database/sockets.ts'
import type { Log } from '../ports/log.ts'
import { createJobAlarm, POLL_MS } from './job-alarm.ts'
import { JobPool } from './job-pool.ts'
import type { WorkerActivity } from './worker-activity.ts'

/**
 * Workers of a lane run only the tasks of that lane, so that none of its jobs waits for those of another: `delivery` for
 * what a person waits for (mails, notifications, changes on their way to an order source), `media` for copies of
 * pictures, `maintenance` for cleanups, `backups` for back-ups, their tests and the copies of single files.
 */
export type Lane = 'delivery' | 'media' | 'maintenance' | 'backups'

/** The number of workers of each lane, in each process. */
const LANES: readonly { lane: Lane; concurrency: number }[] = [
  { lane: 'delivery', concurrency: 2 },
  { lane: 'media', concurrency: 2 },
  { lane: 'maintenance', concurrency: 1 },
  // Files are copied while the database is.
  { lane: 'backups', concurrency: 2 },
]

export type Task = {
  lane: Lane
  /**
   * The handler of a job. If it throws, the job is retried with increasing delays. The server waits for running jobs
   * when it stops; `signal` is aborted then.
   */
  run(payload: unknown, signal?: AbortSignal): Promise<void>
}

/** Tasks by their name. */
export type Tasks = Record<string, Task>

/** Hours and minutes in UTC, for example `02:17`, by the task that runs then every day in one of the processes. */
export type DailyTimes = Record<string, string>

export type Jobs = { tasks: Tasks; daily?: DailyTimes; activity?: WorkerActivity }

export type JobRunner = { stop(): Promise<void> }

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
  const { key, delaySeconds = 0, queue, priority = 0 } = options
  await enqueueAll(db, task, [{ payload, key, delaySeconds }], { priority, queue })
}

/** Adds many jobs of one task in one statement. See `enqueue`. */
export async function enqueueAll(
  db: Database,
  task: string,
  jobs: readonly { payload: object; key: string; delaySeconds: number }[],
  { priority, queue }: { priority: number; queue?: string | undefined },
): Promise<void> {
  let missing = jobs
  // add_job adds nothing when a worker takes the pending job with the same key between two of its statements. That job
  // may have read its data before this transaction wrote its own. The next call finds the job taken and adds another.
  while (missing.length > 0) {
    const { rows } = await sql<{ key: string }>`
      select job.key from jsonb_to_recordset(${JSON.stringify(
        missing.map(({ payload, key, delaySeconds }) => ({ payload, key, delay: delaySeconds })),
      )}::jsonb) as job (payload json, key text, delay float8)
      cross join lateral graphile_worker.add_job(
        ${task}, job.payload, queue_name := ${queue ?? null}, job_key := job.key,
        run_at := now() + make_interval(secs => job.delay), priority := ${priority}::integer
      ) as added
      where added.id is null`.execute(db)
    const keys = new Set(rows.map(({ key }) => key))
    missing = missing.filter(({ key }) => keys.has(key))
  }
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
 * @param sockets those of the process, which may be closed at any time
 * @throws Error if `daily` names a task that does not exist
 */
export async function runJobs(
  url: string,
  { tasks, daily = {}, activity }: Jobs,
  log: Log,
  sockets: Sockets = createSockets(),
): Promise<JobRunner> {
  for (const name of Object.keys(daily)) {
    if (!tasks[name]) throw new Error(`there is no daily task ${name}`)
  }
  const stopping = new AbortController()
  const ownSockets = createSockets(sockets.create)
  const pool = new JobPool(url, { sockets: ownSockets, stopping: stopping.signal, log })
  const alarm = createJobAlarm(pool, Object.keys(tasks))
  const heartbeat = createWorkerHeartbeat(pool, log, alarm.soon)

  function taskListOf(lane: Lane): TaskList {
    const list: TaskList = {}
    for (const [name, task] of Object.entries(tasks)) {
      if (task.lane !== lane) continue
      const at = daily[name]
      list[name] = async (payload) => {
        // First, so that tomorrow's run does not depend on today's result.
        if (at !== undefined) await enqueueDaily(pool, name, at, 'replace')
        await task.run(payload, stopping.signal)
      }
    }
    return list
  }

  for (const [name, at] of Object.entries(daily)) {
    await enqueueDaily(pool, name, at, 'preserve_run_at')
  }
  const lanes = LANES.flatMap(({ lane, concurrency }) => {
    const taskList = taskListOf(lane)
    if (Object.keys(taskList).length === 0) return []
    const events: WorkerEvents = new EventEmitter()
    activity?.follow(events)
    alarm.follow(events)
    const { signal } = stopping
    return runLane({ taskList, concurrency, events, pool, heartbeat, stopping: signal, log })
  })

  return {
    async stop() {
      stopping.abort()
      const lanesStopped = Promise.all(lanes.map((lane) => lane.stop()))
      const stopped = Promise.all([lanesStopped.then(heartbeat.stop), alarm.stop()])
      await Promise.race([stopped, pool.abandoned])
      await ownSockets.closeAfter(pool.end())
    },
  }
}

type LaneOptions = {
  taskList: TaskList
  concurrency: number
  events: WorkerEvents
  pool: pg.Pool
  heartbeat: WorkerHeartbeat
  stopping: AbortSignal
  log: Log
}

/**
 * Runs the workers of a lane.
 *
 * A graphile-worker worker terminates when it cannot mark its job as completed, and the job stays locked for hours.
 * Therefore the workers are restarted then, and the job is unlocked.
 */
function runLane(options: LaneOptions) {
  const { taskList, concurrency, events, pool, heartbeat, stopping, log } = options
  const lost = new Set<string>()
  let restarting = Promise.resolve()

  events.on('worker:create', ({ worker }) => heartbeat.add(worker.workerId))
  events.on('worker:fatalError', ({ worker }) => {
    if (lost.size === 0) restarting = restarting.then(restart)
    lost.add(worker.workerId)
    heartbeat.remove(worker.workerId)
  })

  function start() {
    const settings = {
      events,
      concurrency,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger: workerLogger(log),
    }
    const started = runTaskList(settings, taskList, pool)
    // Handled by the event 'worker:fatalError' above, for each worker.
    started.promise.catch(() => {})
    return started
  }
  let workers = start()

  async function restart(): Promise<void> {
    while (!stopping.aborted) {
      try {
        await pause(RESTART_MS, undefined, { signal: stopping })
        await pool.query('select graphile_worker.force_unlock_workers($1)', [[...lost]])
        lost.clear()
        await workers.gracefulShutdown().catch(() => {})
        workers = start()
        return
      } catch (error) {
        if (!stopping.aborted) log.warn({ err: error }, 'workers could not be restarted')
      }
    }
  }

  return {
    async stop() {
      await restarting
      await workers.gracefulShutdown().catch(() => {})
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
  task: string,
  at: string,
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

/**
 * The library's info messages are logged at debug level: one line per job would flood the log. So are the errors of its
 * connections during an outage, of which the pool logs the beginning and the end.
 */
function workerLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const error = meta?.['error'] ?? meta?.['fatalError']
    const details = { worker: true, ...(error instanceof Error && { err: error }) }
    if (isDatabaseUnavailable(error) && !meta?.['failure']) log.debug(details, message)
    else if (level === 'error') log.error(details, message)
    else if (level === 'warning') log.warn(details, message)
    else log.debug(details, message)
  })
}

/**
 * A job that is replaced while a worker runs it loses its key and its further attempts. If that run fails, or the worker
 * dies, the job would count as given up for ever, although the one that has replaced it does its work.
 */
async function completeReplacedJobs(pool: pg.Pool): Promise<void> {
  await pool.query(
    `select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
     where key is null and attempts >= max_attempts and locked_at is null having count(*) > 0`,
  )
}

/** Milliseconds between two heartbeats, and without a heartbeat until a worker counts as dead. */
const BEAT_MS = 10_000
const DEAD_AFTER_MS = 45_000

type WorkerHeartbeat = ReturnType<typeof createWorkerHeartbeat>

/**
 * Heartbeats of the workers of the job queue. graphile-worker itself gives a job of a killed process to another worker
 * only after four hours. Here the live workers record heartbeats, and the jobs of dead ones are unlocked.
 */
function createWorkerHeartbeat(
  pool: pg.Pool,
  log: Pick<Log, 'warn'>,
  onUnlocked: () => void,
  timing = { beatMs: BEAT_MS, deadAfterMs: DEAD_AFTER_MS },
) {
  const living = new Set<string>()

  async function beat(): Promise<void> {
    await pool.query(
      `insert into job_workers (worker_id) select unnest($1::text[])
       on conflict (worker_id) do update set seen_at = now()`,
      [[...living]],
    )
    const { rows } = await pool.query<{ id: string }>(
      `with dead as (
         delete from job_workers where seen_at < now() - make_interval(secs => $1 / 1000.0)
       )
       select distinct locked_by as id from graphile_worker.jobs
       where locked_at < now() - make_interval(secs => $1 / 1000.0)
         and locked_by not in (
           select worker_id from job_workers
           where seen_at >= now() - make_interval(secs => $1 / 1000.0)
         )`,
      [timing.deadAfterMs],
    )
    if (rows.length > 0) {
      const ids = rows.map(({ id }) => id)
      await pool.query('select graphile_worker.force_unlock_workers($1)', [ids])
      onUnlocked()
      log.warn({ workers: ids.length }, 'jobs of workers that died were set free')
    }
    await completeReplacedJobs(pool)
  }

  let beating = Promise.resolve()
  let isNextWaiting = false
  // A heartbeat waits while the database is unavailable. Only one more waits for it: all of an outage would follow at once.
  const beatSafely = () => {
    if (isNextWaiting) return
    isNextWaiting = true
    beating = beating
      .then(() => {
        isNextWaiting = false
        return beat()
      })
      .catch(() => {})
  }
  const timer = setInterval(beatSafely, timing.beatMs).unref()

  return {
    add(workerId: string) {
      living.add(workerId)
      beatSafely()
    },
    remove(workerId: string) {
      living.delete(workerId)
    },
    async stop() {
      clearInterval(timer)
      await beating
      await pool
        .query('delete from job_workers where worker_id = any($1)', [[...living]])
        .catch(() => {})
    },
  }
}
