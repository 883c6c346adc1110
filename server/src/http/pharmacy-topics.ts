import { MAX_RECORD_IDS } from '@bancone/contract/orders'
import {
  OrdersEvent,
  pharmacyOfTopic,
  pharmacyTopic,
  topicEvents,
} from '@bancone/contract/realtime'
import { decodeJwt } from 'jose'
import { z } from 'zod'
import type { Events } from '../platform/events.ts'
import type { Grant, Refusal } from '../platform/realtime/channels.ts'
import type { Realtime } from '../platform/realtime/realtime.service.ts'
import type { Clock } from '../ports/clock.ts'
import { isAccessDenied, type Sessions, type SignedInAccount } from './session.ts'

/**
 * For so long after an event those that follow are gathered. Screens read their page again at each event, so that more
 * of them in a second are work for everyone and news for no one.
 */
const GATHER_MS = 50

/**
 * Sends the first event of a pharmacy at once, and those within the next moment together: successive ones of one kind as
 * one event, in the order in which they came.
 */
export function gatherNews(send: (pharmacyId: string, event: OrdersEvent) => void) {
  /** What waits, by pharmacy. A pharmacy without an entry has had no event for a moment. */
  const gathered = new Map<string, OrdersEvent[]>()

  function sendGathered(pharmacyId: string): void {
    const waiting = gathered.get(pharmacyId) ?? []
    if (waiting.length === 0) gathered.delete(pharmacyId)
    else wait(pharmacyId)
    for (const event of waiting) send(pharmacyId, event)
  }

  function wait(pharmacyId: string): void {
    gathered.set(pharmacyId, [])
    setTimeout(sendGathered, GATHER_MS, pharmacyId).unref()
  }

  return (pharmacyId: string, event: OrdersEvent): void => {
    const waiting = gathered.get(pharmacyId)
    if (!waiting) {
      wait(pharmacyId)
      send(pharmacyId, event)
      return
    }
    const last = waiting.at(-1)
    if (last?.kind === event.kind) last.ids = together(last.ids, event.ids)
    else waiting.push({ ...event })
  }
}

/** Null when there are too many, or were already. */
function together(some: string[] | null, others: string[] | null): string[] | null {
  if (!some || !others) return null
  const ids = [...new Set([...some, ...others])]
  return ids.length > MAX_RECORD_IDS ? null : ids
}

const Expiry = z.object({ exp: z.number() })

/** The payload of the notifications sent by the triggers of the orders. */
const ChangedOrders = z.object({ ...OrdersEvent.shape, pharmacy: z.uuid() })

const noSession: Refusal = {
  refused: 'token',
  reason: 'The access token has expired, or its session has ended',
}

/** Authorizes access to Realtime topics: an active pharmacy may join its own topic. */
export function createTopicAccess(sessions: Sessions, clock: Clock) {
  async function signedIn(
    token: string,
  ): Promise<(SignedInAccount & { expiresAt: number }) | undefined> {
    const account = await sessions.authenticate(`Bearer ${token}`).catch((error: unknown) => {
      if (isAccessDenied(error)) return undefined
      throw error
    })
    if (!account) return undefined
    const { exp } = Expiry.parse(decodeJwt(token))
    // The session is cached for some seconds, and the token may have expired since.
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

/** Forwards database notifications to the clients connected to this process. */
export function broadcastDatabaseEvents(events: Events, realtime: Realtime) {
  const tellOfOrders = gatherNews((pharmacy, { kind, ids }) => {
    realtime.broadcast(pharmacyTopic(pharmacy), topicEvents.orders, { kind, ids })
  })
  events.on('order_events', (payload) => {
    const { pharmacy, kind, ids } = ChangedOrders.parse(JSON.parse(payload))
    tellOfOrders(pharmacy, { kind, ids })
  })
  // The id of a pharmacy equals that of its primary account. A change of a colleague is notified with both ids.
  events.on('account_changed', (id) => {
    realtime.broadcast(pharmacyTopic(id), topicEvents.pharmacy, {})
  })
  events.on('settings_changed', (key) => {
    if (key !== 'notice') return
    for (const topic of realtime.topics()) realtime.broadcast(topic, topicEvents.notice, {})
  })
  events.on('priority_changed', (pharmacyId) => {
    realtime.broadcast(pharmacyTopic(pharmacyId), topicEvents.priority, {})
  })
  events.on('whatsapp_changed', (pharmacyId) => {
    realtime.broadcast(pharmacyTopic(pharmacyId), topicEvents.whatsapp, {})
  })
  events.on('offers_changed', (pharmacyId) => {
    // An empty payload concerns all pharmacies.
    const topics = pharmacyId === '' ? realtime.topics() : [pharmacyTopic(pharmacyId)]
    for (const topic of topics) realtime.broadcast(topic, topicEvents.offers, {})
  })
}

/** Tells all clients that events may have been missed, so that they read everything again. */
export function broadcastMissed(realtime: Realtime) {
  for (const topic of realtime.topics()) realtime.broadcast(topic, topicEvents.missed, {})
}
