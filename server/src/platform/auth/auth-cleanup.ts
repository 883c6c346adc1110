import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Task } from '../jobs.ts'
import type { Secrets } from '../secrets.ts'
import type { AuthContext } from './auth-context.ts'
import { enrolmentsSince } from './factors.service.ts'
import { IDLE_DAYS } from './refreshing.ts'
import { createSigningKeysStore } from './signing-keys.store.ts'

/** Days that refresh tokens are known after they were replaced: so long a theft is noticed. */
const TOKEN_DAYS = 30

/** Days that the trail is kept, and of it what concerns no account. */
const AUDIT_DAYS = 180
const STRANGER_DAYS = 30

type Dependencies = Pick<AuthContext, 'store' | 'audit' | 'clock'> & {
  db: Database
  secrets: Secrets
  log: { info(details: object, message: string): void }
}

/** Takes away what has expired, and lets a new signing key take over when the newest is old. */
export function cleanupJob({ db, secrets, store, audit, clock, log }: Dependencies): Task {
  const daysAgo = (days: number) => new Date(clock.now() - days * 86_400_000).toISOString()
  return async () => {
    const gone = {
      sessions: await store.sessions.endIdle(daysAgo(IDLE_DAYS)),
      refreshTokens: await store.sessions.forgetTokens(daysAgo(TOKEN_DAYS)),
      mailTokens: await store.tokens.forgetExpired(),
      factors: await store.factors.forgetExpired(daysAgo(0), enrolmentsSince(clock.now())),
      externalFlows: await store.externalFlows.forgetExpired(),
      anonymous: await store.users.forgetAnonymous(daysAgo(IDLE_DAYS)),
      events: await audit.forget(daysAgo(AUDIT_DAYS), daysAgo(STRANGER_DAYS)),
    }
    await sql`delete from rate_limits where expire < ${clock.now()}`.execute(db)
    const newKey = await db
      .transaction()
      .execute((tx) => createSigningKeysStore(tx, secrets).rotateOld())
    log.info({ ...gone, ...(newKey && { newKey }) }, 'cleaned up')
  }
}
