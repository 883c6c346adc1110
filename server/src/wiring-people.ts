import { paths } from '@bancone/contract/pages'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import { createOpenIdProvider } from './adapters/openid/openid-provider.ts'
import type { Config } from './config.ts'
import type { DatabaseConnection } from './database/database.ts'
import type { AdministratorsStore } from './features/administrators/administrators.store.ts'
import { createApiKeys } from './features/api-keys/api-keys.service.ts'
import { createApiKeysStore } from './features/api-keys/api-keys.store.ts'
import { colleagueLimits } from './features/colleagues/colleagues.service.ts'
import { wireColleagues } from './features/colleagues/colleagues.wiring.ts'
import type { PharmaciesStore } from './features/pharmacies/pharmacies.store.ts'
import { createSessions, type Sessions } from './http/session.ts'
import { createAudit } from './platform/audit.ts'
import { createAuth } from './platform/auth/auth.service.ts'
import { AuthError } from './platform/auth/auth-error.ts'
import { type AuthLimitName, authLimits } from './platform/auth/auth-limits.ts'
import type { Events } from './platform/events.ts'
import { createRateLimits, type Limit } from './platform/rate-limits.ts'
import type { Secrets } from './platform/secrets.ts'
import type { Clock } from './ports/clock.ts'
import { createMailer, type MailSettings } from './wiring-mail.ts'

export type PeopleSettings = {
  publicUrl: string
  auth: Config['auth']
  mail: MailSettings
  /** Other limits than the usual ones. */
  limits?: Partial<Record<AuthLimitName, Limit>>
}

type Dependencies = Pick<DatabaseConnection, 'db' | 'pool'> & {
  clock: Clock
  log: FastifyBaseLogger
  secrets: Secrets
  pharmacies: PharmaciesStore
  administrators: AdministratorsStore
  settings: PeopleSettings
}

/** Who gets in, and as whom: accounts, their sessions, keys of programs, colleagues. */
export async function wirePeople(dependencies: Dependencies) {
  const { db, pool, clock, log, secrets, pharmacies, administrators, settings } = dependencies
  const mailer = await createMailer(settings.mail, log)
  const { oidc } = settings.auth
  const redirectUri = `${settings.publicUrl}/auth/v1/callback`
  const { auth, jobs } = await createAuth({
    db,
    secrets,
    limits: createRateLimits(pool, secrets.key('rate limits'), {
      ...authLimits,
      ...settings.limits,
    }),
    audit: createAudit(db),
    mailer,
    clock,
    settings: {
      ...settings.auth,
      publicUrl: settings.publicUrl,
      pages: { login: paths.login, confirm: paths.confirm },
    },
    identityProvider: oidc && createOpenIdProvider({ ...oidc, redirectUri, clock }),
    isAdministrator: administrators.includes,
    onSessionEnded: (sessionId) => sessions.forget(sessionId),
    log,
  })
  const apiKeys = createApiKeys({
    store: createApiKeysStore(db),
    onRevoked: (keyId) => sessions.forget(keyId),
  })
  const colleagues = wireColleagues({
    db,
    auth,
    limits: createRateLimits(pool, secrets.key('rate limits'), colleagueLimits),
    onChanged: (userId) => sessions.doubt(userId),
  })
  const sessions = createSessions({
    subject: auth.sessions.subject,
    standing: auth.sessions.standing,
    account: pharmacies.account,
    async keyHolder(key) {
      const found = await apiKeys.holder(key)
      const pharmacy = found && (await pharmacies.ofSession(found.pharmacyId))
      return pharmacy && { keyId: found.keyId, pharmacy }
    },
    isRefusal: (error) => error instanceof AuthError,
    administratorsNeedFactor: settings.auth.adminFactor === 'required',
  })
  return { auth, jobs, sessions, apiKeys, colleagues, mailer }
}

/** The sessions that ended; none when there were too many to name. */
const SessionIds = z.array(z.string())

/** What the database tells every process of sessions and accounts. */
export function followSessions(events: Events, sessions: Sessions) {
  events.on('session_ended', (payload) => {
    const ended = SessionIds.parse(JSON.parse(payload))
    for (const id of ended) sessions.forget(id)
    if (ended.length === 0) sessions.doubt()
  })
  events.on('account_changed', (id) => sessions.doubt(id))
  events.onMissed(() => sessions.doubt())
}
