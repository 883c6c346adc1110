import type {
  Actor,
  OrderEvent,
  OrderHold,
  OrderNote,
  OutdatedColumn,
} from '@bancone/contract/order-details'

/** Maximum number of history entries in a response. */
export const MAX_EVENTS = 200

/** Who did something, as stored. `name` is null when the user does not exist any more, or there was none. */
export type RecordedActor = { userId: string | null; sessionId: string | null; name: string | null }

/** The user who requests the details. */
export type Viewer = { userId: string; sessionId: string }

export function actor({ userId, sessionId, name }: RecordedActor, viewer: Viewer): Actor | null {
  if (name === null) return null
  const you = userId === viewer.userId
  return { name, you, here: you && sessionId === viewer.sessionId }
}

/** What somebody did, with who that is to the viewer. */
export function withActor<T extends RecordedActor>(
  { userId, sessionId, name, ...done }: T,
  viewer: Viewer,
) {
  return { ...done, who: actor({ userId, sessionId, name }, viewer) }
}

/** How an order was received. `name` is that of the user or of the API key. */
export type OrderReception = RecordedActor & { at: string; origin: 'store' | 'api' | 'person' }

/** A later event of the order. */
export type StoredEvent = Omit<OrderEvent, 'who'> & RecordedActor

/**
 * The history of an order, newest first. Its oldest entry is always the reception.
 *
 * @param events newest first
 */
export function history(
  reception: OrderReception,
  events: readonly StoredEvent[],
  viewer: Viewer,
  isOnAirtable: boolean,
): OrderEvent[] {
  const { origin, at } = reception
  const fromAirtable = isOnAirtable ? 'airtable' : 'system'
  return [
    ...events.slice(0, MAX_EVENTS - 1).map((event) => withActor(event, viewer)),
    {
      at,
      kind: 'received',
      source: origin === 'store' ? fromAirtable : origin,
      who: actor(reception, viewer),
      from: null,
      to: null,
      columns: [],
    },
  ]
}

/**
 * The columns of an order that are not up to date.
 *
 * @param missing the required columns that its table does not have
 * @param quarantineReason why its record is quarantined; null when it is not
 */
export function outdatedColumns(
  missing: readonly string[],
  quarantineReason: string | null,
): OutdatedColumn[] {
  const [, unreadable] = /^kept; cannot be read: (.+)$/.exec(quarantineReason ?? '') ?? []
  return [
    ...missing.map((column) => ({ column, reason: 'missing' as const })),
    ...(unreadable?.split(', ') ?? []).map((column) => ({
      column,
      reason: 'unreadable' as const,
    })),
  ]
}

export type StoredNote = Omit<OrderNote, 'who'> & RecordedActor

export type StoredHold = Omit<OrderHold, 'who'> & RecordedActor
