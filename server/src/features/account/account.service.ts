import {
  ACTIVITY_PAGE_SIZE,
  type AccountActivity,
  type AccountSession,
  MAX_SESSIONS,
} from '@bancone/contract/account'
import { AppError } from '../../base/app-error.ts'
import type { Caller as Origin } from '../../platform/auth/auth-context.ts'
import { INACTIVITY_TIMEOUT_DAYS, MAX_SESSION_DAYS } from '../../platform/auth/refresh-grant.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AccountStore, ActivityRow } from './account.store.ts'
import { SHOWN_ACTIVITY, shownActivityOf } from './activity.rules.ts'
import { deviceOf, unknownDevice } from './devices.ts'

/** The user of the request and their session. */
type Asking = { userId: string; sessionId: string }

type Dependencies = {
  store: AccountStore
  /** Ends a session of the user. @returns false when the user has no session of that id */
  endSession(userId: string, sessionId: string, origin: Origin): Promise<boolean>
  clock: Clock
}

/** Sessions and activity of the user's own account. */
export function createAccountService({ store, endSession, clock }: Dependencies) {
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
        usedSince: daysAgo(INACTIVITY_TIMEOUT_DAYS),
        startedSince: daysAgo(MAX_SESSION_DAYS),
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
  }
}
