import type { Principal } from '../platform/storage/principals.ts'
import { type Account, isAccessDenied, type Sessions } from './session.ts'

type Auth = {
  isAdminKey(token: string): boolean
  users: { isActive(userId: string): Promise<boolean> }
}

/** The principal of another server that uses the admin key. */
const server: Principal = { userId: null, isAdmin: true, folder: null }

/**
 * Authorizes access to storage folders: an active pharmacy has the folder with its id, administrators have all folders.
 *
 * @param hasAdminKey whether an admin key is configured; without one, links signed with the admin key are refused
 */
export function createFolderAccess(
  sessions: Pick<Sessions, 'authenticate'>,
  auth: Auth,
  account: (userId: string) => Promise<Account | undefined>,
  hasAdminKey: boolean,
) {
  return {
    async authorize(token: string): Promise<Principal | undefined> {
      if (auth.isAdminKey(token)) return server
      const found = await sessions.authenticate(`Bearer ${token}`).catch((error: unknown) => {
        if (isAccessDenied(error)) return undefined
        throw error
      })
      return found && toHolder(found)
    },

    /** The current permissions of the user who signed a link. Null: another server, with the admin key. */
    async principalOf(userId: string | null): Promise<Principal | undefined> {
      if (userId === null) return hasAdminKey ? server : undefined
      const found = (await auth.users.isActive(userId)) ? await account(userId) : undefined
      return found && toHolder(found)
    },
  }
}

function toHolder({ userId, isAdmin, pharmacy }: Account): Principal {
  return { userId, isAdmin: isAdmin, folder: pharmacy?.isActive ? pharmacy.id : null }
}
