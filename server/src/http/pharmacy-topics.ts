import {
  OrdersEvent,
  pharmacyOfTopic,
  pharmacyTopic,
  topicEvents,
} from '@bancone/contract/realtime'
import { decodeJwt } from 'jose'
import { z } from 'zod'
import type { Events } from '../platform/events.ts'
import type { Grant, Refusal } from '../platform/realtime/access.ts'
import type { Realtime } from '../platform/realtime/realtime.service.ts'
import type { Clock } from '../ports/clock.ts'
import { isLetInNowhere, type Sessions, type SignedIn } from './session.ts'

const Expiry = z.object({ exp: z.number() })

/** What the triggers of the orders say. */
const ChangedOrders = OrdersEvent.extend({ pharmacy: z.uuid() })

const noSession: Refusal = {
  refused: 'token',
  reason: 'The access token has expired, or its session has ended',
}

/** Who may be in which topic: a pharmacy in its own, while it is active. */
export function createTopicAccess(sessions: Sessions, clock: Clock) {
  async function signedIn(token: string): Promise<(SignedIn & { expiresAt: number }) | undefined> {
    const account = await sessions.of(`Bearer ${token}`).catch((error: unknown) => {
      if (isLetInNowhere(error)) return undefined
      throw error
    })
    if (!account) return undefined
    const { exp } = Expiry.parse(decodeJwt(token))
    // A session is remembered for some seconds, which its token may not have left.
    return exp * 1000 > clock.now() ? { ...account, expiresAt: exp * 1000 } : undefined
  }

  return {
    async isToken(token: string): Promise<boolean> {
      return (await signedIn(token)) !== undefined
    },

    async authorize(token: string, topic: string): Promise<Grant | Refusal> {
      const account = await signedIn(token)
      if (!account) return noSession
      const { userId, sessionId, pharmacy, expiresAt } = account
      if (!pharmacy?.isActive || pharmacyOfTopic(topic) !== pharmacy.id) {
        return {
          refused: 'topic',
          reason: `You do not have permissions to read from this Channel topic: ${topic}`,
        }
      }
      return { dependsOn: [userId, pharmacy.id], sessionId, expiresAt, write: true }
    },
  }
}

/** Tells the screens of this process what the database tells every process. */
export function tellTopics(events: Events, realtime: Realtime) {
  events.on('order_events', (payload) => {
    const { pharmacy, kind, ids } = ChangedOrders.parse(JSON.parse(payload))
    realtime.broadcast(pharmacyTopic(pharmacy), topicEvents.orders, { kind, ids })
  })
  // Of a pharmacy or of its own account, whose id is the same. A colleague's change is told as both.
  events.on('account_changed', (id) => {
    realtime.broadcast(pharmacyTopic(id), topicEvents.pharmacy, {})
  })
  events.on('offers_changed', (pharmacyId) => {
    // Of all, when it is of none.
    const topics = pharmacyId === '' ? realtime.topics() : [pharmacyTopic(pharmacyId)]
    for (const topic of topics) realtime.broadcast(topic, topicEvents.offers, {})
  })
}

/** Whatever it was, reading everything again makes up for it. */
export function tellMissed(realtime: Realtime) {
  for (const topic of realtime.topics()) realtime.broadcast(topic, topicEvents.missed, {})
}
