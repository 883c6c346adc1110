import type { Holder } from '../platform/storage/access.ts'
import { type Account, isLetInNowhere, type Sessions } from './session.ts'

type Auth = {
  isAdminKey(token: string): boolean
  users: { isActive(userId: string): Promise<boolean> }
}

/** Another server, with the key. */
const server: Holder = { userId: null, all: true, folder: null }

/**
 * Whose folder is whose: an active pharmacy has the one of its id, and administrators have all.
 *
 * @param hasAdminKey whether there is a key for other servers; without one, none of their links opens
 */
export function createFolderAccess(
  sessions: Pick<Sessions, 'of'>,
  auth: Auth,
  account: (userId: string) => Promise<Account | undefined>,
  hasAdminKey: boolean,
) {
  return {
    async authorize(token: string): Promise<Holder | undefined> {
      if (auth.isAdminKey(token)) return server
      const found = await sessions.of(`Bearer ${token}`).catch((error: unknown) => {
        if (isLetInNowhere(error)) return undefined
        throw error
      })
      return found && toHolder(found)
    },

    /** What somebody may do now who is not here: who signed a link. Null: another server, with its key. */
    async holderOf(userId: string | null): Promise<Holder | undefined> {
      if (userId === null) return hasAdminKey ? server : undefined
      const found = (await auth.users.isActive(userId)) ? await account(userId) : undefined
      return found && toHolder(found)
    },
  }
}

function toHolder({ userId, isAdmin, pharmacy }: Account): Holder {
  return { userId, all: isAdmin, folder: pharmacy?.isActive ? pharmacy.id : null }
}
