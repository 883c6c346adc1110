import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { enqueue } from '../jobs.ts'
import { normalizeEmail } from './users.store.ts'

export const MAIL_TASK = 'auth.mail'

/** Security notices about a completed event, without links that sign in. */
const NoticeKind = z.enum([
  'password_changed',
  'email_changed_by_administrator',
  'factor_added',
  'factor_removed',
  'factor_removed_by_administrator',
  'recovery_code_used',
  'identity_linked',
  'identity_unlinked',
])
export type NoticeKind = z.infer<typeof NoticeKind>

/**
 * The payload of a mail job. The job looks up the recipient and issues the token: the request is answered
 * before, and takes the same time for an unknown address.
 */
export const MailRequest = z.object({
  kind: z.enum([
    'signup',
    'resend_signup',
    'invite',
    'otp',
    'recovery',
    'email_change_current',
    'email_change_new',
    'reauthentication',
    ...NoticeKind.options,
  ]),
  /** The address that was typed, or the id of a known user. */
  to: z.union([z.object({ email: z.string() }), z.object({ userId: z.uuid() })]),
  /** For notices: the address to write to instead of the user's. */
  sendTo: z.string().nullable().default(null),
  /** The final target of the link. */
  redirectTo: z.string(),
  codeChallenge: z.string().nullable(),
  /** For `invite`: the inviting party, or null for Bancone itself. */
  from: z.string().nullable().default(null),
  /** For `otp`: creates the user if there is none. */
  create: z.object({ userMetadata: z.record(z.string(), z.unknown()) }).nullable(),
  /** Milliseconds since 1970. Mails that are too late are dropped. */
  askedAt: z.number(),
})
export type MailRequest = z.infer<typeof MailRequest>

export function isNotice(kind: MailRequest['kind']): kind is NoticeKind {
  return NoticeKind.safeParse(kind).success
}

export type EnqueueMail = (
  request: Pick<MailRequest, 'kind' | 'to'> & Partial<MailRequest>,
  tx?: Database,
  /** As in `enqueue`. */
  priority?: number,
) => Promise<void>

/** Enqueues mails as jobs. */
export function createEnqueueMail(
  db: Database,
  { publicUrl, now }: { publicUrl: string; now(): number },
): EnqueueMail {
  return async (request, tx = db, priority = 0) => {
    const whole: MailRequest = {
      redirectTo: publicUrl,
      codeChallenge: null,
      from: null,
      sendTo: null,
      create: null,
      askedAt: now(),
      ...request,
    }
    const subject = 'email' in request.to ? normalizeEmail(request.to.email) : request.to.userId
    const to = whole.sendTo ?? subject
    // A PKCE request by another person must not replace the owner's request without PKCE.
    const flow = whole.codeChallenge === null ? '' : ':pkce'
    const key = `${MAIL_TASK}:${request.kind}${flow}:${to}`
    await enqueue(tx, MAIL_TASK, whole, { key, priority })
  }
}
