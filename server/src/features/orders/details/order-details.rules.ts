import type { Actor, OrderEvent, OrderNote } from '@bancone/contract/order-details'

/** The most entries of a history that are told. */
export const MOST_EVENTS = 200

/** Who did something, as it is kept; without a name when there is no such user any more, or never was. */
export type Who = { userId: string | null; sessionId: string | null; name: string | null }

/** Who wants to know. */
export type Asking = { userId: string; sessionId: string }

export function actor({ userId, sessionId, name }: Who, asking: Asking): Actor | null {
  if (name === null) return null
  const you = userId === asking.userId
  return { name, you, here: you && sessionId === asking.sessionId }
}

/** How an order came in. `name` is that of the person or of the API key. */
export type Reception = Who & { at: string; origin: 'store' | 'api' | 'person' }

/** What happened to it since. */
export type KeptEvent = Omit<OrderEvent, 'who'> & Who

/**
 * The history of an order, newest first; that it came in is always its oldest entry.
 *
 * @param events newest first
 */
export function history(
  reception: Reception,
  events: readonly KeptEvent[],
  asking: Asking,
  hasStore: boolean,
): OrderEvent[] {
  const { origin, at } = reception
  const fromStore = hasStore ? 'airtable' : 'system'
  return [
    ...events.slice(0, MOST_EVENTS - 1).map(({ userId, sessionId, name, ...event }) => ({
      ...event,
      who: actor({ userId, sessionId, name }, asking),
    })),
    {
      at,
      kind: 'received',
      source: origin === 'store' ? fromStore : origin,
      who: actor(reception, asking),
      from: null,
      to: null,
      columns: [],
    },
  ]
}

export type KeptNote = Omit<OrderNote, 'who'> & Who

export function shownNote({ userId, sessionId, name, ...note }: KeptNote, asking: Asking) {
  return { ...note, who: actor({ userId, sessionId, name }, asking) }
}
