import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The request header with the id of a support session. The request is then made in that session, or refused. */
export const SUPPORT_SESSION_HEADER = 'x-support-session'

/** How long a support session lasts at most. */
export const SUPPORT_SESSION_MINUTES = 30

export const SupportReason = z.string().check(z.trim(), z.minLength(10), z.maxLength(500))

/** A support session in progress, as its administrator sees it. */
export const SupportSession = z.object({
  id: z.uuid(),
  pharmacyId: z.uuid(),
  pharmacyName: z.string(),
  /** Until its end. */
  secondsLeft: z.int(),
})
export type SupportSession = z.infer<typeof SupportSession>

/**
 * Starts a support session: the administrator sees the pharmacy's pages for 30 minutes, read only and with personal
 * data masked. It ends an earlier one of the same sign-in, and is over when that is.
 */
export const startSupportSession = endpoint({
  method: 'POST',
  path: '/api/admin/support-sessions',
  summary: 'Start a read-only support session on the pages of a pharmacy',
  access: 'admin',
  audit: 'support_session_started',
  body: z.strictObject({ pharmacyId: z.uuid(), reason: SupportReason }),
  response: SupportSession,
  status: 201,
  errors: [
    'pharmacies.not_found',
    'pharmacy.inactive',
    'support.administrator',
    'support.no_session',
  ],
})

export const getCurrentSupportSession = endpoint({
  method: 'GET',
  path: '/api/admin/support-sessions/current',
  summary: 'Get the support session in progress of this sign-in',
  access: 'admin',
  response: z.object({ supportSession: z.nullable(SupportSession) }),
  errors: [],
})

/** Succeeds when the support session is over already. */
export const endSupportSession = endpoint({
  method: 'DELETE',
  path: '/api/admin/support-sessions/:supportSessionId',
  summary: 'End a support session',
  access: 'admin',
  audit: 'support_session_ended',
  params: z.object({ supportSessionId: z.uuid() }),
  response: z.object({}),
  errors: [],
})

/** A support session as the pharmacy sees it. Times are ISO 8601. */
export const ReceivedSupportSession = z.object({
  id: z.uuid(),
  /** The name of the administrator; null for one without a name. */
  administrator: z.nullable(z.string()),
  reason: z.string(),
  startedAt: z.string(),
  /** Null while it lasts. */
  endedAt: z.nullable(z.string()),
})
export type ReceivedSupportSession = z.infer<typeof ReceivedSupportSession>

/** The most support sessions listed. */
export const MAX_SUPPORT_SESSIONS_LISTED = 100

export const listSupportSessions = endpoint({
  method: 'GET',
  path: '/api/support-sessions',
  summary: 'List the support sessions at the own pharmacy, the newest first, at most 100',
  access: 'pharmacy',
  role: 'owner',
  response: z.object({
    supportSessions: z
      .array(ReceivedSupportSession)
      .check(z.maxLength(MAX_SUPPORT_SESSIONS_LISTED)),
  }),
  errors: [],
})
