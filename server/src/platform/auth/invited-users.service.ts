import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import type { Actor, UserAdministration } from './admin.service.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import type { AskMail } from './auth-mail.ts'

/** Who invites, as people know them, and where the link of the mail leads. */
export type Invitation = { from: string; redirectTo: URL }

export type InvitedUsers = ReturnType<typeof createInvitedUsers>

type Dependencies = AuthContext & { askMail: AskMail; users: Pick<UserAdministration, 'delete'> }

const Metadata = z.record(z.string(), z.unknown()).catch({})

/**
 * Accounts that one user makes for others. What the application knows of them it writes in the same
 * transaction: what it throws there undoes the whole.
 */
export function createInvitedUsers(dependencies: Dependencies) {
  const { store, audit, clock, askMail, users } = dependencies

  async function write(
    tx: Database,
    userId: string,
    { from, redirectTo }: Invitation,
    actor: Actor,
  ): Promise<void> {
    const mail = { kind: 'invite', to: { userId }, redirectTo: redirectTo.href, from } as const
    await askMail(mail, tx)
    await audit.record({ action: 'user_invited', userId, ...actor }, tx)
  }

  return {
    /** Somebody new. @returns false when the address has an account, whoever's and however old */
    invite(
      { email, name }: { email: string; name: string },
      invitation: Invitation,
      actor: Actor,
      alongside: (tx: Database, userId: string) => Promise<void>,
    ): Promise<boolean> {
      return store.transaction(async (tables, tx) => {
        const userMetadata = { full_name: name }
        const wanted = { email, passwordHash: null, confirmed: false, invited: true, userMetadata }
        const user = await tables.users.insert(wanted)
        if (!user) return false
        await alongside(tx, user.id)
        await write(tx, user.id, invitation, actor)
        return true
      })
    },

    /** The mail before is worth nothing then. @returns false when they have come, or are gone */
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

    /**
     * Nobody else changes the user meanwhile.
     *
     * @param decide gives what they call themselves from now on; null leaves that as it is
     * @returns false when they are gone
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

    /** Their sessions end, and the address is free again. @returns false when they are gone already */
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
