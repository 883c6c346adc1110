import type { AuthStore } from './auth.store.ts'
import { AuthError } from './auth-error.ts'
import { emailProviderMetadata, mergedMetadata, providersOf } from './metadata.ts'
import type { AuthUser } from './users.store.ts'

/**
 * Records that one of the two addresses has confirmed, and changes the address once both have.
 *
 * @param now ISO 8601
 * @returns null while the other confirmation is missing
 * @throws a unique violation when the new address was taken meanwhile
 */
export async function confirmEmailChange(
  { users, tokens }: Pick<AuthStore, 'users' | 'tokens'>,
  user: AuthUser,
  kind: 'email_change_current' | 'email_change_new',
  now: string,
): Promise<AuthUser | null> {
  if (user.new_email === null) throw new AuthError('otp_expired')
  const side = kind === 'email_change_current' ? 'current' : 'new'
  const other = side === 'current' ? 'new' : 'current'
  const agreed = user.email === null || user.new_email_confirmed_by === other
  if (!agreed) {
    await users.update(user.id, { new_email_confirmed_by: side })
    return null
  }
  // Links and codes sent to the old address become invalid.
  await tokens.deleteOfUser(user.id)
  return users.update(user.id, {
    email: user.new_email,
    is_anonymous: false,
    app_metadata: mergedMetadata(user.app_metadata, {
      ...emailProviderMetadata,
      providers: providersOf(true, user.identities),
    }),
    email_confirmed_at: now,
    new_email: null,
    new_email_confirmed_by: null,
  })
}
