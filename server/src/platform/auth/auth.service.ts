import { createHash, timingSafeEqual } from 'node:crypto'
import type { Database } from '../../database/database.ts'
import type { Clock } from '../../ports/clock.ts'
import type { IdentityProvider } from '../../ports/identity-provider.ts'
import type { Mailer } from '../../ports/mailer.ts'
import type { Audit } from '../audit.ts'
import type { Tasks } from '../jobs.ts'
import type { RateLimits } from '../rate-limits.ts'
import type { Secrets } from '../secrets.ts'
import { createAccount } from './account.service.ts'
import { createUserAdministration } from './admin.service.ts'
import { createAuthStore } from './auth.store.ts'
import { cleanupJob } from './auth-cleanup.ts'
import type { AuthLimitName } from './auth-limits.ts'
import { authMailJob, createEnqueueMail, MAIL_TASK } from './auth-mail.ts'
import { createDeviceCookies } from './cookies.ts'
import { createEmailFlows } from './email-flows.service.ts'
import { createExternalSignIn } from './external.service.ts'
import { createFactors } from './factors.service.ts'
import { createIdentities } from './identities.service.ts'
import { createInvitations } from './invitations.service.ts'
import { createInvitedUsers } from './invited-users.service.ts'
import { createOneTimeTokens } from './one-time-tokens.service.ts'
import { createReauthentication } from './reauthentication.ts'
import { createRecoveryCodes } from './recovery-codes.service.ts'
import { createLinkMaker, createRedirectAllowList } from './redirect-urls.ts'
import { createAuthSessions } from './sessions.service.ts'
import { createSignIn } from './sign-in.service.ts'
import { loadSigningKeys } from './signing-keys.ts'
import { createVerification } from './verify.service.ts'

export type AuthSettings = {
  /** The public URL of the application. */
  publicUrl: string
  /** Further origins that may call the API and be redirect targets. */
  origins: readonly string[]
  signup: boolean
  anonymous: boolean
  /** The key with which other servers call the admin API; undefined: administrators alone do. */
  adminKey: string | undefined
  /** Whether an administrator must have a second factor. */
  adminFactor: 'optional' | 'required'
  /** Whether a new password requires the current one, or another proof of this hour. */
  currentPassword: 'optional' | 'required'
  /** The external provider for sign-in; undefined: email and password alone. */
  oidc: OidcSettings | undefined
  /** The paths of the application's own pages. */
  pages: { login: string; confirm: string }
}

/** An OpenID Connect provider. */
export type OidcSettings = {
  /** Its name in the protocol: `google`, `keycloak`, … */
  provider: string
  /** Its display name. */
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}

type Dependencies = {
  db: Database
  secrets: Secrets
  limits: RateLimits<AuthLimitName>
  audit: Audit
  mailer: Mailer
  clock: Clock
  settings: AuthSettings
  /** The adapter for `settings.oidc`. */
  identityProvider: IdentityProvider | undefined
  isAdministrator(userId: string): Promise<boolean>
  onSessionEnded(sessionId: string): void
  log: Parameters<typeof authMailJob>[0]['log']
}

export const AUTH_CLEANUP_TASK = 'auth.cleanup'

/** The services behind `/auth/v1`. */
export type AuthService = Awaited<ReturnType<typeof createAuth>>['auth']

/** @throws StartupError if the signing keys were encrypted with another APP_SECRET */
export async function createAuth(dependencies: Dependencies) {
  const { db, secrets, settings, clock, mailer, log } = dependencies
  const { publicUrl, signup, anonymous, adminKey } = settings
  const store = createAuthStore(db)
  const keys = await loadSigningKeys(
    db,
    secrets,
    { issuer: `${publicUrl}/auth/v1`, audience: 'authenticated' },
    clock,
  )
  const context = {
    store,
    limits: dependencies.limits,
    audit: dependencies.audit,
    clock,
    onSessionEnded: dependencies.onSessionEnded,
  }
  const redirects = createRedirectAllowList(publicUrl, settings.origins)
  const links = createLinkMaker(publicUrl, redirects, settings.pages)
  const enqueueMail = createEnqueueMail(db, { publicUrl, now: clock.now })
  const devices = createDeviceCookies(
    secrets.key('device cookies'),
    clock,
    publicUrl.startsWith('https:'),
  )
  const codeKey = secrets.key('one-time codes')
  const tokens = createOneTimeTokens({ ...context, codeKey, devices })
  const reauthentication = createReauthentication({ ...context, tokens })
  const sessions = createAuthSessions({
    ...context,
    keys,
    refreshKey: secrets.key('refresh tokens'),
  })
  function external({ provider, issuer }: OidcSettings, identityProvider: IdentityProvider) {
    const own = { id: provider, issuer }
    return createExternalSignIn({
      ...context,
      secrets,
      sessions,
      identities: createIdentities({ ...context, enqueueMail, provider: own }),
      reauthentication,
      provider: identityProvider,
      providerId: provider,
      issuer,
      log,
    })
  }
  const { oidc } = settings
  const { identityProvider } = dependencies
  const sendMail = authMailJob({
    ...context,
    tokens,
    links,
    mailer,
    log,
    signupAllowed: signup,
    providerName: oidc?.name,
  })
  const users = createUserAdministration({ ...context, enqueueMail })
  const tasks: Tasks = {
    [MAIL_TASK]: { lane: 'delivery', run: sendMail },
    [AUTH_CLEANUP_TASK]: {
      lane: 'maintenance',
      run: cleanupJob({ ...context, db, secrets, log }),
    },
  }
  return {
    tasks,
    auth: {
      sessions,
      signIn: createSignIn({ ...context, sessions, devices }),
      devices,
      emailFlows: createEmailFlows({
        ...context,
        enqueueMail,
        sessions,
        signupAllowed: signup,
        anonymousAllowed: anonymous,
        idKey: secrets.key('ids of those who sign up'),
      }),
      verification: createVerification({ ...context, tokens, sessions }),
      external: oidc && identityProvider && external(oidc, identityProvider),
      account: createAccount({
        ...context,
        enqueueMail,
        reauthentication,
        currentPassword: settings.currentPassword,
      }),
      reauthentication,
      factors: createFactors({ ...context, secrets, sessions, enqueueMail, reauthentication }),
      recoveryCodes: createRecoveryCodes({
        ...context,
        codeKey: secrets.key('recovery codes'),
        sessions,
        enqueueMail,
      }),
      users,
      invitations: createInvitations({ ...context, enqueueMail, tokens, links }),
      invitedUsers: createInvitedUsers({ ...context, enqueueMail, users }),
      links,
      redirects,
      settings,
      isAdministrator: dependencies.isAdministrator,
      isAdminKey: (token: string) => adminKey !== undefined && same(token, adminKey),
      jwks: keys.jwks,
    },
  }
}

function same(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
