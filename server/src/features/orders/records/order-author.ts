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
