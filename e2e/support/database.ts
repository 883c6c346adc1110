import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { App } from './app.ts'
import { databaseFolder } from './data-folder.ts'

/** Says something to the database behind the application's back, as time or an administrator would. */
export async function query(
  app: App,
  statement: string,
  values: unknown[] = [],
): Promise<unknown[]> {
  const read = async (...path: string[]) => (await readFile(join(...path), 'utf8')).trim()
  const cluster = await databaseFolder(app.dataDir)
  const port = Number((await read(cluster, 'postmaster.pid')).split('\n')[3])
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'bancone',
    database: 'bancone',
    password: await read(app.dataDir, 'postgres-password'),
  })
  await client.connect()
  try {
    const { rows }: { rows: unknown[] } = await client.query(statement, values)
    return rows
  } finally {
    await client.end()
  }
}

/**
 * As if so much time had passed that a request to Airtable without an answer has no effect any more, and that what waits
 * for Airtable is tried again.
 */
export async function passWaits(app: App): Promise<void> {
  for (const table of ['order_changes', 'order_creations']) {
    await query(
      app,
      `update ${table} set unsure_at = unsure_at - interval '90 seconds',
         claimed_until = claimed_until - interval '90 seconds'`,
    )
  }
  await query(
    app,
    `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now())
     from graphile_worker.jobs where task_identifier like 'orders.%'`,
  )
}
