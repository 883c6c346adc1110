import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Reading } from './gauges.ts'

/**
 * What waits, by name: the time since which the oldest item has been due, as a scalar subquery that is null when none
 * waits. It must be cheap with any number of pharmacies, because it is read at each scrape of each process.
 */
export type Backlogs = Record<string, RawBuilder<string | null>>

/** Milliseconds after which PostgreSQL ends each of the statements. */
const STATEMENT_MS = 2_000

type JobsOfTask = { task: string; age: number; waiting: number; givenUp: number }

/**
 * Reads the values that are in the database, in two statements. All processes read the same.
 *
 * @param tasks all tasks, which have values also without jobs
 * @param backlogsOfTasks backlogs that consist of jobs: the tasks of each
 */
export function createDatabaseReadings(
  db: Database,
  tasks: readonly string[],
  { backlogs, backlogsOfTasks }: { backlogs: Backlogs; backlogsOfTasks: Record<string, string[]> },
): () => Promise<Reading[]> {
  return async () => {
    const { ages, queueUsage, jobs } = await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(STATEMENT_MS)}`.execute(tx)
      return { ...(await readAges(tx, backlogs)), jobs: await readJobs(tx) }
    })
    const known = new Map(tasks.map((task) => [task, { task, age: 0, waiting: 0, givenUp: 0 }]))
    // A task of an older or newer version has no place among the labels.
    for (const row of jobs) if (known.has(row.task)) known.set(row.task, row)
    for (const [backlog, of] of Object.entries(backlogsOfTasks)) {
      ages[backlog] = Math.max(0, ...of.map((task) => known.get(task)?.age ?? 0))
    }
    return [
      { name: 'bancone_events_queue_usage_ratio', value: queueUsage },
      ...Object.entries(ages).map(([backlog, value]) => ({
        name: 'bancone_backlog_age_seconds' as const,
        value,
        labels: { backlog },
      })),
      ...[...known.values()].flatMap(({ task, age, waiting, givenUp }): Reading[] => [
        { name: 'bancone_job_age_seconds', value: age, labels: { task } },
        { name: 'bancone_jobs_waiting', value: waiting, labels: { task } },
        { name: 'bancone_jobs_given_up', value: givenUp, labels: { task } },
      ]),
    ]
  }
}

async function readAges(tx: Database, backlogs: Backlogs) {
  const pairs = Object.entries(backlogs).map(([name, since]) => sql`(${name}, ${since})`)
  const { rows } = await sql<{ name: string | null; value: number }>`
    select null as name, pg_notification_queue_usage() as value
    ${
      pairs.length === 0
        ? sql``
        : sql`
      union all
      select name, greatest(0, coalesce(extract(epoch from now() - since), 0))::float8
      from (values ${sql.join(pairs)}) as backlog (name, since)`
    }`.execute(tx)
  const ages: Record<string, number> = {}
  let queueUsage = 0
  for (const { name, value } of rows) {
    if (name === null) queueUsage = value
    else ages[name] = value
  }
  return { ages, queueUsage }
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
