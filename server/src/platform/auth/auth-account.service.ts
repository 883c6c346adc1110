import {
  type AuthContext,
  type AuthenticatedSession,
  type Caller,
  lockCallingUser,
  requireSufficientAal,
} from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyMails, tooManyRequests } from './auth-limits.ts'
import type { EnqueueMail } from './auth-mail.ts'
import type { LinkOptions } from './email-flows.service.ts'
import { mergedMetadata } from './metadata.ts'
import { checkPassword, hashPassword, verifyPassword } from './passwords.ts'
import type { Reauthentication, ReauthenticationProof } from './reauthentication.ts'
import { type AuthUserJson, userJson } from './user-json.ts'
import { type AuthUser, normalizeEmail, type UserChange } from './users.store.ts'

/** The changes that a signed-in user may make to their own account. */
export type AccountChange = ReauthenticationProof & {
  email?: string | undefined
  password?: string | undefined
  data?: Record<string, unknown> | undefined
}

type Dependencies = AuthContext & {
  enqueueMail: EnqueueMail
  reauthentication: Reauthentication
}

/** The operations of a signed-in user on their own account. */
export function createAccount(dependencies: Dependencies) {
  const { store, settings, limits, audit, clock, enqueueMail, reauthentication } = dependencies

  /** Counted apart from unauthenticated requests, which cannot exhaust the mails of a signed-in user. */
  async function countMail(user: AuthUser, caller: Caller): Promise<void> {
    await limits.take({ limit: 'mail-address', subject: caller.address }).catch(tooManyRequests)
    await limits.take({ limit: 'own-mail-interval', subject: user.id }).catch(tooManyMails)
  }

  async function newPassword(
    session: AuthenticatedSession,
    change: AccountChange,
    password: string,
    caller: Caller,
  ) {
    const { user } = session
    await checkPassword(password, user.email)
    const isProven = await reauthentication.verify(session, change, caller)
    if (!isProven) {
      await reauthentication.requireRecent(session, 'Password update')
      if (settings.currentPassword === 'required' && user.password_hash) {
        await reauthentication.requireMailProof(session)
      }
    }
    if (user.password_hash && (await verifyPassword(user.password_hash, password))) {
      throw new AuthError('same_password')
    }
    return hashPassword(password)
  }

  /** @returns the new address, or undefined when it equals the current one */
  async function newEmail(user: AuthUser, email: string, caller: Caller) {
    const wanted = normalizeEmail(email)
    if (wanted === user.email) return undefined
    // Counted, because the answer reveals whether an address has an account.
    const guess = { limit: 'address-check', subject: user.id } as const
    await limits.take(guess).catch(tooManyRequests)
    if (await store.users.findByEmail(wanted)) throw new AuthError('email_exists')
    await limits.refund(guess)
    await countMail(user, caller)
    return wanted
  }

  return {
    async change(
      session: AuthenticatedSession,
      change: AccountChange,
      options: LinkOptions,
      caller: Caller,
    ): Promise<AuthUserJson> {
      const { user, sessionId } = session
      await limits.take({ limit: 'account-change', subject: user.id }).catch(tooManyRequests)
      const { email, password, data } = change
      // GoTrue requires it for email and password alone. It is required for the name as well, because other
      // users see who did what under that name.
      requireSufficientAal(session, 401)
      // Without a new password, a proof is given for the next call: enrolling a first factor, or linking an
      // identity.
      if (password === undefined) await reauthentication.verify(session, change, caller)
      const passwordHash =
        password === undefined ? undefined : await newPassword(session, change, password, caller)
      const wanted = email === undefined ? undefined : await newEmail(user, email, caller)
      // Asking for the current address cancels a pending change of address.
      const staying = email !== undefined && wanted === undefined

      const [changed, ended] = await store.transaction(async (tables, tx) => {
        const now = new Date(clock.now()).toISOString()
        const { user: current, aal } = await lockCallingUser(tables, session, clock)
        requireSufficientAal({ user: current, aal }, 401)
        const columns: UserChange = {
          ...(data && { user_metadata: mergedMetadata(current.user_metadata, data) }),
          // A new password cancels a pending change of address, which another person may have begun.
          ...(passwordHash !== undefined && {
            password_hash: passwordHash,
            new_email: null,
            new_email_confirmed_by: null,
          }),
          ...(wanted !== undefined && {
            new_email: wanted,
            new_email_confirmed_by: null,
            email_change_sent_at: now,
          }),
          ...(staying && { new_email: null, new_email_confirmed_by: null }),
        }
        const who = { userId: user.id, ...caller }
        let others: string[] = []
        if (passwordHash !== undefined) {
          others = await tables.sessions.end({ userId: user.id, except: sessionId })
          await tables.tokens.deleteOfUser(user.id)
          await audit.record({ action: 'password_changed', ...who }, tx)
          await enqueueMail({ kind: 'password_changed', to: { userId: user.id } }, tx)
        }
        if (email !== undefined) {
          // A link to the address asked for before must not confirm this one.
          await tables.tokens.deleteOfUser(user.id, ['email_change_current', 'email_change_new'])
        }
        if (wanted !== undefined) {
          const to = { userId: user.id }
          await audit.record({ action: 'email_change_asked', ...who }, tx)
          await enqueueMail({ kind: 'email_change_new', to, ...options }, tx)
          if (user.email) await enqueueMail({ kind: 'email_change_current', to, ...options }, tx)
        }
        return [await tables.users.update(user.id, columns), others] as const
      })
      for (const id of ended) dependencies.onSessionEnded(id)
      return userJson(changed)
    },

    /** Sends a reauthentication nonce by mail. */
    async reauthenticate({ user }: AuthenticatedSession, caller: Caller): Promise<void> {
      if (user.email === null) {
        const message = 'Reauthentication requires the user to have an email or a phone number'
        throw new AuthError('validation_failed', { message })
      }
      await countMail(user, caller)
      await enqueueMail({ kind: 'reauthentication', to: { userId: user.id } })
    },
  }
}
