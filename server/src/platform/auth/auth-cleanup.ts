import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Log } from '../../ports/log.ts'
import type { Task } from '../jobs.ts'
import type { Secrets } from '../secrets.ts'
import type { AuthContext } from './auth-context.ts'
import { enrolmentCutoff } from './factors.service.ts'
import { INACTIVITY_TIMEOUT_DAYS, MAX_SESSION_DAYS } from './refresh-grant.ts'
import { createSigningKeysStore } from './signing-keys.store.ts'

/** Days for which replaced refresh tokens are kept. Their reuse is detected that long. */
const TOKEN_DAYS = 30

type Dependencies = Pick<AuthContext, 'store' | 'audit' | 'clock'> & {
  db: Database
  secrets: Secrets
  log: Pick<Log, 'info'>
}

/** Deletes expired rows, and rotates the signing key when the newest is old. */
export function cleanupJob(dependencies: Dependencies): Task['run'] {
  const { db, secrets, store, audit, clock, log } = dependencies
  const daysAgo = (days: number) => new Date(clock.now() - days * 86_400_000).toISOString()
  return async () => {
    const gone = {
      sessions: await store.sessions.endExpired(
        daysAgo(INACTIVITY_TIMEOUT_DAYS),
        daysAgo(MAX_SESSION_DAYS),
      ),
      refreshTokens: await store.sessions.deleteReplacedTokens(daysAgo(TOKEN_DAYS)),
      mailTokens: await store.tokens.deleteExpired(),
      factors: await store.factors.deleteExpired(daysAgo(0), enrolmentCutoff(clock.now())),
      externalFlows: await store.externalFlows.deleteExpired(),
      anonymous: await store.users.deleteAbandonedAnonymous(daysAgo(INACTIVITY_TIMEOUT_DAYS)),
      events: await audit.deleteExpired(),
    }
    await sql`delete from rate_limits where expire < ${clock.now()}`.execute(db)
    const newKey = await db
      .transaction()
      .execute((tx) => createSigningKeysStore(tx, secrets).rotateIfDue())
    log.info({ ...gone, ...(newKey && { newKey }) }, 'cleaned up')
  }
}
