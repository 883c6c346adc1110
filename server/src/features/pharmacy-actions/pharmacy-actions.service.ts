import { AppError } from '../../base/app-error.ts'
import type { AdminSession } from '../../http/serve.ts'
import type { Actor } from '../../platform/auth/admin.service.ts'
import type { AuthService } from '../../platform/auth/auth.service.ts'
import type { Caller as Origin } from '../../platform/auth/auth-context.ts'
import { rethrowAccountError } from '../../platform/auth/auth-error.ts'
import type { PharmacyActionsStore } from './pharmacy-actions.store.ts'

type Dependencies = {
  store: PharmacyActionsStore
  auth: Pick<AuthService, 'factors' | 'invitedUsers' | 'reauthentication' | 'users'>
  /** The pages on which an invited user chooses a password, and one who has forgotten theirs. */
  pages: { invitation: URL; recovery: URL }
}

/** What administrators do for the own account of a pharmacy. */
export function createPharmacyActions({ store, auth, pages }: Dependencies) {
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
    async resetFactors(session: AdminSession, pharmacyId: string, origin: Origin) {
      await requireFresh(session)
      await store.account(pharmacyId)
      const actor = { actorId: session.userId, pharmacyId, ...origin }
      await auth.factors.removeAllForUser(pharmacyId, actor)
      return store.account(pharmacyId)
    },

    async sendLink(
      session: AdminSession,
      pharmacyId: string,
      origin: Origin,
    ): Promise<'invitation' | 'recovery'> {
      await store.account(pharmacyId)
      const actor = { actorId: session.userId, pharmacyId, ...origin }
      if (await inviteAgain(pharmacyId, actor)) return 'invitation'
      const isSent = await auth.invitedUsers.sendRecovery(pharmacyId, pages.recovery, actor)
      if (!isSent) throw new AppError('pharmacies.not_found')
      return 'recovery'
    },

    async changeEmail(session: AdminSession, pharmacyId: string, wanted: string, origin: Origin) {
      await requireFresh(session)
      const { email, hasJoined } = await store.account(pharmacyId)
      const normalized = wanted.toLowerCase()
      if (normalized === email.toLowerCase()) return store.account(pharmacyId)
      const actor = { actorId: session.userId, pharmacyId, ...origin }
      await auth.users.change(pharmacyId, { email: normalized }, actor).catch(rethrowAccountError)
      if (!hasJoined) await inviteAgain(pharmacyId, actor)
      return store.account(pharmacyId)
    },
  }
}
