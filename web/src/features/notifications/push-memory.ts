import { z } from 'zod'
import { browserStorage } from '../../lib/browser-storage.ts'
import { pharmacySession } from '../../lib/session.ts'

const KEY = 'bancone-push'
const HOUR_MS = 3_600_000
/** The server may forget a device; a browser that refuses will hardly change soon. */
const KEPT_MS = { subscribed: HOUR_MS, refused: 24 * HOUR_MS }

const Memory = z.object({
  session: z.string(),
  outcome: z.enum(['subscribed', 'refused']),
  at: z.number(),
})
type Outcome = z.infer<typeof Memory>['outcome']

/** The outcome of subscribing this device in this session; null when it is to be attempted again. */
export function rememberedPush(): Outcome | null {
  try {
    const { session, outcome, at } = Memory.parse(JSON.parse(browserStorage.getItem(KEY) ?? ''))
    const old = Math.abs(Date.now() - at) > KEPT_MS[outcome]
    return old || session !== pharmacySession.current()?.id ? null : outcome
  } catch {
    return null
  }
}

export function rememberPush(outcome: Outcome) {
  const session = pharmacySession.current()?.id
  if (session) browserStorage.setItem(KEY, JSON.stringify({ session, outcome, at: Date.now() }))
}

export function forgetPush() {
  browserStorage.removeItem(KEY)
}
