import { isTooLong } from '@bancone/contract/passwords'
import { isKnownAddress, UNKNOWN_USER_ID } from './attempt-limits.ts'
import { type AuthContext, type Caller, isBanned } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { loginRateLimits, tooManyRequests } from './auth-limits.ts'
import type { DeviceCookies } from './cookies.ts'
import { verifyPassword } from './passwords.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions } from './sessions.service.ts'
import type { AuthUser } from './users.store.ts'

/** Sign-in with email and password. */
export function createSignIn(
  context: AuthContext & { sessions: AuthSessions; devices: DeviceCookies },
) {
  const { store, limits, audit, clock, sessions, devices } = context

  /** Allows sign-ins from known addresses when failed attempts by others have exhausted the account's limit. */
  async function allowKnownAddress(user: AuthUser | undefined, caller: Caller, why: unknown) {
    const userId = user?.id ?? UNKNOWN_USER_ID
    if (!(await isKnownAddress(context, userId, caller, ['signed_in']))) tooManyRequests(why)
  }

  return {
    /**
     * Takes the same time for known and unknown addresses.
     *
     * @param cookies the `Cookie` header: a device of the account is counted apart @throws AuthError
     */
    async withPassword(
      email: string,
      password: string,
      caller: Caller,
      cookies?: string,
    ): Promise<AuthSession> {
      const user = await store.users.findByEmail(email)
      const device = user && devices.read(cookies, user.id)
      const { pair, wide, account } = loginRateLimits(email, caller.address, device)
      await limits.take(...pair, ...wide).catch(tooManyRequests)
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
        await audit.record({
          action: 'sign_in_failed',
          outcome: 'refused',
          userId: user?.id ?? null,
          ...caller,
        })
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
