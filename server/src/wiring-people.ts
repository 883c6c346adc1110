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
  /** Overrides of the default rate limits. */
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

/** Wires authentication and access: accounts, sessions, API keys, colleagues. */
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
    onSessionEnded: (sessionId) => sessions.markEnded(sessionId),
    log,
  })
  const apiKeys = createApiKeys({
    store: createApiKeysStore(db),
    onRevoked: (keyId) => sessions.markEnded(keyId),
  })
  const colleagues = wireColleagues({
    db,
    auth,
    limits: createRateLimits(pool, secrets.key('rate limits'), colleagueLimits),
    onChanged: (userId) => sessions.invalidate(userId),
  })
  const sessions = createSessions({
    subject: auth.sessions.subject,
    assurance: auth.sessions.status,
    account: pharmacies.account,
    async apiKeyHolder(key) {
      const found = await apiKeys.holder(key)
      const pharmacy = found && (await pharmacies.ofSession(found.pharmacyId))
      return pharmacy && { keyId: found.keyId, pharmacy }
    },
    isInvalidToken: (error) => error instanceof AuthError,
    adminMfaRequired: settings.auth.adminFactor === 'required',
  })
  return { auth, jobs, sessions, apiKeys, colleagues, mailer }
}

/** The ids of the ended sessions; empty when there were too many to list. */
const SessionIds = z.array(z.string())

/** Applies database notifications about sessions and accounts to the session cache. */
export function followSessionEvents(events: Events, sessions: Sessions) {
  events.on('session_ended', (payload) => {
    const ended = SessionIds.parse(JSON.parse(payload))
    for (const id of ended) sessions.markEnded(id)
    if (ended.length === 0) sessions.invalidate()
  })
  events.on('account_changed', (id) => sessions.invalidate(id))
  events.onMissed(() => sessions.invalidate())
}
