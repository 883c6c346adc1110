import type { AuthUser, UserFactor, UserIdentity } from './users.store.ts'

type ShownUser = Partial<AuthUser> &
  Pick<
    AuthUser,
    | 'id'
    | 'email'
    | 'app_metadata'
    | 'user_metadata'
    | 'is_anonymous'
    | 'created_at'
    | 'updated_at'
    | 'factors'
    | 'identities'
  >

/** A user in the protocol's format. */
export type AuthUserJson = ReturnType<typeof userJson>

/** What is null or absent in the user is omitted. */
export function userJson(user: ShownUser) {
  const email = user.email ?? ''
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    ...ifPresent('email_confirmed_at', user.email_confirmed_at),
    ...ifPresent('confirmed_at', user.email_confirmed_at),
    ...ifPresent('invited_at', user.invited_at),
    ...ifPresent('confirmation_sent_at', user.confirmation_sent_at),
    ...ifPresent('recovery_sent_at', user.recovery_sent_at),
    ...ifPresent('reauthentication_sent_at', user.reauthentication_sent_at),
    ...ifPresent('new_email', user.new_email),
    ...ifPresent('email_change_sent_at', user.email_change_sent_at),
    ...ifPresent('last_sign_in_at', user.last_sign_in_at),
    ...ifPresent('banned_until', user.banned_until),
    ...ifPresent('deleted_at', user.deleted_at),
    app_metadata: user.app_metadata,
    user_metadata: user.user_metadata,
    identities: [
      ...(user.email === null ? [] : [emailIdentity(user, user.email)]),
      ...user.identities.map((identity) => identityJson(user.id, identity)),
    ],
    ...(user.factors.length > 0 && { factors: user.factors.map(factorJson) }),
    created_at: user.created_at,
    updated_at: user.updated_at,
    is_anonymous: user.is_anonymous,
  }
}

function ifPresent(name: string, value: string | null | undefined): Record<string, string> {
  return value ? { [name]: value } : {}
}

/** A factor in the protocol's format. */
export function factorJson(factor: UserFactor) {
  const { id, factor_type, status, created_at, updated_at } = factor
  return {
    id,
    ...ifPresent('friendly_name', factor.friendly_name),
    factor_type,
    status,
    created_at,
    updated_at,
    ...ifPresent('last_challenged_at', factor.last_challenged_at),
  }
}

function identityJson(userId: string, identity: UserIdentity) {
  const { id, subject, provider, email } = identity
  return {
    identity_id: id,
    id: subject,
    user_id: userId,
    identity_data: identity.identity_data,
    provider,
    last_sign_in_at: identity.last_sign_in_at,
    created_at: identity.created_at,
    updated_at: identity.updated_at,
    ...ifPresent('email', email),
  }
}

function emailIdentity(user: ShownUser, email: string) {
  return {
    identity_id: user.id,
    id: user.id,
    user_id: user.id,
    identity_data: {
      sub: user.id,
      email,
      email_verified: Boolean(user.email_confirmed_at),
      phone_verified: false,
    },
    provider: 'email',
    last_sign_in_at: user.last_sign_in_at ?? null,
    created_at: user.created_at,
    updated_at: user.updated_at,
    email,
  }
}
