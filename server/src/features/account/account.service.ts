import {
  ACTIVITY_PAGE,
  type AccountActivity,
  type AccountSession,
  type ExternalProvider,
  MOST_SESSIONS,
} from '@bancone/contract/account'
import { AppError } from '../../app-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AccountStore, ActivityRow } from './account.store.ts'
import { TOLD, toldOf } from './activity.rules.ts'
import { deviceOf, unknownDevice } from './devices.ts'

/** Who asks, and in which session. */
type Asking = { userId: string; sessionId: string }

/** Where a call came from: an address, and the name a browser gave itself. */
type Origin = { ip: string; agent: string | undefined }

type Dependencies = {
  store: AccountStore
  /** Ends a session of that user. @returns false when they have none of that id */
  endSession(userId: string, sessionId: string, origin: Origin): Promise<boolean>
  /** Days after which a session that nobody used is over. */
  idleDays: number
  /** Another service to sign in with; undefined: there is none. */
  provider: ExternalProvider | undefined
  clock: Clock
}

export type AccountService = ReturnType<typeof createAccountService>

/** What somebody sees and governs of the use of their account. */
export function createAccountService(dependencies: Dependencies) {
  const { store, endSession, idleDays, provider, clock } = dependencies

  async function told(userId: string, row: ActivityRow): Promise<AccountActivity | null> {
    const event = toldOf({ ...row, userId })
    if (!event) return null
    const { kind, method, isOwn } = event
    return {
      id: row.id,
      at: row.at,
      kind,
      method,
      device: isOwn ? await deviceOf(row.agent) : unknownDevice,
      address: isOwn ? row.address : null,
    }
  }

  return {
    async sessions({ userId, sessionId }: Asking): Promise<AccountSession[]> {
      const now = new Date(clock.now())
      const usedSince = new Date(now.getTime() - idleDays * 86_400_000)
      const rows = await store.sessions(userId, {
        first: sessionId,
        usedSince: usedSince.toISOString(),
        limit: MOST_SESSIONS,
      })
      const sessions = rows.map(async ({ agent, aal, ...row }) => ({
        ...row,
        device: await deviceOf(agent),
        secondFactor: aal === 'aal2',
        isCurrent: row.id === sessionId,
        // What is kept is when it was last renewed, which is every hour; the one that asks is used now.
        ...(row.id === sessionId && { lastUsedAt: now.toISOString() }),
      }))
      return Promise.all(sessions)
    },

    /** Not the one that asks: whoever leaves here signs out. */
    async endSession({ userId, sessionId }: Asking, which: string, origin: Origin): Promise<void> {
      const isOther = which.toLowerCase() !== sessionId
      const ended = isOther && (await endSession(userId, which, origin))
      if (!ended) throw new AppError('account.session_not_found')
    },

    async activity(
      { userId }: Asking,
      before: string | undefined,
    ): Promise<{ events: AccountActivity[]; hasMore: boolean }> {
      // One more says whether there is another page.
      const rows = await store.activity(userId, { told: TOLD, before, limit: ACTIVITY_PAGE + 1 })
      const page = await Promise.all(rows.slice(0, ACTIVITY_PAGE).map((row) => told(userId, row)))
      return {
        events: page.filter((event) => event !== null),
        hasMore: rows.length > ACTIVITY_PAGE,
      }
    },

    signInMethods(): ExternalProvider[] {
      return provider ? [provider] : []
    },
  }
}
