import {
  ACTIVITY_PAGE_SIZE,
  type AccountActivity,
  type AccountSession,
  type Device,
  MAX_SESSIONS,
} from '@bancone/contract/account'
import { AppError } from '../../base/app-error.ts'
import type { Caller as Origin } from '../../platform/auth/auth-context.ts'
import { INACTIVITY_TIMEOUT_DAYS, MAX_SESSION_DAYS } from '../../platform/auth/refresh-grant.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AccountStore, ActivityRow } from './account.store.ts'
import { SHOWN_ACTIVITY, shownActivityOf } from './activity.rules.ts'

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

    async activity({ userId }: Asking, before: string | undefined) {
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

/** A device that could not be recognized. */
export const unknownDevice: Device = { browser: null, system: null, kind: 'other' }

/** Shorter names for browsers that the parser knows by a long one. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ['Microsoft Edge', 'Edge'],
  ['Samsung Internet for Android', 'Samsung Internet'],
  ['NAVER Whale Browser', 'Whale'],
  ['Google Search', 'Google'],
])

/** Apps with a built-in browser, by what they append to its `User-Agent`. */
const windowsOfApps: readonly (readonly [RegExp, string])[] = [
  [/\bWhatsApp\b/, 'WhatsApp'],
  [/\bInstagram\b/, 'Instagram'],
  [/\bFB(AN|AV|_IAB)\b/, 'Facebook'],
]

const kinds: ReadonlyMap<string, Device['kind']> = new Map([
  ['desktop', 'desktop'],
  ['mobile', 'phone'],
  ['tablet', 'tablet'],
] as const)

/** Systems of which the parser does not know the kind of device. */
const kindsOfSystems: ReadonlyMap<string, Device['kind']> = new Map([['Chrome OS', 'desktop']])

/**
 * Browser, system and kind of device of a `User-Agent`. The client writes that header freely, so only names from a
 * list are returned.
 */
export async function deviceOf(agent: string | null): Promise<Device> {
  if (!agent) return unknownDevice
  // Loaded on demand: only account pages need it.
  const { default: bowser } = await import('bowser')
  const { browser, os, platform } = bowser.parse(agent)
  const app = windowsOfApps.find(([mark]) => mark.test(agent))?.[1]
  const system = listed(os.name, bowser.OS_MAP)
  return {
    browser: app ?? listed(browser.name, bowser.BROWSER_MAP),
    system,
    kind: kinds.get(platform.type ?? '') ?? kindsOfSystems.get(system ?? '') ?? 'other',
  }
}

function listed(name: string | undefined, names: Record<string, string>): string | null {
  if (!name || !Object.values(names).includes(name)) return null
  return shortNames.get(name) ?? name
}
