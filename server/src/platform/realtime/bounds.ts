/** What a client may not exceed. */
export type Limits = {
  /** Open sockets of one network address. */
  connections: number
  /** Channels of one socket. */
  topics: number
  /** Bytes of one frame, and of one call by HTTP. */
  frameBytes: number
  /**
   * Frames of one socket, and messages by HTTP of one network, in the long run; three times as many at
   * once. Large ones count as several: see `weightOf`.
   */
  messagesPerSecond: number
  /** Changes of presence of one socket in half a minute. */
  presences: number
  /** Bytes of one presence as JSON: two must fit into one notification of PostgreSQL. */
  presenceBytes: number
  /** Bytes that wait for a socket that reads too slowly. Beyond, it is cut off: it reads again on return. */
  waitingBytes: number
  /** Messages that wait to be told to the other processes, and their bytes. */
  outbox: number
  outboxBytes: number
  /** Bytes of large messages that this process leaves in the database for the others: see `Timing.kept`. */
  keptBytes: number
}

export const usualLimits: Limits = {
  connections: 500,
  topics: 100,
  frameBytes: 1024 * 1024,
  messagesPerSecond: 100,
  presences: 10,
  presenceBytes: 3_000,
  waitingBytes: 1024 * 1024,
  outbox: 1_000,
  outboxBytes: 8 * 1024 * 1024,
  keptBytes: 64 * 1024 * 1024,
}

/** Milliseconds. */
export type Timing = {
  /** Between two looks at all sockets and channels. */
  sweep: number
  /** Without a sign of life: a frame, or the answer to a ping. The clients' heartbeat is 25 or 30 seconds. */
  silence: number
  /** Between two pings of ours: browsers slow the timers of hidden pages down, not their pongs. */
  ping: number
  /** Without a channel. The client itself leaves 50 seconds after its last one. */
  unjoined: number
  /** Between two looks whether a channel may still be there. */
  recheck: number
  /** After a look that failed. */
  retry: number
  /** Between two signs of life of this process in the database. */
  beat: number
  /** After which a process that gave none is taken for dead. */
  dead: number
  /** For which large messages are kept for the other processes. */
  kept: number
  /** For which sockets may say goodbye when the server stops. */
  goodbye: number
}

export const usualTiming: Timing = {
  sweep: 1_000,
  silence: 60_000,
  ping: 25_000,
  unjoined: 60_000,
  recheck: 300_000,
  retry: 5_000,
  beat: 10_000,
  dead: 30_000,
  kept: 60_000,
  goodbye: 1_000,
}

/** How many messages one of so many bytes counts as. */
export function weightOf(bytes: number): number {
  return 1 + Math.floor(bytes / (16 * 1024))
}

/** So many in the long run, and so many at once. Counts by a clock that nobody sets. */
export type Pace = { take(weight?: number): boolean }

export function createPace(perSecond: number, atOnce: number): Pace {
  let left = atOnce
  let at = performance.now()
  return {
    take(weight = 1) {
      const now = performance.now()
      left = Math.min(atOnce, left + ((now - at) * perSecond) / 1000)
      at = now
      if (left < weight) return false
      left -= weight
      return true
    },
  }
}
