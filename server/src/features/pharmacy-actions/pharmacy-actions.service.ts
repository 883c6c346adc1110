import type { PharmacyAccount } from '@bancone/contract/pharmacy-actions'
import { rethrowAccountError } from '../../account-errors.ts'
import { AppError } from '../../app-error.ts'
import type { AdminSession } from '../../http/serve.ts'
import type { Actor } from '../../platform/auth/admin.service.ts'
import type { AuthService } from '../../platform/auth/auth.service.ts'
import type { PharmacyActionsStore } from './pharmacy-actions.store.ts'

/** Client address and `User-Agent` of a request. */
type Origin = { ip: string; agent: string | undefined }

type Dependencies = {
  store: PharmacyActionsStore
  auth: Pick<AuthService, 'factors' | 'invitedUsers' | 'reauthentication' | 'users'>
  actorOf(userId: string, pharmacyId: string, origin: Origin): Actor
  /** The pages on which an invited user chooses a password, and one who has forgotten theirs. */
  pages: { invitation: URL; recovery: URL }
}

export type PharmacyActions = ReturnType<typeof createPharmacyActions>

/** What administrators do for the own account of a pharmacy. */
export function createPharmacyActions({ store, auth, actorOf, pages }: Dependencies) {
  /** An open session must not suffice to take an account over. */
  async function requireFresh(session: AdminSession): Promise<void> {
    await auth.reauthentication
      .requireRecent(session, 'Administration of users')
      .catch(rethrowAccountError)
  }

  const inviteAgain = (pharmacyId: string, actor: Actor) =>
    auth.invitedUsers.inviteAgain(
      pharmacyId,
      { from: null, redirectTo: pages.invitation },
      actor,
      async () => {},
    )

  return {
    async resetFactors(
      session: AdminSession,
      pharmacyId: string,
      origin: Origin,
    ): Promise<PharmacyAccount> {
      await requireFresh(session)
      await store.account(pharmacyId)
      await auth.factors.removeAllForUser(pharmacyId, actorOf(session.userId, pharmacyId, origin))
      return store.account(pharmacyId)
    },

    async sendLink(
      session: AdminSession,
      pharmacyId: string,
      origin: Origin,
    ): Promise<'invitation' | 'recovery'> {
      await store.account(pharmacyId)
      const actor = actorOf(session.userId, pharmacyId, origin)
      if (await inviteAgain(pharmacyId, actor)) return 'invitation'
      const isSent = await auth.invitedUsers.sendRecovery(pharmacyId, pages.recovery, actor)
      if (!isSent) throw new AppError('pharmacies.not_found')
      return 'recovery'
    },

    async changeEmail(
      session: AdminSession,
      pharmacyId: string,
      wanted: string,
      origin: Origin,
    ): Promise<PharmacyAccount> {
      await requireFresh(session)
      const { email, hasJoined } = await store.account(pharmacyId)
      const normalized = wanted.toLowerCase()
      if (normalized === email.toLowerCase()) return store.account(pharmacyId)
      const actor = actorOf(session.userId, pharmacyId, origin)
      await auth.users.change(pharmacyId, { email: normalized }, actor).catch(rethrowAccountError)
      if (!hasJoined) await inviteAgain(pharmacyId, actor)
      return store.account(pharmacyId)
    },
  }
}
