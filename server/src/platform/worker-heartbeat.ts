import type pg from 'pg'
import type { Log } from '../ports/log.ts'

/** Milliseconds between two heartbeats, and without a heartbeat until a worker counts as dead. */
const BEAT_MS = 10_000
const DEAD_AFTER_MS = 45_000

export type WorkerHeartbeat = ReturnType<typeof createWorkerHeartbeat>

/**
 * Heartbeats of the workers of the job queue. graphile-worker itself gives a job of a killed process to another worker
 * only after four hours. Here the live workers record heartbeats, and the jobs of dead ones are unlocked.
 */
export function createWorkerHeartbeat(
  pool: pg.Pool,
  log: Pick<Log, 'warn'>,
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
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    await pool.query('select graphile_worker.force_unlock_workers($1)', [ids])
    log.warn({ workers: ids.length }, 'jobs of workers that died were set free')
  }

  let beating = Promise.resolve()
  // A heartbeat that fails because the database is unavailable is made up for by the next one.
  const beatSafely = () => {
    beating = beating.then(beat).catch(() => {})
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
