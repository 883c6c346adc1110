import type { AuthTables } from './auth.store.ts'
import { type AuthContext, isBanned, lowerLevel } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import type { SignedIn } from './sessions.service.ts'

/**
 * Who calls, as they are now: until the transaction ends nobody else changes them, nor their factors. Read
 * in two steps, since what is read with a lock may be of before the wait for it.
 *
 * @throws AuthError when what ended their session meanwhile was meant to end this too
 */
export async function callingUser(
  { users }: Pick<AuthTables, 'users'>,
  { user, sessionId, aal }: SignedIn,
  clock: AuthContext['clock'],
): Promise<Pick<SignedIn, 'user' | 'aal'>> {
  await users.lock(user.id)
  const now = await users.ofSession(sessionId)
  if (now?.id !== user.id || now.deleted_at) throw new AuthError('session_not_found')
  if (isBanned(now, clock.now())) throw new AuthError('user_banned', { status: 403 })
  return { user: now, aal: lowerLevel(aal, now.aal) }
}
