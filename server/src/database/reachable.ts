import pg from 'pg'
import { StartupError } from '../startup-error.ts'

/** Checks the connection and the version. @throws StartupError with one line, without the password */
export async function checkReachable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    )
    const version = rows[0]?.version ?? 0
    if (version < 150_000) {
      throw new StartupError('The database of DATABASE_URL is older than PostgreSQL 15.')
    }
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The database of DATABASE_URL cannot be used: ${reason(error)}.`, {
      cause: error,
    })
  } finally {
    await client.end().catch(() => {})
  }
}

/** The message of an error. A connection refused on several addresses gives an AggregateError without one. */
export function reason(error: unknown): string {
  if (error instanceof AggregateError) return reason(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
