/** What a line tells. */
export type LineEvents = {
  /** For the first time or again: what was told meanwhile was missed. */
  joined: () => void
  lost: () => void
  /** The server does not let this user in. */
  refused: () => void
  /** The server has closed the topic: perhaps the session is over, or the pharmacy not active any more. */
  ended: () => void
  told: (event: string, payload: unknown) => void
}

/** A line that was opened. It repairs itself; it can be told that this is a good moment. */
export type Line = {
  /** Is it still there? If it is not, repair it now. */
  check: () => void
  /** The network changed: a line that was opened over the old one may be dead without knowing. */
  renew: () => void
  close: () => void
}

export type Connect = (topic: string, events: LineEvents) => Line
