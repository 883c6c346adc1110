import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { enqueue } from '../jobs.ts'
import { normalEmail } from './users.store.ts'

export const MAIL_TASK = 'auth.mail'

/** What is told after it happened: nothing to click, and nothing that opens anything. */
const NoticeKind = z.enum([
  'password_changed',
  'factor_added',
  'factor_removed',
  'factor_removed_by_administrator',
  'recovery_code_used',
  'identity_linked',
  'identity_unlinked',
])
export type NoticeKind = z.infer<typeof NoticeKind>

/**
 * A mail that was asked for. Who it is for is found out, and its token made, when it is written: the
 * call that asked for it is answered before, and takes as long for an address nobody has.
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
  /** The address that was typed, or the user it is known to be for. */
  to: z.union([z.object({ email: z.string() }), z.object({ userId: z.uuid() })]),
  /** Where the link leads in the end. */
  redirectTo: z.string(),
  codeChallenge: z.string().nullable(),
  /** For `invite`: who invites, if not Bancone itself. Jobs of before do not say. */
  from: z.string().nullable().default(null),
  /** For `otp`: makes the user if there is none. */
  create: z.object({ userMetadata: z.record(z.string(), z.unknown()) }).nullable(),
  /** Milliseconds since 1970: a mail that could not leave for too long is not worth sending. */
  askedAt: z.number(),
})
export type MailRequest = z.infer<typeof MailRequest>

export function isNotice(kind: MailRequest['kind']): kind is NoticeKind {
  return NoticeKind.safeParse(kind).success
}

export type AskMail = (
  request: Pick<MailRequest, 'kind' | 'to'> & Partial<MailRequest>,
  tx?: Database,
) => Promise<void>

/** Asks for mails through the job queue. */
export function createAskMail(
  db: Database,
  { publicUrl, now }: { publicUrl: string; now(): number },
): AskMail {
  return async (request, tx = db) => {
    const whole: MailRequest = {
      redirectTo: publicUrl,
      codeChallenge: null,
      from: null,
      create: null,
      askedAt: now(),
      ...request,
    }
    const to = 'email' in request.to ? normalEmail(request.to.email) : request.to.userId
    // A stranger's request in the PKCE flow must not take the place of the owner's plain one.
    const flow = whole.codeChallenge === null ? '' : ':pkce'
    await enqueue(tx, MAIL_TASK, whole, { key: `${MAIL_TASK}:${request.kind}${flow}:${to}` })
  }
}
