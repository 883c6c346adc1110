import { type AuthContext, type Caller, needFactor } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyMails, tooManyRequests } from './auth-limits.ts'
import type { AskMail } from './auth-mail.ts'
import { callingUser } from './calling-user.ts'
import { mergedMetadata } from './metadata.ts'
import { checkPassword } from './password-rules.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import type { Presence, Proof } from './presence.ts'
import type { LinkWishes } from './requests.service.ts'
import type { SignedIn } from './sessions.service.ts'
import { type AuthUserJson, userJson } from './user-json.ts'
import { type AuthUser, normalEmail, type UserChange } from './users.store.ts'

/** What somebody may change of their own account. */
export type AccountChange = Proof & {
  email?: string | undefined
  password?: string | undefined
  data?: Record<string, unknown> | undefined
}

export type Account = ReturnType<typeof createAccount>

type Dependencies = AuthContext & { askMail: AskMail; presence: Presence }

/** What somebody who is signed in does with their own account. */
export function createAccount(dependencies: Dependencies) {
  const { store, limits, audit, clock, askMail, presence } = dependencies

  /** Apart from what strangers ask for: they cannot keep the owner of a session from their mails. */
  async function countMail(user: AuthUser, caller: Caller): Promise<void> {
    await limits.take({ limit: 'mail-address', of: caller.address }).catch(tooManyRequests)
    await limits.take({ limit: 'own-mail-interval', of: user.id }).catch(tooManyMails)
  }

  async function newPassword(
    session: SignedIn,
    change: AccountChange,
    password: string,
    caller: Caller,
  ) {
    const { user } = session
    await checkPassword(password, user.email)
    const isProven = await presence.prove(session, change, caller)
    if (!isProven) await presence.needFresh(session, 'Password update')
    if (user.password_hash && (await verifyPassword(user.password_hash, password))) {
      throw new AuthError('same_password')
    }
    return hashPassword(password)
  }

  /** @returns the new address, or undefined when it is the one there is */
  async function newEmail(user: AuthUser, email: string, caller: Caller) {
    const wanted = normalEmail(email)
    if (wanted === user.email) return undefined
    // Whose addresses there are is not for anybody to find out one by one.
    const guess = { limit: 'address-check', of: user.id } as const
    await limits.take(guess).catch(tooManyRequests)
    if (await store.users.withEmail(wanted)) throw new AuthError('email_exists')
    await limits.giveBack(guess)
    await countMail(user, caller)
    return wanted
  }

  return {
    async change(
      session: SignedIn,
      change: AccountChange,
      wishes: LinkWishes,
      caller: Caller,
    ): Promise<AuthUserJson> {
      const { user, sessionId } = session
      await limits.take({ limit: 'account-change', of: user.id }).catch(tooManyRequests)
      const { email, password, data } = change
      // The protocol asks it of address and password alone; but under the name others are told who did what.
      needFactor(session, 401)
      // A proof by itself is one for what comes next: a first factor, another service.
      if (password === undefined) await presence.prove(session, change, caller)
      const passwordHash =
        password === undefined ? undefined : await newPassword(session, change, password, caller)
      const wanted = email === undefined ? undefined : await newEmail(user, email, caller)
      // Whoever wants the address they have, wants no other any more.
      const staying = email !== undefined && wanted === undefined

      const [changed, ended] = await store.transaction(async (tables, tx) => {
        const now = new Date(clock.now()).toISOString()
        const { user: current, aal } = await callingUser(tables, session, clock)
        needFactor({ user: current, aal }, 401)
        const columns: UserChange = {
          ...(data && { user_metadata: mergedMetadata(current.user_metadata, data) }),
          // A change of address that somebody else began ends with the old password.
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
          await tables.tokens.forgetOfUser(user.id)
          await audit.record({ action: 'password_changed', ...who }, tx)
          await askMail({ kind: 'password_changed', to: { userId: user.id } }, tx)
        }
        if (email !== undefined) {
          // A link to the address wanted before must not agree for this one.
          await tables.tokens.forgetOfUser(user.id, ['email_change_current', 'email_change_new'])
        }
        if (wanted !== undefined) {
          const to = { userId: user.id }
          await audit.record({ action: 'email_change_asked', ...who }, tx)
          await askMail({ kind: 'email_change_new', to, ...wishes }, tx)
          if (user.email) await askMail({ kind: 'email_change_current', to, ...wishes }, tx)
        }
        return [await tables.users.update(user.id, columns), others] as const
      })
      for (const id of ended) dependencies.onSessionEnded(id)
      return userJson(changed)
    },

    /** Sends a code that proves it is still them. */
    async reauthenticate({ user }: SignedIn, caller: Caller): Promise<void> {
      if (user.email === null) {
        throw new AuthError('validation_failed', { message: 'There is no address to send it to' })
      }
      await countMail(user, caller)
      await askMail({ kind: 'reauthentication', to: { userId: user.id } })
    },
  }
}
