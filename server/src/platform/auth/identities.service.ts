import type { ExternalIdentity } from '../../ports/identity-provider.ts'
import type { Transaction } from './auth.store.ts'
import {
  type AuthContext,
  type AuthenticatedSession,
  type Caller,
  isBanned,
  lockCallingUser,
  minAal,
  requireSufficientAal,
} from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import type { EnqueueMail } from './auth-mail.ts'
import type { IdentityData } from './identities.store.ts'
import { mergedMetadata, providersOf } from './metadata.ts'
import type { AssuranceLevel, AuthUser } from './users.store.ts'

/** The account that an identity is to be linked to: the session that asked, and its level at that time. */
export type LinkTarget = { userId: string; sessionId: string; aal: AssuranceLevel }

/** The AMR method of sessions that an external provider opened. */
export const OAUTH_METHOD = 'oauth'

export type Identities = ReturnType<typeof createIdentities>

type Dependencies = AuthContext & {
  enqueueMail: EnqueueMail
  /** The name in the database and the protocol, and the issuer URL. */
  provider: { id: string; issuer: string }
}

/** Identities at the external provider, and the accounts that they open. */
export function createIdentities(dependencies: Dependencies) {
  const { store, limits, audit, clock, enqueueMail, provider } = dependencies

  function dataOf(person: ExternalIdentity): IdentityData {
    const { subject, email, emailVerified, name, picture } = person
    return {
      iss: provider.issuer,
      sub: subject,
      provider_id: subject,
      email_verified: emailVerified,
      phone_verified: false,
      ...(email !== null && { email }),
      ...(name !== null && { name, full_name: name }),
      ...(picture !== null && { picture, avatar_url: picture }),
    }
  }

  /** Checks the issuer as well: the same name may have stood for another provider, with other subjects. */
  async function findIdentity([tables]: Transaction, { subject }: ExternalIdentity) {
    const found = await tables.identities.find(provider.id, subject)
    return found && isSame(found.issuer, provider.issuer) ? found : undefined
  }

  /** @throws AuthError when the account cannot be signed in to */
  function requireUsable(user: AuthUser | undefined): asserts user is AuthUser {
    if (!user || user.deleted_at) throw new AuthError('signup_disabled')
    if (!user.email_confirmed_at) throw new AuthError('email_not_confirmed')
    if (isBanned(user, clock.now())) throw new AuthError('user_banned')
  }

  /** Stores the names of the sign-in methods in the user's `app_metadata`, `email` first. */
  async function updateProviders(
    [tables]: Transaction,
    userId: string,
  ): Promise<AuthUser | undefined> {
    const user = await tables.users.findById(userId)
    if (!user) return undefined
    const providers = providersOf(user.email !== null, user.identities)
    const app_metadata = mergedMetadata(user.app_metadata, { providers })
    return tables.users.update(userId, { app_metadata })
  }

  /** Links the identity to the user. @returns null when it is linked already */
  async function link(
    transaction: Transaction,
    userId: string,
    person: ExternalIdentity,
    caller: Caller,
  ): Promise<AuthUser | null> {
    const [tables, tx] = transaction
    const { subject, email } = person
    const identity = { user_id: userId, provider: provider.id, subject, email }
    const identity_data = JSON.stringify(dataOf(person))
    if (!(await tables.identities.insert({ ...identity, identity_data }))) return null
    const details = { provider: provider.id }
    await audit.record({ action: 'identity_linked', userId, ...caller, details }, tx)
    await enqueueMail({ kind: 'identity_linked', to: { userId } }, tx)
    return (await updateProviders(transaction, userId)) ?? null
  }

  return {
    /**
     * The account of an identity: the one that it is linked to, whatever its address is; otherwise the one of
     * the same address, if the address is verified on both sides. The latter is linked, unless the user has
     * unlinked the provider before.
     *
     * @throws AuthError
     */
    async resolveUser(
      transaction: Transaction,
      person: ExternalIdentity,
      caller: Caller,
    ): Promise<AuthUser> {
      const [tables] = transaction
      const own = await findIdentity(transaction, person)
      if (own) {
        const user = await tables.users.lock(own.userId)
        requireUsable(user)
        const said = { email: person.email, data: dataOf(person) }
        // It may have been unlinked while this waited for the lock.
        if (!(await tables.identities.recordSignIn(own.id, said))) {
          throw new AuthError('identity_not_found')
        }
        return user
      }
      const { email, emailVerified } = person
      if (email === null || !emailVerified) {
        throw new AuthError('provider_email_needs_verification')
      }
      const found = await tables.users.findByEmail(email)
      const user = found && (await tables.users.lock(found.id))
      requireUsable(user)
      if (user.email !== email) throw new AuthError('signup_disabled')
      // The address belongs to another identity at the provider by now, or two identities there share it.
      if (user.identities.some((identity) => identity.provider === provider.id)) {
        throw new AuthError('identity_already_exists')
      }
      // The user unlinked the provider deliberately: a sign-in does not link it again.
      if (user.unlinked_providers.includes(provider.id)) throw new AuthError('identity_not_found')
      const linked = await link(transaction, user.id, person, caller)
      if (linked) return linked
      // A concurrent sign-in linked it first.
      const now = await findIdentity(transaction, person)
      if (now?.userId !== user.id) throw new AuthError('identity_already_exists')
      return user
    },

    /**
     * Links the identity to the account of the session that asked. Both are proven, so the addresses need not
     * match.
     *
     * @throws AuthError
     */
    async linkIdentity(
      transaction: Transaction,
      { userId, sessionId, aal }: LinkTarget,
      person: ExternalIdentity,
      caller: Caller,
    ): Promise<void> {
      const [tables] = transaction
      await tables.users.lock(userId)
      // A session that ended meanwhile must not be continued.
      const user = await tables.users.findBySession(sessionId)
      if (user?.id !== userId) throw new AuthError('session_not_found')
      // The level is the lower of the two: a request made at aal1 does not get tokens of aal2.
      checkMayLink({ user, sessionId, aal: minAal(aal, user.aal) })
      requireUsable(user)
      if (await link(transaction, userId, person, caller)) return
      const owner = await findIdentity(transaction, person)
      const message = owner?.userId === userId ? 'Identity is already linked' : undefined
      throw new AuthError('identity_already_exists', { ...(message && { message }) })
    },

    checkMayLink,

    /**
     * Unlinks an identity and ends the sessions that it opened, except the current one: the identity may be
     * compromised.
     *
     * @throws AuthError
     */
    async unlink(session: AuthenticatedSession, identityId: string, caller: Caller): Promise<void> {
      const { user, sessionId } = session
      await limits.take({ limit: 'account-change', subject: user.id }).catch(tooManyRequests)
      const ended = await store.transaction(async (...transaction) => {
        const [tables, tx] = transaction
        const { user: current, aal } = await lockCallingUser(tables, session, clock)
        requireSufficientAal({ user: current, aal })
        if (identityId === user.id && current.email !== null) {
          const message = 'The identity of the email address cannot be unlinked'
          throw new AuthError('single_identity_not_deletable', { message })
        }
        const identity = current.identities.find(({ id }) => id === identityId)
        if (!identity) throw new AuthError('identity_not_found')
        const ways = current.identities.length + (current.email === null ? 0 : 1)
        if (ways < 2) throw new AuthError('single_identity_not_deletable')
        await tables.identities.remove(identityId)
        const unlinked = new Set([...current.unlinked_providers, identity.provider])
        await tables.users.update(user.id, { unlinked_providers: [...unlinked] })
        await updateProviders(transaction, user.id)
        const details = { provider: identity.provider }
        const action = 'identity_unlinked'
        await audit.record({ action, userId: user.id, ...caller, details }, tx)
        await enqueueMail({ kind: 'identity_unlinked', to: { userId: user.id } }, tx)
        await tables.tokens.deleteFlowsOfMethod(user.id, OAUTH_METHOD)
        return tables.sessions.end({ userId: user.id, except: sessionId, method: OAUTH_METHOD })
      })
      for (const id of ended) dependencies.onSessionEnded(id)
    },
  }
}

/** Compares issuer URLs, with or without a trailing slash. */
function isSame(one: string | null, other: string): boolean {
  return one !== null && new URL(one).href === new URL(other).href
}

/** Linking requires level aal2 of users with a second factor. @throws AuthError */
function checkMayLink(session: AuthenticatedSession): void {
  requireSufficientAal(session)
  if (session.user.email === null) {
    const message = 'Nothing can be linked to an account without an address'
    throw new AuthError('manual_linking_disabled', { message })
  }
}
