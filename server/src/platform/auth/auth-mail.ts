import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import type { Log } from '../../ports/log.ts'
import { type Mailer, MailerError } from '../../ports/mailer.ts'
import { enqueue, type Task } from '../jobs.ts'
import { type AuthContext, isBanned } from './auth-context.ts'
import { type AuthMail, writeAuthMail } from './mails/auth-mails.ts'
import type { OneTimeTokens } from './one-time-tokens.service.ts'
import { lifetimes, type TokenKind } from './one-time-tokens.ts'
import type { LinkMaker } from './redirect-urls.ts'
import { type AuthUser, normalizeEmail, type UserChange } from './users.store.ts'

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
type NoticeKind = z.infer<typeof NoticeKind>

/**
 * The payload of a mail job. The job looks up the recipient and issues the token: the request is answered
 * before, and takes the same time for an unknown address.
 */
const MailRequest = z.object({
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
type MailRequest = z.infer<typeof MailRequest>

function isNotice(kind: MailRequest['kind']): kind is NoticeKind {
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

type Dependencies = Pick<AuthContext, 'store' | 'settings' | 'clock' | 'audit'> & {
  tokens: OneTimeTokens
  links: LinkMaker
  mailer: Mailer
  log: Pick<Log, 'info' | 'warn'>
}

/** Milliseconds after which a mail that could not be sent is dropped. */
const GIVE_UP_AFTER_MS = 10 * 3600_000

/** Milliseconds for which a requested change of address can be confirmed. */
const EMAIL_CHANGE_VALID_MS = 24 * 3600_000

type ChangeKind = 'email_change_current' | 'email_change_new'

function isChange(kind: TokenKind): kind is ChangeKind {
  return kind === 'email_change_current' || kind === 'email_change_new'
}

/**
 * The column that states when a mail of that kind was last sent. For a change of address, it is set at the
 * request.
 */
const sentAt = {
  signup: 'confirmation_sent_at',
  invite: 'confirmation_sent_at',
  magiclink: 'recovery_sent_at',
  recovery: 'recovery_sent_at',
  reauthentication: 'reauthentication_sent_at',
} as const satisfies Record<Exclude<TokenKind, ChangeKind>, keyof UserChange>

/** The kinds whose mail shows a code to type. */
const kindsWithCode = new Set<TokenKind>(['signup', 'magiclink', 'reauthentication'])

function tokenOf(kind: Exclude<MailRequest['kind'], NoticeKind>): TokenKind {
  if (kind === 'otp') return 'magiclink'
  return kind === 'resend_signup' ? 'signup' : kind
}

/** The job that writes and sends the requested mails. */
export function authMailJob(dependencies: Dependencies): Task['run'] {
  const { store, settings, clock, audit, tokens, links, mailer, log } = dependencies

  async function recipient(request: MailRequest): Promise<AuthUser | undefined> {
    if ('userId' in request.to) return store.users.findById(request.to.userId)
    const { email } = request.to
    const known = await store.users.findByEmail(email)
    if (known || request.kind !== 'otp' || !request.create || !settings.signup) {
      return known
    }
    const { userMetadata } = request.create
    await store.users.insert({ email, passwordHash: null, confirmed: false, userMetadata })
    return store.users.findByEmail(email)
  }

  /** Whether the user has a pending change of address that is recent enough. */
  function isCurrent({ new_email: wanted, email_change_sent_at: asked }: AuthUser): boolean {
    return (
      wanted !== null && asked !== null && clock.now() - Date.parse(asked) < EMAIL_CHANGE_VALID_MS
    )
  }

  /** Null when the user's addresses have changed meanwhile: another mail is enqueued for them. */
  function issue(user: AuthUser, kind: TokenKind, sendTo: string, codeChallenge: string | null) {
    return store.transaction(async (tables, tx) => {
      const now = await tables.users.lock(user.id)
      if (now?.email !== user.email || now.new_email !== user.new_email) return null
      const options = { codeChallenge, withCode: kindsWithCode.has(kind) }
      const issued = await tokens.issue(user, kind, sendTo, options, tables)
      const sent = new Date(clock.now()).toISOString()
      if (!isChange(kind)) await tables.users.update(user.id, { [sentAt[kind]]: sent })
      await audit.record({ action: 'mail_sent', userId: user.id, details: { kind } }, tx)
      return issued
    })
  }

  async function notice(kind: NoticeKind, at: Date, user: AuthUser): Promise<AuthMail> {
    if (kind === 'password_changed') return { kind, at, recoverLink: links.login }
    const told = { at, loginLink: links.login }
    if (kind === 'identity_linked' || kind === 'identity_unlinked') {
      return { kind, ...told, provider: settings.oidc?.name ?? 'un altro servizio' }
    }
    if (kind !== 'recovery_code_used') return { kind, ...told }
    return { kind, ...told, remaining: (await store.recoveryCodes.count(user.id)).remaining }
  }

  /** The recipient and the mail; null when there is no recipient or nothing to send. */
  async function write(request: MailRequest, user: AuthUser): Promise<[string, AuthMail] | null> {
    const { email } = user
    const { kind } = request
    if (isNotice(kind)) {
      const to = request.sendTo ?? email
      if (to === null) return null
      return [to, await notice(kind, new Date(request.askedAt), user)]
    }
    const token = tokenOf(kind)
    if (token === 'signup' && user.email_confirmed_at) {
      if (email === null || kind === 'resend_signup') return null
      return [email, { kind: 'already_registered', loginLink: links.login }]
    }
    // Accepted meanwhile, through an earlier mail or a new password.
    if (token === 'invite' && user.email_confirmed_at) return null
    const sendTo = token === 'email_change_new' ? user.new_email : email
    if (sendTo === null || (isChange(token) && !isCurrent(user))) return null
    const issued = await issue(user, token, sendTo, request.codeChallenge)
    if (!issued) return null
    const validMinutes = lifetimes[token] / 60
    const link = links.forMail(issued.token, token, new URL(request.redirectTo))
    if (token === 'reauthentication') {
      return [sendTo, { kind: token, code: issued.code, validMinutes }]
    }
    if (token === 'signup' || token === 'magiclink') {
      return [sendTo, { kind: token, link, code: issued.code, validMinutes }]
    }
    if (token === 'email_change_current') {
      return [sendTo, { kind: token, link, newEmail: user.new_email ?? '', validMinutes }]
    }
    if (token === 'invite') return [sendTo, { kind: token, link, validMinutes, from: request.from }]
    return [sendTo, { kind: token, link, validMinutes }]
  }

  return async (payload) => {
    const request = MailRequest.parse(payload)
    if (clock.now() - request.askedAt > GIVE_UP_AFTER_MS) {
      log.warn({ mail: request.kind }, 'a mail could not be sent for too long and was given up')
      return
    }
    const user = await recipient(request)
    if (!user || user.deleted_at || isBanned(user, clock.now())) return
    const mail = await write(request, user)
    if (!mail) return
    const [to, content] = mail
    try {
      await mailer.send({ to, ...writeAuthMail(content) })
      log.info({ mail: content.kind }, 'mail sent')
    } catch (error) {
      if (!(error instanceof MailerError) || error.kind === 'unavailable') throw error
      log.warn({ err: error, mail: content.kind }, 'a mail was refused')
    }
  }
}
