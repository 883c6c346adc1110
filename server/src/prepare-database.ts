import type { FastifyBaseLogger } from 'fastify'
import { migrate } from './database/migrate.ts'
import { withStartLock } from './database/start-lock.ts'
import { prepareJobs } from './platform/jobs.ts'

/**
 * Brings the database up to date and then does the rest of what must be there before anything runs,
 * one process at a time: several may start at once on a new database.
 */
export function prepareDatabase<T>(
  url: string,
  log: Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>,
  rest: () => Promise<T>,
): Promise<T> {
  return withStartLock(url, async (client) => {
    await migrate(client, log)
    await prepareJobs(url, log)
    return rest()
  })
}
