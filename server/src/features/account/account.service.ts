import {
  ACTIVITY_PAGE_SIZE,
  type AccountActivity,
  type AccountSession,
  type ExternalProvider,
  MAX_SESSIONS,
} from '@bancone/contract/account'
import { AppError } from '../../app-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AccountStore, ActivityRow } from './account.store.ts'
import { SHOWN_ACTIVITY, shownActivityOf } from './activity.rules.ts'
import { deviceOf, unknownDevice } from './devices.ts'

/** The user of the request and their session. */
type Asking = { userId: string; sessionId: string }

/** Client address and `User-Agent` of a request. */
type Origin = { ip: string; agent: string | undefined }

type Dependencies = {
  store: AccountStore
  /** Ends a session of the user. @returns false when the user has no session of that id */
  endSession(userId: string, sessionId: string, origin: Origin): Promise<boolean>
  /** Days without use after which a session expires. */
  idleDays: number
  /** Days after which a session ends, however much it is used. */
  sessionDays: number
  /** External sign-in provider; undefined when none is configured. */
  provider: ExternalProvider | undefined
  clock: Clock
}

export type AccountService = ReturnType<typeof createAccountService>

/** Sessions, activity and linked sign-in providers of the user's own account. */
export function createAccountService(dependencies: Dependencies) {
  const { store, endSession, idleDays, sessionDays, provider, clock } = dependencies

  const daysAgo = (days: number) => new Date(clock.now() - days * 86_400_000).toISOString()

  async function told(userId: string, row: ActivityRow): Promise<AccountActivity | null> {
    const event = shownActivityOf({ ...row, userId })
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
      const now = daysAgo(0)
      const rows = await store.sessions(userId, {
        first: sessionId,
        usedSince: daysAgo(idleDays),
        startedSince: daysAgo(sessionDays),
        limit: MAX_SESSIONS,
      })
      const sessions = rows.map(async ({ agent, aal, ...row }) => ({
        ...row,
        device: await deviceOf(agent),
        secondFactor: aal === 'aal2',
        isCurrent: row.id === sessionId,
        // Sessions are renewed hourly, and only that time is stored; the current session is in use now.
        ...(row.id === sessionId && { lastUsedAt: now }),
      }))
      return Promise.all(sessions)
    },

    /** Does not end the current session: that is what signing out is for. */
    async endSession({ userId, sessionId }: Asking, which: string, origin: Origin): Promise<void> {
      const isOther = which.toLowerCase() !== sessionId
      const ended = isOther && (await endSession(userId, which, origin))
      if (!ended) throw new AppError('account.session_not_found')
    },

    async activity(
      { userId }: Asking,
      before: string | undefined,
    ): Promise<{ events: AccountActivity[]; hasMore: boolean }> {
      // One row more than the page shows whether another page follows.
      const rows = await store.activity(userId, {
        told: SHOWN_ACTIVITY,
        before,
        limit: ACTIVITY_PAGE_SIZE + 1,
      })
      const page = await Promise.all(
        rows.slice(0, ACTIVITY_PAGE_SIZE).map((row) => told(userId, row)),
      )
      return {
        events: page.filter((event) => event !== null),
        hasMore: rows.length > ACTIVITY_PAGE_SIZE,
      }
    },

    signInMethods(): ExternalProvider[] {
      return provider ? [provider] : []
    },
  }
}
