import type { ExternalPerson } from '../../ports/identity-provider.ts'
import type { Transaction } from './auth.store.ts'
import { type AuthContext, type Caller, isBanned, lowerLevel, needFactor } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import type { AskMail } from './auth-mail.ts'
import { callingUser } from './calling-user.ts'
import type { IdentityData } from './identities.store.ts'
import { mergedMetadata, providersOf } from './metadata.ts'
import type { SignedIn } from './sessions.service.ts'
import type { AssuranceLevel, AuthUser } from './users.store.ts'

/** Who asked for an identity to be linked: in which session, and of which level. */
export type Linker = { userId: string; sessionId: string; aal: AssuranceLevel }

/** How a session says that it was begun with another service. */
export const EXTERNAL = 'oauth'

export type Identities = ReturnType<typeof createIdentities>

type Dependencies = AuthContext & {
  askMail: AskMail
  /** As it is stored and as the protocol names it. */
  provider: { id: string; issuer: string }
}

/** Who somebody of the other service is here. */
export function createIdentities(dependencies: Dependencies) {
  const { store, limits, audit, clock, askMail, provider } = dependencies

  function dataOf(person: ExternalPerson): IdentityData {
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

  /** Under the name of this provider there may have been another: their subjects are not this one's. */
  async function known([tables]: Transaction, { subject }: ExternalPerson) {
    const found = await tables.identities.find(provider.id, subject)
    return found && isSame(found.issuer, provider.issuer) ? found : undefined
  }

  /** What a person is not let in for, whatever they prove. */
  function refuse(user: AuthUser | undefined): asserts user is AuthUser {
    if (!user || user.deleted_at) throw new AuthError('signup_disabled')
    if (!user.email_confirmed_at) throw new AuthError('email_not_confirmed')
    if (isBanned(user, clock.now())) throw new AuthError('user_banned')
  }

  /** The ways in are part of what everybody may read of the user; the address with the password is first. */
  async function tellWays([tables]: Transaction, userId: string): Promise<AuthUser | undefined> {
    const user = await tables.users.withId(userId)
    if (!user) return undefined
    const providers = providersOf(user.email !== null, user.identities)
    const app_metadata = mergedMetadata(user.app_metadata, { providers })
    return tables.users.update(userId, { app_metadata })
  }

  /**
   * From now on they come in with it.
   *
   * @returns null when it opens an account already
   */
  async function link(
    transaction: Transaction,
    userId: string,
    person: ExternalPerson,
    caller: Caller,
  ): Promise<AuthUser | null> {
    const [tables, tx] = transaction
    const { subject, email } = person
    const identity = { userId, provider: provider.id, subject, email, data: dataOf(person) }
    if (!(await tables.identities.insert(identity))) return null
    const details = { provider: provider.id }
    await audit.record({ action: 'identity_linked', userId, ...caller, details }, tx)
    await askMail({ kind: 'identity_linked', to: { userId } }, tx)
    return (await tellWays(transaction, userId)) ?? null
  }

  return {
    /**
     * Whose account opens to them: the one it is linked to, whatever address they have there by now; else
     * the one of their address, if both sides know that it is theirs. That one is then linked, unless it has
     * been unlinked before.
     *
     * @throws AuthError
     */
    async letIn(
      transaction: Transaction,
      person: ExternalPerson,
      caller: Caller,
    ): Promise<AuthUser> {
      const [tables] = transaction
      const own = await known(transaction, person)
      if (own) {
        const user = await tables.users.lock(own.userId)
        refuse(user)
        const said = { email: person.email, data: dataOf(person) }
        // It may have been unlinked while this waited for the lock.
        if (!(await tables.identities.used(own.id, said))) throw new AuthError('identity_not_found')
        return user
      }
      const { email, emailVerified } = person
      if (email === null || !emailVerified) {
        throw new AuthError('provider_email_needs_verification')
      }
      const found = await tables.users.withEmail(email)
      const user = found && (await tables.users.lock(found.id))
      refuse(user)
      if (user.email !== email) throw new AuthError('signup_disabled')
      // The address has passed to somebody else there, or one of two accounts there is not its owner's.
      if (user.identities.some((identity) => identity.provider === provider.id)) {
        throw new AuthError('identity_already_exists')
      }
      // They have unlinked it, and did not mean until the next sign-in.
      if (user.unlinked_providers.includes(provider.id)) throw new AuthError('identity_not_found')
      const linked = await link(transaction, user.id, person, caller)
      if (linked) return linked
      // Two sign-ins at once, and the other one was first.
      const now = await known(transaction, person)
      if (now?.userId !== user.id) throw new AuthError('identity_already_exists')
      return user
    },

    /**
     * Links it to whoever is signed in and asks for it, who has proved to be both: addresses do not matter.
     *
     * @throws AuthError
     */
    async linkTo(
      transaction: Transaction,
      { userId, sessionId, aal }: Linker,
      person: ExternalPerson,
      caller: Caller,
    ): Promise<void> {
      const [tables] = transaction
      await tables.users.lock(userId)
      // What ended the session meanwhile was meant to end this as well.
      const user = await tables.users.ofSession(sessionId)
      if (user?.id !== userId) throw new AuthError('session_not_found')
      // Who asked before the session was lifted does not get it back as it is now.
      checkMayLink({ user, sessionId, aal: lowerLevel(aal, user.aal) })
      refuse(user)
      if (await link(transaction, userId, person, caller)) return
      const owner = await known(transaction, person)
      const message = owner?.userId === userId ? 'Identity is already linked' : undefined
      throw new AuthError('identity_already_exists', { ...(message && { message }) })
    },

    checkMayLink,

    /**
     * Whoever came in with it is out again, but for whoever unlinks it: it may have been in other hands.
     *
     * @throws AuthError
     */
    async unlink(session: SignedIn, identityId: string, caller: Caller): Promise<void> {
      const { user, sessionId } = session
      await limits.take({ limit: 'account-change', of: user.id }).catch(tooManyRequests)
      const ended = await store.transaction(async (...transaction) => {
        const [tables, tx] = transaction
        const { user: current, aal } = await callingUser(tables, session, clock)
        needFactor({ user: current, aal })
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
        await tellWays(transaction, user.id)
        const details = { provider: identity.provider }
        const action = 'identity_unlinked'
        await audit.record({ action, userId: user.id, ...caller, details }, tx)
        await askMail({ kind: 'identity_unlinked', to: { userId: user.id } }, tx)
        await tables.tokens.forgetFlowsOfMethod(user.id, EXTERNAL)
        return tables.sessions.end({ userId: user.id, except: sessionId, method: EXTERNAL })
      })
      for (const id of ended) dependencies.onSessionEnded(id)
    },
  }
}

/** The address of an issuer is the same with a slash after its name and without. */
function isSame(one: string | null, other: string): boolean {
  return one !== null && new URL(one).href === new URL(other).href
}

/** A way in is added by whoever has shown all they have. @throws AuthError */
function checkMayLink(session: SignedIn): void {
  needFactor(session)
  if (session.user.email === null) {
    const message = 'Nothing can be linked to an account without an address'
    throw new AuthError('manual_linking_disabled', { message })
  }
}
