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
