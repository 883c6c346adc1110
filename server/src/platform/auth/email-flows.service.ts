import { createHmac } from 'node:crypto'
import type { AuthContext, Caller } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { mailRateLimits, tooManyMails, tooManyRequests } from './auth-limits.ts'
import type { EnqueueMail } from './auth-mail.ts'
import { emailProviderMetadata } from './metadata.ts'
import { checkPassword, hashPassword, verifyPassword } from './passwords.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions } from './sessions.service.ts'
import { type AuthUserJson, userJson } from './user-json.ts'
import { normalizeEmail } from './users.store.ts'

/** The redirect target of a link, and the client's PKCE code challenge. */
export type LinkOptions = { redirectTo: string; codeChallenge: string | null }

type Dependencies = AuthContext & {
  enqueueMail: EnqueueMail
  sessions: AuthSessions
}

/**
 * Sign-up, one-time passwords, recovery and resends: calls without a session. Their answers and their duration
 * are the same for known and unknown addresses; the mail job finds out which it is.
 */
export function createEmailFlows(dependencies: Dependencies) {
  const { store, secrets, settings, limits, audit, enqueueMail, clock } = dependencies
  const idKey = secrets.key('ids of those who sign up')

  /**
   * Derives the id from the address: a second sign-up returns the same id, and so does not reveal an existing
   * account.
   */
  function idOf(email: string): string {
    const bytes = createHmac('sha256', idKey).update(normalizeEmail(email)).digest()
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
    const { network, account } = mailRateLimits(email, caller.address)
    await limits.take(...network).catch(tooManyRequests)
    await limits.take(...account).catch(tooManyMails)
  }

  return {
    /** @returns the user as a new sign-up would have it, created or not */
    async signUp(
      email: string,
      password: string,
      userMetadata: Record<string, unknown>,
      options: LinkOptions,
      caller: Caller,
    ): Promise<AuthUserJson> {
      if (!settings.signup) throw new AuthError('signup_disabled')
      await checkPassword(password, email)
      await countMail(email, caller)
      const passwordHash = await hashPassword(password)
      const before = await store.users.findByEmail(email)
      const samePassword = await verifyPassword(before?.password_hash ?? null, password)
      const answer = newcomer(idOf(email), email, userMetadata, clock.now())
      await store.transaction(async ({ users }, tx) => {
        const user = { email, passwordHash, confirmed: false, userMetadata }
        const made = await users.insert({ ...user, id: answer.id })
        const known = made ?? (await users.findByEmail(email))
        // A deleted account may have had this id.
        if (!known) await users.insert(user)
        // Of two sign-ups with different passwords, either may be the owner's. Both passwords are dropped; the
        // link in the mail lets the owner in.
        if (
          !made &&
          known &&
          known.id === answer.id &&
          !known.email_confirmed_at &&
          !samePassword
        ) {
          await users.update(known.id, { password_hash: null })
        }
        await enqueueMail({ kind: 'signup', to: { email }, ...options }, tx)
        await audit.record({ action: 'sign_up_asked', userId: known?.id ?? null, ...caller }, tx)
      })
      return userJson(answer)
    },

    async signUpAnonymously(
      userMetadata: Record<string, unknown>,
      caller: Caller,
    ): Promise<AuthSession> {
      if (!settings.anonymous) throw new AuthError('anonymous_provider_disabled')
      const subject = caller.address
      await limits.take({ limit: 'anonymous-address', subject }).catch(tooManyRequests)
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

    /** Requests a link and a code to sign in with. @param userMetadata null: does not create a user */
    async otp(
      email: string,
      userMetadata: Record<string, unknown> | null,
      options: LinkOptions,
      caller: Caller,
    ): Promise<void> {
      await countMail(email, caller)
      const create = userMetadata && { userMetadata }
      await enqueueMail({ kind: 'otp', to: { email }, create, ...options })
    },

    async recover(email: string, options: LinkOptions, caller: Caller): Promise<void> {
      await countMail(email, caller)
      await enqueueMail({ kind: 'recovery', to: { email }, ...options })
      await audit.record({ action: 'recovery_asked', userId: null, ...caller })
    },

    async resend(
      email: string,
      type: 'signup' | 'email_change',
      options: LinkOptions,
      caller: Caller,
    ): Promise<void> {
      await countMail(email, caller)
      const to = { email }
      if (type === 'signup') return enqueueMail({ kind: 'resend_signup', to, ...options })
      await enqueueMail({ kind: 'email_change_current', to, ...options })
      await enqueueMail({ kind: 'email_change_new', to, ...options })
    },
  }
}

/** A new user as the client sees them, whether the address was free or not. */
function newcomer(id: string, email: string, userMetadata: Record<string, unknown>, at: number) {
  const now = new Date(at).toISOString()
  return {
    id,
    email: normalizeEmail(email),
    app_metadata: emailProviderMetadata,
    user_metadata: userMetadata,
    is_anonymous: false,
    confirmation_sent_at: now,
    created_at: now,
    updated_at: now,
    factors: [],
    identities: [],
  }
}
