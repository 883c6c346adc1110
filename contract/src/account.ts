import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A device, as described by its `User-Agent` header. Null where the header is not recognised. */
export const Device = z.object({
  /** For example 'Chrome', 'Safari'. */
  browser: z.nullable(z.string()),
  /** For example 'Windows', 'Android', 'iOS'. */
  system: z.nullable(z.string()),
  kind: z.enum(['desktop', 'phone', 'tablet', 'other']),
})
export type Device = z.infer<typeof Device>

/** A session: one browser in which the user is signed in. Times are ISO 8601. */
export const AccountSession = z.object({
  id: z.uuid(),
  device: Device,
  /** An IPv4 address, or the /64 network of an IPv6 address; null for sessions older than this column. */
  address: z.nullable(z.string()),
  startedAt: z.string(),
  lastUsedAt: z.string(),
  /** Whether the session was verified with a second factor. */
  secondFactor: z.boolean(),
  /** Whether this is the caller's own session. */
  isCurrent: z.boolean(),
})
export type AccountSession = z.infer<typeof AccountSession>

/** The most sessions listed. A program that signs in for every call can have thousands. */
export const MAX_SESSIONS = 300

export const listAccountSessions = endpoint({
  method: 'GET',
  path: '/api/account/sessions',
  summary: 'List the signed-in devices: this one, then the last used first, at most 300',
  access: 'account',
  response: z.object({ sessions: z.array(AccountSession) }),
  errors: [],
})

export const endAccountSession = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions/:sessionId',
  summary: 'Sign out another device',
  access: 'account',
  audit: { none: 'recorded as an event of the account' },
  params: z.object({ sessionId: z.uuid() }),
  response: z.object({}),
  errors: ['account.session_not_found'],
})

/** The security events of an account that its owner can see. Other events exist only in the audit log. */
export const ActivityKind = z.enum([
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'refresh_token_reused',
  'password_changed',
  'confirmation_failed',
  'recovery_link_used',
  'email_change_asked',
  'email_changed',
  'account_changed_by_administrator',
  'link_made_by_administrator',
  'factor_added',
  'factor_removed',
  'factor_removed_by_administrator',
  'factor_failed',
  'factor_passed',
  'recovery_codes_made',
  'recovery_code_used',
  'identity_linked',
  'identity_unlinked',
  'invited',
])
export type ActivityKind = z.infer<typeof ActivityKind>

export const AccountActivity = z.object({
  /** Increases with time. */
  id: z.string(),
  at: z.string(),
  kind: ActivityKind,
  /** The sign-in method ('password', 'otp', 'oauth', …); null for other events. */
  method: z.nullable(z.string()),
  device: Device,
  address: z.nullable(z.string()),
})
export type AccountActivity = z.infer<typeof AccountActivity>

export const ACTIVITY_PAGE_SIZE = 20

export const listAccountActivity = endpoint({
  method: 'GET',
  path: '/api/account/activity',
  summary: 'List the recent activity of the account, newest first',
  access: 'account',
  query: z.object({
    /** A cursor: the id of the last event the caller has. The response holds older events. */
    before: z.optional(z.string().check(z.regex(/^\d{1,18}$/))),
  }),
  response: z.object({ events: z.array(AccountActivity), hasMore: z.boolean() }),
  errors: [],
})

/** How many recovery codes a user gets. */
export const RECOVERY_CODE_COUNT = 10

/** An external identity provider for sign-in (OpenID Connect). */
export const ExternalProvider = z.object({
  /** The provider's id in the GoTrue protocol. */
  id: z.string(),
  /** The display name. */
  name: z.string(),
})
export type ExternalProvider = z.infer<typeof ExternalProvider>

export const listSignInMethods = endpoint({
  method: 'GET',
  path: '/api/sign-in-methods',
  summary: 'List the sign-in methods other than the password',
  access: 'public',
  cacheSeconds: 60,
  response: z.object({ providers: z.array(ExternalProvider) }),
  errors: [],
})
