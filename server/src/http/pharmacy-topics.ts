import { setTimeout as pause } from 'node:timers/promises'
import { pharmacyOfTopic, pharmacyTopic, topicEvents } from '@bancone/contract/realtime'
import { decodeJwt } from 'jose'
import { z } from 'zod'
import { createKeyedBatches } from '../platform/batches.ts'
import type { Events } from '../platform/events.ts'
import type { Grant, Refusal } from '../platform/realtime/channels.ts'
import type { Realtime } from '../platform/realtime/realtime.service.ts'
import type { Clock } from '../ports/clock.ts'
import { isAccessDenied, type Sessions, type SignedInAccount } from './session.ts'

/** Milliseconds. Screens read their page again at each event: more of them in a second are work without news. */
const COALESCE_MS = 250

const Expiry = z.object({ exp: z.number() })

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
export function broadcastDatabaseEvents(
  events: Pick<Events, 'on'>,
  realtime: Pick<Realtime, 'broadcast' | 'topics'>,
) {
  // The first event of a pharmacy at once, and those within the next moment as one, at its end.
  const orderEvents = createKeyedBatches(async (pharmacyId) => {
    realtime.broadcast(pharmacyTopic(pharmacyId), topicEvents.orders, {})
    await pause(COALESCE_MS, undefined, { ref: false })
  })
  events.on('orders_changed', (pharmacyId) => orderEvents.add(pharmacyId))
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
