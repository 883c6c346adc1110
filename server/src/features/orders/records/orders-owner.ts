import type { SourceLocation } from '../../../ports/order-source.ts'

/**
 * A pharmacy, and the location of its orders in the order source, if it has one. `pageSource` is null where pages come
 * from the database alone.
 */
export type OrdersOwner = {
  id: string
  orderSource: SourceLocation | null
  pageSource: SourceLocation | null
}

/** Who changes an order, and from where. Only a person has a user and a session. */
export type Author = {
  from: 'person' | 'airtable' | 'api' | 'system'
  userId: string | null
  sessionId: string | null
}

/** The author for the user of a session. */
export function personOf(session: { userId: string; sessionId: string }): Author {
  return { from: 'person', userId: session.userId, sessionId: session.sessionId }
}
