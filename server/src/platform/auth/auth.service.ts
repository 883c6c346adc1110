import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { OidcSettings } from '../../config/providers.ts'
import type { Database } from '../../database/database.ts'
import type { IdentityProvider } from '../../ports/identity-provider.ts'
import type { Mailer } from '../../ports/mailer.ts'
import type { Tasks } from '../jobs.ts'
import { createUserAdministration } from './admin.service.ts'
import { createAuthStore } from './auth.store.ts'
import { createAccount } from './auth-account.service.ts'
import type { AuthContext } from './auth-context.ts'
import { authMailJob, createEnqueueMail, MAIL_TASK } from './auth-mail.ts'
import { createDeviceCookies } from './cookies.ts'
import { createEmailFlows } from './email-flows.service.ts'
import { createExternalSignIn } from './external.service.ts'
import { createFactors, enrolmentCutoff } from './factors.service.ts'
import { createIdentities } from './identities.service.ts'
import { createInvitations } from './invitations.service.ts'
import { createInvitedUsers } from './invited-users.service.ts'
import { createOneTimeTokens } from './one-time-tokens.service.ts'
import { createReauthentication } from './reauthentication.ts'
import { createRecoveryCodes } from './recovery-codes.service.ts'
import { createLinkMaker, createRedirectAllowList } from './redirect-urls.ts'
import { INACTIVITY_TIMEOUT_DAYS, MAX_SESSION_DAYS } from './refresh-grant.ts'
import { createAuthSessions } from './sessions.service.ts'
import { createSignIn } from './sign-in.service.ts'
import { createSigningKeysStore } from './signing-keys.store.ts'
import { loadSigningKeys } from './signing-keys.ts'
import { createVerification } from './verify.service.ts'

type Dependencies = Omit<AuthContext, 'store'> & {
  db: Database
  mailer: Mailer
  /** The adapter for `settings.oidc`. */
  identityProvider: IdentityProvider | undefined
  isAdministrator(userId: string): Promise<boolean>
  log: Parameters<typeof authMailJob>[0]['log']
}

export const AUTH_CLEANUP_TASK = 'auth.cleanup'

/** Days for which replaced refresh tokens are kept. Their reuse is detected that long. */
const REPLACED_TOKEN_DAYS = 30

/** The services behind `/auth/v1`. */
export type AuthService = Awaited<ReturnType<typeof createAuth>>['auth']

/** @throws StartupError if the signing keys were encrypted with another APP_SECRET */
export async function createAuth(dependencies: Dependencies) {
  const { db, mailer, identityProvider, isAdministrator, log, ...given } = dependencies
  const { secrets, settings, clock, audit } = given
  const { publicUrl, adminKey, oidc } = settings
  const store = createAuthStore(db)
  const keys = await loadSigningKeys(
    db,
    secrets,
    { issuer: `${publicUrl}/auth/v1`, audience: 'authenticated' },
    clock,
  )
  const context = { ...given, store }
  const redirects = createRedirectAllowList(publicUrl, settings.origins)
  const links = createLinkMaker(publicUrl, redirects, settings.pages)
  const enqueueMail = createEnqueueMail(db, { publicUrl, now: clock.now })
  const devices = createDeviceCookies(
    secrets.key('device cookies'),
    clock,
    publicUrl.startsWith('https:'),
  )
  const tokens = createOneTimeTokens({ ...context, devices })
  const reauthentication = createReauthentication({ ...context, tokens })
  const sessions = createAuthSessions({ ...context, keys })
  function external({ provider: id, issuer }: OidcSettings, provider: IdentityProvider) {
    const identities = createIdentities({ ...context, enqueueMail, provider: { id, issuer } })
    const own = { provider, providerId: id, issuer }
    return createExternalSignIn({ ...context, sessions, identities, reauthentication, ...own, log })
  }
  const sendMail = authMailJob({ ...context, tokens, links, mailer, log })
  const users = createUserAdministration({ ...context, enqueueMail })
  const daysAgo = (days: number) => new Date(clock.now() - days * 86_400_000).toISOString()

  /** Deletes expired rows, and rotates the signing key when the newest is old. */
  async function cleanUp(): Promise<void> {
    const gone = {
      sessions: await store.sessions.endExpired(
        daysAgo(INACTIVITY_TIMEOUT_DAYS),
        daysAgo(MAX_SESSION_DAYS),
      ),
      refreshTokens: await store.sessions.deleteReplacedTokens(daysAgo(REPLACED_TOKEN_DAYS)),
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

  const tasks: Tasks = {
    [MAIL_TASK]: { lane: 'delivery', run: sendMail },
    [AUTH_CLEANUP_TASK]: { lane: 'maintenance', run: cleanUp },
  }
  return {
    tasks,
    auth: {
      sessions,
      signIn: createSignIn({ ...context, sessions, devices }),
      devices,
      emailFlows: createEmailFlows({ ...context, enqueueMail, sessions }),
      verification: createVerification({ ...context, tokens, sessions }),
      external: oidc && identityProvider && external(oidc, identityProvider),
      account: createAccount({ ...context, enqueueMail, reauthentication }),
      reauthentication,
      factors: createFactors({ ...context, sessions, enqueueMail, reauthentication }),
      recoveryCodes: createRecoveryCodes({ ...context, sessions, enqueueMail }),
      users,
      invitations: createInvitations({ ...context, enqueueMail, tokens, links }),
      invitedUsers: createInvitedUsers({ ...context, enqueueMail, users }),
      links,
      redirects,
      settings,
      isAdministrator,
      isAdminKey: (token: string) => adminKey !== undefined && same(token, adminKey),
      jwks: keys.jwks,
    },
  }
}

function same(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
