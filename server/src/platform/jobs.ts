import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, makeWorkerUtils, parseCronItems, run, type WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database/database.ts'
import { createWorkerLives } from './worker-lives.ts'

/**
 * The work a job does; what it throws makes it run again later, with growing pauses. The end of the
 * process waits for it: `signal` says that it is near.
 */
export type Task = (payload: unknown, signal?: AbortSignal) => Promise<void>

export type Jobs = {
  tasks: Record<string, Task>
  /** When which of them runs by itself (UTC): in one process, however many there are. */
  cron?: readonly { task: string; match: string }[]
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
  { tasks, cron = [] }: Jobs,
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

  const start = () =>
    run({
      pgPool: pool,
      events,
      concurrency: 2,
      parsedCronItems: parseCronItems([...cron]),
      noHandleSignals: true,
      logger: workerLogger(log),
      taskList: Object.fromEntries(
        Object.entries(tasks).map(([name, task]) => [
          name,
          (payload: unknown) => task(payload, stopping.signal),
        ]),
      ),
    })
  let runner = await start()

  async function revive(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await pause(RESTART_MS, undefined, { signal: stopping.signal })
        await pool.query('select graphile_worker.force_unlock_workers($1)', [[...lost]])
        lost.clear()
        await runner.stop()
        runner = await start()
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
      await runner.stop()
      await lives.stop()
      await pool.end()
    },
  }
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
