import type { AuthTables } from './auth.store.ts'
import { type AuthContext, isBanned, minAal } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import type { AuthenticatedSession } from './sessions.service.ts'

/**
 * Locks the calling user and their factors until the transaction ends, and reads their current state. It reads
 * in a second step, because a query that waited for its lock may return older rows.
 *
 * @throws AuthError when the session has ended or the user is banned
 */
export async function lockCallingUser(
  { users }: Pick<AuthTables, 'users'>,
  { user, sessionId, aal }: AuthenticatedSession,
  clock: AuthContext['clock'],
): Promise<Pick<AuthenticatedSession, 'user' | 'aal'>> {
  await users.lock(user.id)
  const now = await users.findBySession(sessionId)
  if (now?.id !== user.id || now.deleted_at) throw new AuthError('session_not_found')
  if (isBanned(now, clock.now())) throw new AuthError('user_banned', { status: 403 })
  return { user: now, aal: minAal(aal, now.aal) }
}
