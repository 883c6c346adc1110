import { paths } from '@bancone/contract/pages'
import { z } from 'zod'
import { createMailOutbox } from '../adapters/mail-outbox/mail-outbox.ts'
import { createOpenIdProvider } from '../adapters/openid/openid-provider.ts'
import type { Config } from '../config/config.ts'
import { wireAccount } from '../features/account/account.wiring.ts'
import { wireAdministrators } from '../features/administrators/administrators.wiring.ts'
import { wireApiKeys } from '../features/api-keys/api-keys.wiring.ts'
import { wireAudit } from '../features/audit/audit.wiring.ts'
import { colleagueLimits } from '../features/colleagues/colleagues.service.ts'
import { endMemberships } from '../features/colleagues/colleagues.store.ts'
import { wireColleagues } from '../features/colleagues/colleagues.wiring.ts'
import { wirePharmacies } from '../features/pharmacies/pharmacies.wiring.ts'
import { wireSupport } from '../features/support/support.wiring.ts'
import { createSupportSessionsStore } from '../features/support/support-sessions.store.ts'
import type { AppModule } from '../http/app-module.ts'
import { createSessions, type Sessions } from '../http/session.ts'
import { createAudit } from '../platform/audit.ts'
import { authRoutes } from '../platform/auth/auth.routes.ts'
import { createAuth } from '../platform/auth/auth.service.ts'
import { AuthError } from '../platform/auth/auth-error.ts'
import { type AuthLimitName, authLimits } from '../platform/auth/auth-limits.ts'
import type { Context } from '../platform/context.ts'
import type { Events } from '../platform/events.ts'
import type { Limit } from '../platform/rate-limits.ts'
import type { CheckedMailer } from '../ports/mailer.ts'

type MailSettings = { smtpUrl: string | undefined; from: string; outbox: string }

/** Sends mails by SMTP or, without SMTP_URL, writes them to files. */
async function createMailer(
  { smtpUrl, from, outbox }: MailSettings,
  log: Context['log'],
): Promise<CheckedMailer & { close(): void }> {
  if (smtpUrl) {
    const { createSmtpMailer } = await import('../adapters/smtp/smtp-mailer.ts')
    return createSmtpMailer({ url: smtpUrl, from })
  }
  const onWritten = (file: string) => log.info({ file }, 'mail written')
  return { ...createMailOutbox({ folder: outbox, from, onWritten }), close() {} }
}

export type PeopleSettings = {
  publicUrl: string
  auth: Config['auth']
  mail: MailSettings
  /** Overrides of the default rate limits. */
  limits?: Partial<Record<AuthLimitName, Limit>>
}

type Dependencies = Context & {
  settings: PeopleSettings
}

/** Wires authentication and access: pharmacies, administrators, accounts, sessions, API keys, colleagues. */
export async function wirePeople(dependencies: Dependencies) {
  const { db, clock, log, secrets, limits, settings } = dependencies
  const pharmacies = wirePharmacies(db)
  const administrators = wireAdministrators(db)
  const mailer = await createMailer(settings.mail, log)
  const { oidc } = settings.auth
  const redirectUri = `${settings.publicUrl}/auth/v1/callback`
  const { auth, tasks } = await createAuth({
    db,
    secrets,
    limits: limits({ ...authLimits, ...settings.limits }),
    audit: createAudit(db),
    mailer,
    clock,
    settings: {
      ...settings.auth,
      publicUrl: settings.publicUrl,
      pages: { login: paths.login, confirm: paths.confirm },
    },
    identityProvider: oidc && createOpenIdProvider({ ...oidc, redirectUri, clock }),
    isAdministrator: administrators.store.includes,
    onSessionEnded: (sessionId) => sessions.markEnded(sessionId),
    onAccountDeleted: endMemberships,
    log,
  })
  const apiKeys = wireApiKeys({ db, onRevoked: (keyId) => sessions.markEnded(keyId) })
  const supportSessions = createSupportSessionsStore(db)
  const sessions = createSessions({
    subject: auth.sessions.subject,
    assurance: auth.sessions.status,
    account: pharmacies.store.account,
    async apiKeyHolder(key) {
      const found = await apiKeys.holder(key)
      const pharmacy = found && (await pharmacies.store.ofSession(found.pharmacyId))
      return pharmacy && { keyId: found.keyId, pharmacy }
    },
    async pharmacyOfSupportSession(supportSessionId, adminSession) {
      const pharmacyId = await supportSessions.pharmacyOf(
        supportSessionId,
        adminSession,
        clock.now(),
      )
      return pharmacyId === undefined ? undefined : pharmacies.store.ofSession(pharmacyId)
    },
    isInvalidToken: (error) => error instanceof AuthError,
    adminMfaRequired: settings.auth.adminFactor === 'required',
  })
  const authModule: AppModule = {
    routes: ({ app }) => app.register(authRoutes, { prefix: '/auth/v1', auth }),
    tasks,
    close: mailer.close,
  }
  return {
    auth,
    sessions,
    pharmacies: pharmacies.store,
    mailer,
    modules: [
      authModule,
      pharmacies,
      administrators,
      apiKeys,
      wireSupport(supportSessions, clock),
      wireColleagues({
        db,
        auth,
        limits: limits(colleagueLimits),
        isAdministrator: administrators.store.includes,
        onChanged: (userId) => sessions.invalidate(userId),
      }),
      wireAccount({ ...dependencies, auth, oidc }),
      wireAudit({ db, clock }),
    ] satisfies AppModule[],
  }
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
