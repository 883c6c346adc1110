import { createHmac } from 'node:crypto'
import type { AuthContext, Caller } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { mailCounts, tooManyMails, tooManyRequests } from './auth-limits.ts'
import type { AskMail } from './auth-mail.ts'
import { byEmail } from './metadata.ts'
import { checkPassword } from './password-rules.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions } from './sessions.service.ts'
import { type AuthUserJson, userJson } from './user-json.ts'
import { type AuthUser, normalEmail } from './users.store.ts'

/** Where a link leads, and the proof the client will bring (PKCE). */
export type LinkWishes = { redirectTo: string; codeChallenge: string | null }

export type Requests = ReturnType<typeof createRequests>

type Dependencies = AuthContext & {
  askMail: AskMail
  sessions: AuthSessions
  signupAllowed: boolean
  anonymousAllowed: boolean
  /** What the ids of those who sign up are made from. */
  idKey: Buffer
}

/**
 * What anybody may ask for without a session. Every answer is the same, and takes as long, whether the
 * address is known or not: what follows is found out by the job that writes the mail.
 */
export function createRequests(dependencies: Dependencies) {
  const { store, limits, audit, askMail, clock } = dependencies

  /** The same address gets the same id, so that signing up twice does not tell who was there before. */
  function idOf(email: string): string {
    const bytes = createHmac('sha256', dependencies.idKey).update(normalEmail(email)).digest()
    const hex = bytes.toString('hex', 0, 16)
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `8${hex.slice(13, 16)}`,
      `a${hex.slice(17, 20)}`,
      hex.slice(20),
    ].join('-')
  }

  async function countMail(email: string, caller: Caller): Promise<void> {
    const { network, account } = mailCounts(email, caller.address)
    await limits.take(...network).catch(tooManyRequests)
    await limits.take(...account).catch(tooManyMails)
  }

  return {
    /** @returns the user as they would be, made or not */
    async signUp(
      email: string,
      password: string,
      userMetadata: Record<string, unknown>,
      wishes: LinkWishes,
      caller: Caller,
    ): Promise<AuthUserJson> {
      if (!dependencies.signupAllowed) throw new AuthError('signup_disabled')
      await checkPassword(password, email)
      await countMail(email, caller)
      const passwordHash = await hashPassword(password)
      const before = await store.users.withEmail(email)
      const samePassword = await verifyPassword(before?.password_hash ?? null, password)
      const answer = newcomer(idOf(email), email, userMetadata, clock.now())
      await store.transaction(async ({ users }, tx) => {
        const user = { email, passwordHash, confirmed: false, userMetadata }
        const made = await users.insert({ ...user, id: answer.id })
        const known = made ?? (await users.withEmail(email))
        // Another account may have had this id before, and have been deleted since.
        if (!known) await users.insert(user)
        // Which of two who typed different passwords is the owner, nobody knows: neither counts, and the
        // link lets the owner in.
        if (
          !made &&
          known &&
          known.id === answer.id &&
          !known.email_confirmed_at &&
          !samePassword
        ) {
          await users.update(known.id, { password_hash: null })
        }
        await askMail({ kind: 'signup', to: { email }, ...wishes }, tx)
        await audit.record({ action: 'sign_up_asked', userId: known?.id ?? null, ...caller }, tx)
      })
      return userJson(answer)
    },

    async signUpAnonymously(
      userMetadata: Record<string, unknown>,
      caller: Caller,
    ): Promise<AuthSession> {
      if (!dependencies.anonymousAllowed) throw new AuthError('anonymous_provider_disabled')
      const of = caller.address
      await limits.take({ limit: 'anonymous-address', of }).catch(tooManyRequests)
      const user = await store.users.insert({
        email: null,
        passwordHash: null,
        confirmed: false,
        isAnonymous: true,
        userMetadata,
      })
      if (!user) throw new AuthError('unexpected_failure')
      return dependencies.sessions.open(user, 'anonymous', caller)
    },

    /** A link and a code to sign in with. @param userMetadata null: only somebody who exists */
    async otp(
      email: string,
      userMetadata: Record<string, unknown> | null,
      wishes: LinkWishes,
      caller: Caller,
    ): Promise<void> {
      await countMail(email, caller)
      const create = userMetadata && { userMetadata }
      await askMail({ kind: 'otp', to: { email }, create, ...wishes })
    },

    async recover(email: string, wishes: LinkWishes, caller: Caller): Promise<void> {
      await countMail(email, caller)
      await askMail({ kind: 'recovery', to: { email }, ...wishes })
      await audit.record({ action: 'recovery_asked', userId: null, ...caller })
    },

    async resend(
      email: string,
      type: 'signup' | 'email_change',
      wishes: LinkWishes,
      caller: Caller,
    ): Promise<void> {
      await countMail(email, caller)
      const to = { email }
      if (type === 'signup') return askMail({ kind: 'resend_signup', to, ...wishes })
      await askMail({ kind: 'email_change_current', to, ...wishes })
      await askMail({ kind: 'email_change_new', to, ...wishes })
    },
  }
}

/** What a user looks like who has just signed up, whether the address was free or not. */
function newcomer(
  id: string,
  email: string,
  userMetadata: Record<string, unknown>,
  at: number,
): AuthUser {
  const now = new Date(at).toISOString()
  return {
    id,
    email: normalEmail(email),
    password_hash: null,
    email_confirmed_at: null,
    banned_until: null,
    last_sign_in_at: null,
    app_metadata: byEmail,
    user_metadata: userMetadata,
    is_anonymous: false,
    invited_at: null,
    confirmation_sent_at: now,
    recovery_sent_at: null,
    reauthentication_sent_at: null,
    new_email: null,
    new_email_confirmed_by: null,
    email_change_sent_at: null,
    deleted_at: null,
    unlinked_providers: [],
    created_at: now,
    updated_at: now,
    factors: [],
    identities: [],
  }
}
