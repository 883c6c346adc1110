import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { gauges, type Reading } from './metrics.ts'

/**
 * Times in the database by name, each as a scalar subquery. They must be cheap with any number of pharmacies, because they
 * are read at each scrape of each process.
 */
export type DatabaseTimes = Record<string, RawBuilder<string | null>>

/** Milliseconds after which PostgreSQL ends each of the statements. */
const STATEMENT_MS = 2_000

type Waiting = {
  /** Since when the oldest item has been due; null when none waits. */
  backlogs: DatabaseTimes
  /** When something was done last that has to be done again and again; null: never. */
  lastSuccess: DatabaseTimes
  /** Backlogs that consist of jobs: the tasks of each. */
  backlogsOfTasks: Record<string, string[]>
}

type AgeGauge = 'bancone_backlog_age_seconds' | 'bancone_last_success_age_seconds'

type JobsOfTask = { task: string; age: number; waiting: number; givenUp: number }

/**
 * Reads the values that are in the database, in two statements. All processes read the same.
 *
 * @param tasks all tasks, which have values also without jobs
 */
export function createDatabaseReadings(
  db: Database,
  tasks: readonly string[],
  { backlogs, lastSuccess, backlogsOfTasks }: Waiting,
): () => Promise<Reading[]> {
  const times = [
    ...timesOf('bancone_backlog_age_seconds', backlogs),
    ...timesOf('bancone_last_success_age_seconds', lastSuccess),
  ]
  return async () => {
    const { ages, queueUsage, jobs } = await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(STATEMENT_MS)}`.execute(tx)
      return { ...(await readAges(tx, times)), jobs: await readJobs(tx) }
    })
    const known = new Map(tasks.map((task) => [task, { task, age: 0, waiting: 0, givenUp: 0 }]))
    // A task of an older or newer version has no place among the labels.
    for (const row of jobs) if (known.has(row.task)) known.set(row.task, row)
    for (const [backlog, of] of Object.entries(backlogsOfTasks)) {
      const value = Math.max(0, ...of.map((task) => known.get(task)?.age ?? 0))
      ages.push({ name: 'bancone_backlog_age_seconds', value, labels: { backlog } })
    }
    return [
      { name: 'bancone_events_queue_usage_ratio', value: queueUsage },
      ...ages,
      ...[...known.values()].flatMap(({ task, age, waiting, givenUp }): Reading[] => [
        { name: 'bancone_job_age_seconds', value: age, labels: { task } },
        { name: 'bancone_jobs_waiting', value: waiting, labels: { task } },
        { name: 'bancone_jobs_given_up', value: givenUp, labels: { task } },
      ]),
    ]
  }
}

function timesOf(gauge: AgeGauge, times: DatabaseTimes) {
  return Object.entries(times).map(([of, time]) => ({ gauge, of, time }))
}

async function readAges(tx: Database, times: ReturnType<typeof timesOf>) {
  const ages = times.map(({ time }) => sql`extract(epoch from now() - ${time})::float8`)
  const { rows } = await sql<{ queueUsage: number; ages: (number | null)[] }>`
    select pg_notification_queue_usage() as "queueUsage", array[${sql.join(ages)}]::float8[] as ages`.execute(
    tx,
  )
  const { queueUsage = 0, ages: values = [] } = rows[0] ?? {}
  return {
    queueUsage,
    ages: times.map(({ gauge, of }, index): Reading => {
      const none = gauge === 'bancone_backlog_age_seconds' ? 0 : Number.POSITIVE_INFINITY
      const value = Math.max(0, values[index] ?? none)
      return { name: gauge, value, labels: { [gauges[gauge].labels[0]]: of } }
    }),
  }
}

/**
 * The table holds jobs that are still to be done, and those that were given up. A daily job is added a day before it is
 * due, so its age always counts from when it was due.
 */
async function readJobs(tx: Database): Promise<JobsOfTask[]> {
  const { rows } = await sql<JobsOfTask>`
    select task_identifier as task,
      coalesce(extract(epoch from now() - min(case
        when attempts > (locked_at is not null)::integer and coalesce(key, '') not like 'daily:%' then created_at
        else run_at
      end) filter (where is_alive)), 0)::float8 as age,
      count(*) filter (where is_alive and run_at <= now() and locked_at is null)::integer as waiting,
      count(*) filter (where attempts >= max_attempts and locked_at is null)::integer as "givenUp"
    from (
      select *, (run_at <= now() or attempts > 0) and (attempts < max_attempts or locked_at is not null) as is_alive
      from graphile_worker.jobs
    ) as job
    group by task_identifier`.execute(tx)
  return rows.map((row) => ({ ...row, age: Math.max(0, row.age) }))
}
