import { createHash, timingSafeEqual } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import type { Database } from '../../database/database.ts'
import type { Clock } from '../../ports/clock.ts'
import type { IdentityProvider } from '../../ports/identity-provider.ts'
import type { Mailer } from '../../ports/mailer.ts'
import type { Audit } from '../audit.ts'
import type { Jobs, Task } from '../jobs.ts'
import type { RateLimits } from '../rate-limits.ts'
import type { Secrets } from '../secrets.ts'
import { type Account, createAccount } from './account.service.ts'
import { createUserAdministration, type UserAdministration } from './admin.service.ts'
import { createAuthStore } from './auth.store.ts'
import { cleanupJob } from './auth-cleanup.ts'
import type { AuthLimitName } from './auth-limits.ts'
import { createAskMail, MAIL_TASK } from './auth-mail.ts'
import { authMailJob } from './auth-mail-job.ts'
import { createExternalSignIn, type ExternalSignIn } from './external.service.ts'
import { createFactors, type Factors } from './factors.service.ts'
import { createIdentities } from './identities.service.ts'
import { createInvitations, type Invitations } from './invitations.service.ts'
import { createInvitedUsers, type InvitedUsers } from './invited-users.service.ts'
import { createLinkMaker, type LinkMaker } from './link-maker.ts'
import { createOneTimeTokens } from './one-time-tokens.service.ts'
import { createPresence } from './presence.ts'
import { createRecoveryCodes, type RecoveryCodes } from './recovery-codes.service.ts'
import { createRedirects, type Redirects } from './redirects.ts'
import { createRequests, type Requests } from './requests.service.ts'
import { type AuthSessions, createAuthSessions } from './sessions.service.ts'
import { createSignIn, type SignIn } from './sign-in.service.ts'
import { loadSigningKeys } from './signing-keys.ts'
import { createVerifying, type Verifying } from './verify.service.ts'

export type AuthSettings = {
  /** The address people use. */
  publicUrl: string
  /** Others whose pages may call, and be led to. */
  origins: readonly string[]
  signup: boolean
  anonymous: boolean
  /** Lets other servers administer users; undefined: administrators alone do. */
  adminKey: string | undefined
  /** Whether an administrator must have a second factor. */
  adminFactor: 'optional' | 'required'
  /** Another service to sign in with; undefined: the address with the password alone. */
  oidc: OidcSettings | undefined
  /** Pages of our own application. */
  pages: { login: string; confirm: string }
}

/** A provider of OpenID Connect. */
export type OidcSettings = {
  /** As the protocol names it: `google`, `keycloak`, … */
  provider: string
  /** As people know it. */
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}

/** Everything behind `/auth/v1`. */
export type AuthService = {
  sessions: AuthSessions
  signIn: SignIn
  requests: Requests
  verifying: Verifying
  /** Undefined where no other service is configured. */
  external: ExternalSignIn | undefined
  account: Account
  factors: Factors
  recoveryCodes: RecoveryCodes
  users: UserAdministration
  invitations: Invitations
  invitedUsers: InvitedUsers
  links: LinkMaker
  redirects: Redirects
  settings: Pick<AuthSettings, 'origins' | 'signup' | 'anonymous' | 'publicUrl' | 'adminFactor'>
  isAdministrator(userId: string): Promise<boolean>
  isAdminKey(token: string): boolean
  jwks(): Promise<JSONWebKeySet>
}

type Dependencies = {
  db: Database
  secrets: Secrets
  limits: RateLimits<AuthLimitName>
  audit: Audit
  mailer: Mailer
  clock: Clock
  settings: AuthSettings
  /** The service that `settings.oidc` describes. */
  identityProvider: IdentityProvider | undefined
  isAdministrator(userId: string): Promise<boolean>
  onSessionEnded(sessionId: string): void
  log: Parameters<typeof authMailJob>[0]['log']
}

const CLEANUP_TASK = 'auth.cleanup'

/** @throws StartupError if the signing keys were made with another APP_SECRET */
export async function createAuth(dependencies: Dependencies): Promise<{
  auth: AuthService
  jobs: Required<Jobs>
}> {
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
  const redirects = createRedirects(publicUrl, settings.origins)
  const links = createLinkMaker(publicUrl, redirects, settings.pages)
  const askMail = createAskMail(db, { publicUrl, now: clock.now })
  const tokens = createOneTimeTokens(context, secrets.key('one-time codes'))
  const presence = createPresence({ ...context, tokens })
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
      identities: createIdentities({ ...context, askMail, provider: own }),
      presence,
      provider: identityProvider,
      providerId: provider,
      issuer,
      log,
    })
  }
  const { oidc } = settings
  const { identityProvider } = dependencies
  const tasks: Record<string, Task> = {
    [MAIL_TASK]: authMailJob({
      ...context,
      tokens,
      links,
      mailer,
      log,
      signupAllowed: signup,
      providerName: oidc?.name,
    }),
    [CLEANUP_TASK]: cleanupJob({ ...context, db, secrets, log }),
  }
  const users = createUserAdministration({ ...context, askMail })
  return {
    jobs: { tasks, daily: [{ task: CLEANUP_TASK, at: '02:17' }] },
    auth: {
      sessions,
      signIn: createSignIn({ ...context, sessions }),
      requests: createRequests({
        ...context,
        askMail,
        sessions,
        signupAllowed: signup,
        anonymousAllowed: anonymous,
        idKey: secrets.key('ids of those who sign up'),
      }),
      verifying: createVerifying({ ...context, tokens, sessions }),
      external: oidc && identityProvider && external(oidc, identityProvider),
      account: createAccount({ ...context, askMail, presence }),
      factors: createFactors({ ...context, secrets, sessions, askMail, presence }),
      recoveryCodes: createRecoveryCodes({
        ...context,
        codeKey: secrets.key('recovery codes'),
        sessions,
        askMail,
      }),
      users,
      invitations: createInvitations({ ...context, askMail, tokens, links }),
      invitedUsers: createInvitedUsers({ ...context, askMail, users }),
      links,
      redirects,
      settings,
      isAdministrator: dependencies.isAdministrator,
      isAdminKey: (token) => adminKey !== undefined && same(token, adminKey),
      jwks: keys.jwks,
    },
  }
}

function same(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
