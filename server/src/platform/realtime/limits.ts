/** Limits per client and per process. */
export type Limits = {
  /** Open sockets per network address. */
  connections: number
  /** Channels per socket. */
  topics: number
  /** Bytes of a frame, and of an HTTP request. */
  frameBytes: number
  /**
   * Sustained rate of frames per socket, and of HTTP messages per network address; the burst is three times as
   * many. Large messages count several times: see `messageCost`.
   */
  messagesPerSecond: number
  /** Changes of presence per socket in 30 seconds. */
  presences: number
  /** Bytes of a presence as JSON: two must fit into one PostgreSQL notification. */
  presenceBytes: number
  /**
   * Bytes buffered for a socket. A slower client is disconnected, and reads the current state when it
   * reconnects.
   */
  sendBufferBytes: number
  /** Messages in the queue to the other processes, and their total bytes. */
  outbox: number
  outboxBytes: number
  /** Bytes of large messages that this process stores for the others during `Timing.messageRetention`. */
  storedMessageBytes: number
}

export const defaultLimits: Limits = {
  connections: 500,
  topics: 100,
  frameBytes: 1024 * 1024,
  messagesPerSecond: 100,
  presences: 10,
  presenceBytes: 3_000,
  sendBufferBytes: 1024 * 1024,
  outbox: 1_000,
  outboxBytes: 8 * 1024 * 1024,
  storedMessageBytes: 64 * 1024 * 1024,
}

/** Intervals and timeouts, in milliseconds. */
export type Timing = {
  /** Between two sweeps over all sockets and channels. */
  sweepInterval: number
  /** Without a frame or a pong. The clients' heartbeat interval is 25 or 30 seconds. */
  idleTimeout: number
  /** Between two pings by the server: browsers throttle the timers of hidden pages, but not their pongs. */
  pingInterval: number
  /** Without a channel. The clients disconnect 50 seconds after leaving their last one. */
  noChannelTimeout: number
  /** Between two authorizations of a channel. */
  recheckInterval: number
  /** After an authorization that failed with an error. */
  retryDelay: number
  /** Between two heartbeats of this process in the database. */
  heartbeatInterval: number
  /** Without a heartbeat, after which a process counts as dead. */
  nodeTimeout: number
  /** For which large messages are stored for the other processes. */
  messageRetention: number
  /** For the closing handshakes when the server stops. */
  closeTimeout: number
}

export const defaultTiming: Timing = {
  sweepInterval: 1_000,
  idleTimeout: 60_000,
  pingInterval: 25_000,
  noChannelTimeout: 60_000,
  recheckInterval: 300_000,
  retryDelay: 5_000,
  heartbeatInterval: 10_000,
  nodeTimeout: 30_000,
  messageRetention: 60_000,
  closeTimeout: 1_000,
}

/** The number of messages that one of this size counts as. */
export function messageCost(bytes: number): number {
  return 1 + Math.floor(bytes / (16 * 1024))
}

/** A token bucket: a sustained rate, and a burst. Measured by a monotonic clock. */
export type TokenBucket = { take(cost?: number): boolean }

export function createTokenBucket(perSecond: number, burst: number): TokenBucket {
  let left = burst
  let at = performance.now()
  return {
    take(cost = 1) {
      const now = performance.now()
      left = Math.min(burst, left + ((now - at) * perSecond) / 1000)
      at = now
      if (left < cost) return false
      left -= cost
      return true
    },
  }
}
