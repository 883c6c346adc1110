import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** What a device is called: what its browser says of itself, in words. Null where it says nothing known. */
export const Device = z.object({
  /** As in 'Chrome', 'Safari'. */
  browser: z.string().nullable(),
  /** As in 'Windows', 'Android', 'iOS'. */
  system: z.string().nullable(),
  kind: z.enum(['desktop', 'phone', 'tablet', 'other']),
})
export type Device = z.infer<typeof Device>

/** A session: a browser somebody is signed in with. Times are ISO 8601. */
export const AccountSession = z.object({
  id: z.uuid(),
  device: Device,
  /** An IPv4 address, or the network of an IPv6 address; null for those begun before it was kept. */
  address: z.string().nullable(),
  startedAt: z.string(),
  lastUsedAt: z.string(),
  /** Whether a second factor was shown there. */
  secondFactor: z.boolean(),
  /** The one that asks. */
  isCurrent: z.boolean(),
})
export type AccountSession = z.infer<typeof AccountSession>

/** More than anybody looks through: a program that signs in again each time has thousands. */
export const MOST_SESSIONS = 300

export const listAccountSessions = endpoint({
  method: 'GET',
  path: '/api/account/sessions',
  summary:
    'The devices the account is signed in with: the one that asks, then the last used first, 300 in all',
  access: 'account',
  response: z.object({ sessions: z.array(AccountSession) }),
  errors: [],
})

export const endAccountSession = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions/:sessionId',
  summary: 'Signs one device out; not the one that asks',
  access: 'account',
  params: z.object({ sessionId: z.uuid() }),
  response: z.object({}),
  errors: ['account.session_not_found'],
})

/** What happened to an account, as its owner is told. Others are for the platform's own trail. */
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
  /** Grows with time. */
  id: z.string(),
  at: z.string(),
  kind: ActivityKind,
  /** How they signed in: 'password', 'otp', 'oauth', …; null for the rest. */
  method: z.string().nullable(),
  device: Device,
  address: z.string().nullable(),
})
export type AccountActivity = z.infer<typeof AccountActivity>

export const ACTIVITY_PAGE = 20

export const listAccountActivity = endpoint({
  method: 'GET',
  path: '/api/account/activity',
  summary: 'What happened to the account in the last months, newest first',
  access: 'account',
  query: z.object({
    /** The id of the last one that is known: older ones follow. */
    before: z
      .string()
      .regex(/^\d{1,18}$/)
      .optional(),
  }),
  response: z.object({ events: z.array(AccountActivity), hasMore: z.boolean() }),
  errors: [],
})

/** The most recovery codes somebody has, and the form they are shown in. */
export const RECOVERY_CODES = 10

/** Another service one can sign in with (OpenID Connect). */
export const ExternalProvider = z.object({
  /** As the protocol names it. */
  id: z.string(),
  /** As people know it. */
  name: z.string(),
})
export type ExternalProvider = z.infer<typeof ExternalProvider>

export const listSignInMethods = endpoint({
  method: 'GET',
  path: '/api/sign-in-methods',
  summary: 'What one can sign in with beside the password',
  access: 'public',
  keptFor: 60,
  response: z.object({ providers: z.array(ExternalProvider) }),
  errors: [],
})
