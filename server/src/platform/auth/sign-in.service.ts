import { isTooLong } from '@bancone/contract/passwords'
import { type AuthContext, type Caller, isBanned } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { loginCounts, tooManyRequests } from './auth-limits.ts'
import { verifyPassword } from './passwords.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions } from './sessions.service.ts'
import type { AuthUser } from './users.store.ts'

/** Days for which an address that an account was opened from is known to be its own. */
const KNOWN_DAYS = 90

const NOBODY = '00000000-0000-0000-0000-000000000000'

export type SignIn = ReturnType<typeof createSignIn>

/** Signing in with address and password. */
export function createSignIn(context: AuthContext & { sessions: AuthSessions }) {
  const { store, limits, audit, clock, sessions } = context

  /** When strangers try an account so often that it is closed to them, its own people still get in. */
  async function letInThoughBusy(user: AuthUser | undefined, caller: Caller, why: unknown) {
    const since = new Date(clock.now() - KNOWN_DAYS * 86_400_000).toISOString()
    // Asked of nobody too: it must take as long.
    const event = { action: 'signed_in', userId: user?.id ?? NOBODY, address: caller.address }
    if (!(await audit.knows(event, since))) tooManyRequests(why)
  }

  return {
    /** In the same time whether the address is known or not. @throws AuthError */
    async withPassword(email: string, password: string, caller: Caller): Promise<AuthSession> {
      const { pair, wide, account } = loginCounts(email, caller.address)
      await limits.take(...pair, ...wide).catch(tooManyRequests)
      const user = await store.users.withEmail(email)
      await limits.take(...account).catch((why: unknown) => letInThoughBusy(user, caller, why))

      const given = isTooLong(password) ? '' : password
      const matches = await verifyPassword(user?.password_hash ?? null, given).catch(
        async (error: unknown) => {
          // That we are busy says nothing of the password.
          await limits.giveBack(...pair, ...wide, ...account)
          throw error
        },
      )
      if (!user || !matches) {
        await audit.record({ action: 'sign_in_failed', userId: user?.id ?? null, ...caller })
        throw new AuthError('invalid_credentials')
      }
      await limits.reset(...pair)
      await limits.giveBack(...wide, ...account)
      if (isBanned(user, clock.now())) throw new AuthError('user_banned')
      if (!user.email_confirmed_at) throw new AuthError('email_not_confirmed')
      return sessions.open(user, 'password', caller)
    },
  }
}
