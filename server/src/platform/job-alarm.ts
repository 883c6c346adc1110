import type { Worker, WorkerEvents } from 'graphile-worker'
import type pg from 'pg'

/** Milliseconds after which workers ask for jobs by themselves; before their silence counts as death. */
export const POLL_MS = 30_000

/** Milliseconds after which jobs are looked for at the latest: a connection may be silently dead, and notify of nothing. */
const LATEST_MS = 10_000

/** Milliseconds until jobs are looked for after something that may have changed when the next one is due. */
const SOON_MS = 1_000

/** Milliseconds until jobs are looked for again while one is due, or the process hears of no new ones. */
const DUE_MS = 2_000

/**
 * Wakes workers when a job becomes due. PostgreSQL notifies of new jobs, but not when the time of a delayed or failed one
 * has come. For that every worker would have to ask every two seconds, here the process asks once when the next is due.
 *
 * @param tasks the names of the tasks that the workers run
 */
export function createJobAlarm(pool: pg.Pool, tasks: readonly string[]) {
  const workers = new Set<Worker>()
  const deaf = new Set<WorkerEvents>()
  let lookAt = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  let isStopped = false

  function lookIn(ms: number): void {
    const at = performance.now() + ms
    if (isStopped || at >= lookAt) return
    lookAt = at
    clearTimeout(timer)
    timer = setTimeout(() => {
      lookAt = Number.POSITIVE_INFINITY
      looking = looking.then(look)
    }, ms).unref()
  }

  async function look(): Promise<void> {
    const dueMs = await nextDue().catch(() => 0)
    if (isStopped) return
    if (dueMs <= 0) for (const worker of workers) worker.nudge()
    const laterMs = deaf.size > 0 ? DUE_MS : Math.min(dueMs, LATEST_MS)
    lookIn(dueMs <= 0 ? DUE_MS : laterMs)
  }

  /** Milliseconds until the next job is due. */
  async function nextDue(): Promise<number> {
    const { rows } = await pool.query<{ ms: number | null }>(
      `select (extract(epoch from min(run_at) - clock_timestamp()) * 1000)::float8 as ms
       from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
       where job.is_available and task.identifier = any($1)`,
      [tasks],
    )
    return rows[0]?.ms ?? LATEST_MS
  }

  const soon = () => lookIn(SOON_MS)

  return {
    /** Wakes the workers of a lane. @param events those of the lane */
    follow(events: WorkerEvents): void {
      const leave = ({ worker }: { worker: Worker }) => void workers.delete(worker)
      const isDeaf = () => {
        deaf.add(events)
        soon()
      }
      deaf.add(events)
      events.on('worker:create', ({ worker }) => workers.add(worker))
      for (const name of ['worker:release', 'worker:fatalError'] as const) events.on(name, leave)
      for (const name of ['pool:listen:error', 'pool:listen:release'] as const) {
        events.on(name, isDeaf)
      }
      events.on('pool:listen:success', () => {
        deaf.delete(events)
        soon()
      })
      events.on('pool:listen:notification', soon)
      events.on('worker:getJob:error', soon)
      // Another try has been planned.
      events.on('job:complete', ({ error }) => void (error && soon()))
    },
    /** Jobs may have become available without a notification. */
    soon,
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await looking
    },
  }
}
