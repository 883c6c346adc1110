import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import type { Actor, UserAdministration } from './admin.service.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import type { EnqueueMail } from './auth-mail.ts'

export type Invitation = {
  /** The display name of the inviting party, null for Bancone itself. */
  from: string | null
  /** The target of the link. */
  redirectTo: URL
  /** One of many invitations. Their mails are sent after all other mails. */
  isOneOfMany?: boolean
}

/** Of jobs that wait for all others of their lane. */
const LATER = 10

export type InvitedUsers = ReturnType<typeof createInvitedUsers>

type Dependencies = AuthContext & {
  enqueueMail: EnqueueMail
  users: Pick<UserAdministration, 'delete'>
}

const Metadata = z.record(z.string(), z.unknown()).catch({})

/**
 * Accounts that one user creates for others. `alongside` runs in the same transaction, for the application's
 * own rows; an error there rolls everything back.
 */
export function createInvitedUsers(dependencies: Dependencies) {
  const { store, audit, clock, enqueueMail, users } = dependencies

  async function write(
    tx: Database,
    userId: string,
    { from, redirectTo, isOneOfMany = false }: Invitation,
    actor: Actor,
  ): Promise<void> {
    const mail = { kind: 'invite', to: { userId }, redirectTo: redirectTo.href, from } as const
    await enqueueMail(mail, tx, isOneOfMany ? LATER : 0)
    await audit.record({ action: 'user_invited', userId, ...actor }, tx)
  }

  return {
    /** Creates a user and sends an invitation. @returns false when the address has an account */
    invite(
      { email, name }: { email: string; name?: string },
      invitation: Invitation,
      actor: Actor,
      alongside: (tx: Database, userId: string) => Promise<void>,
    ): Promise<boolean> {
      return store.transaction(async (tables, tx) => {
        const userMetadata = name === undefined ? {} : { full_name: name }
        const wanted = { email, passwordHash: null, confirmed: false, invited: true, userMetadata }
        const user = await tables.users.insert(wanted)
        if (!user) return false
        await alongside(tx, user.id)
        await write(tx, user.id, invitation, actor)
        return true
      })
    },

    /**
     * Sends a new invitation, which replaces the earlier one. @returns false when the user has accepted, or is
     * deleted
     */
    inviteAgain(
      userId: string,
      invitation: Invitation,
      actor: Actor,
      alongside: (tx: Database) => Promise<void>,
    ): Promise<boolean> {
      return store.transaction(async (tables, tx) => {
        const user = await tables.users.lock(userId)
        if (!user || user.deleted_at || user.email_confirmed_at) return false
        await alongside(tx)
        await tables.users.update(userId, { invited_at: new Date(clock.now()).toISOString() })
        await write(tx, userId, invitation, actor)
        return true
      })
    },

    /** Sends a link to choose a new password. @returns false when the user is deleted */
    sendRecovery(userId: string, redirectTo: URL, actor: Actor): Promise<boolean> {
      return store.transaction(async (tables, tx) => {
        const user = await tables.users.lock(userId)
        if (!user || user.deleted_at) return false
        const mail = { kind: 'recovery', to: { userId }, redirectTo: redirectTo.href } as const
        await enqueueMail(mail, tx)
        const details = { type: 'recovery' }
        await audit.record({ action: 'link_generated', userId, ...actor, details }, tx)
        return true
      })
    },

    /**
     * Changes the user's name under a lock.
     *
     * @param decide returns the new name, or null to keep the current one
     * @returns false when the user is deleted
     */
    change(
      userId: string,
      actor: Actor,
      decide: (tx: Database) => Promise<string | null>,
    ): Promise<boolean> {
      return store.transaction(async (tables, tx) => {
        const user = await tables.users.lock(userId)
        if (!user || user.deleted_at) return false
        const name = await decide(tx)
        if (name === null) return true
        const kept = Metadata.parse(user.user_metadata)
        await tables.users.update(userId, { user_metadata: { ...kept, full_name: name } })
        await audit.record({ action: 'user_renamed', userId, ...actor }, tx)
        return true
      })
    },

    /**
     * Deletes the user softly: sessions end, and the address becomes free. @returns false when the user is
     * deleted already
     */
    async close(
      userId: string,
      actor: Actor,
      alongside: (tx: Database) => Promise<void>,
    ): Promise<boolean> {
      try {
        await users.delete(userId, true, actor, alongside)
        return true
      } catch (error) {
        if (error instanceof AuthError && error.code === 'user_not_found') return false
        throw error
      }
    },
  }
}
