import { isTooLong } from '@bancone/contract/passwords'
import { type AuthContext, type Caller, isBanned } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { loginRateLimits, tooManyRequests } from './auth-limits.ts'
import { verifyPassword } from './passwords.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions } from './sessions.service.ts'
import type { AuthUser } from './users.store.ts'

/** Days for which an address counts as known after a sign-in from it. */
const KNOWN_DAYS = 90

const UNKNOWN_USER_ID = '00000000-0000-0000-0000-000000000000'

export type SignIn = ReturnType<typeof createSignIn>

/** Sign-in with email and password. */
export function createSignIn(context: AuthContext & { sessions: AuthSessions }) {
  const { store, limits, audit, clock, sessions } = context

  /** Allows sign-ins from known addresses when failed attempts by others have exhausted the account's limit. */
  async function allowKnownAddress(user: AuthUser | undefined, caller: Caller, why: unknown) {
    const since = new Date(clock.now() - KNOWN_DAYS * 86_400_000).toISOString()
    // Queried for an unknown user too, so that it takes the same time.
    const event = {
      action: 'signed_in',
      userId: user?.id ?? UNKNOWN_USER_ID,
      address: caller.address,
    }
    if (!(await audit.exists(event, since))) tooManyRequests(why)
  }

  return {
    /** Takes the same time for known and unknown addresses. @throws AuthError */
    async withPassword(email: string, password: string, caller: Caller): Promise<AuthSession> {
      const { pair, wide, account } = loginRateLimits(email, caller.address)
      await limits.take(...pair, ...wide).catch(tooManyRequests)
      const user = await store.users.findByEmail(email)
      await limits.take(...account).catch((why: unknown) => allowKnownAddress(user, caller, why))

      const given = isTooLong(password) ? '' : password
      const matches = await verifyPassword(user?.password_hash ?? null, given).catch(
        async (error: unknown) => {
          // A full queue is no failed attempt.
          await limits.refund(...pair, ...wide, ...account)
          throw error
        },
      )
      if (!user || !matches) {
        await audit.record({ action: 'sign_in_failed', userId: user?.id ?? null, ...caller })
        throw new AuthError('invalid_credentials')
      }
      await limits.reset(...pair)
      await limits.refund(...wide, ...account)
      if (isBanned(user, clock.now())) throw new AuthError('user_banned')
      if (!user.email_confirmed_at) throw new AuthError('email_not_confirmed')
      return sessions.open(user, 'password', caller)
    },
  }
}
