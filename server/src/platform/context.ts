import type { Database } from '../database/database.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { CreateRateLimits } from './rate-limits.ts'
import type { Secrets } from './secrets.ts'

/** What modules are wired with. */
export type Context = {
  db: Database
  clock: Clock
  log: Log
  secrets: Secrets
  limits: CreateRateLimits
}
