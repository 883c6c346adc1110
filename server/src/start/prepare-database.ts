import { migrate } from '../database/migrate.ts'
import { type OwnerConnection, withStartLock } from '../database/start-lock.ts'
import { prepareJobs } from '../platform/jobs.ts'
import type { Log } from '../ports/log.ts'

/**
 * Migrates the database and then runs `rest`, which does the remaining preparations. Only one process at a time does
 * this, because several may start at once on a new database.
 *
 * @param url the address of the account that owns the schema; `rest` is given its connection
 */
export function prepareDatabase<T>(
  url: string,
  log: Log,
  rest: (owner: OwnerConnection) => Promise<T>,
): Promise<T> {
  return withStartLock(url, async (client) => {
    await migrate(client, log)
    await prepareJobs(url, log)
    return rest(client)
  })
}
