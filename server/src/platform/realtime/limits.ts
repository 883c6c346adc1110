import { createMemoryRateLimits } from '../rate-limits.ts'

/** Limits per client and per process. */
export const defaultLimits = {
  /** Open sockets per network address. */
  connections: 500,
  /** Channels per socket. */
  topics: 100,
  /** Bytes of a frame, and of an HTTP request. */
  frameBytes: 1024 * 1024,
  /**
   * Rate of frames per socket, and of HTTP messages per network address, counted in three seconds. Large messages
   * count several times: see `messageCost`.
   */
  messagesPerSecond: 100,
  /** Changes of presence per socket in 30 seconds. */
  presences: 10,
  /** Bytes of a presence as JSON: two must fit into one PostgreSQL notification. */
  presenceBytes: 3_000,
  /**
   * Bytes buffered for a socket. A slower client is disconnected, and reads the current state when it
   * reconnects.
   */
  sendBufferBytes: 1024 * 1024,
  /** Messages in the queue to the other processes, and their total bytes. */
  outbox: 1_000,
  outboxBytes: 8 * 1024 * 1024,
  /** Bytes of large messages that this process stores for the others during `Timing.messageRetention`. */
  storedMessageBytes: 64 * 1024 * 1024,
}

export type Limits = typeof defaultLimits

/** Intervals and timeouts, in milliseconds. */
export const defaultTiming = {
  /** Between two sweeps over all sockets and channels. */
  sweepInterval: 1_000,
  /** Without a frame or a pong. The clients' heartbeat interval is 25 or 30 seconds. */
  idleTimeout: 60_000,
  /** Between two pings by the server: browsers throttle the timers of hidden pages, but not their pongs. */
  pingInterval: 25_000,
  /** Without a channel. The clients disconnect 50 seconds after leaving their last one. */
  noChannelTimeout: 60_000,
  /** Between two authorizations of a channel. */
  recheckInterval: 300_000,
  /** After an authorization that failed with an error. */
  retryDelay: 5_000,
  /** Between two heartbeats of this process in the database. */
  heartbeatInterval: 10_000,
  /** Without a heartbeat, after which a process counts as dead. */
  nodeTimeout: 30_000,
  /** For which large messages are stored for the other processes. */
  messageRetention: 60_000,
  /** For the closing handshakes when the server stops. */
  closeTimeout: 1_000,
}

export type Timing = typeof defaultTiming

/** The number of messages that one of this size counts as. */
export function messageCost(bytes: number): number {
  return 1 + Math.floor(bytes / (16 * 1024))
}

export type Rates = ReturnType<typeof createRates>

/** Counts the rates of this process. @returns whether so many more are within the limit */
export function createRates(limits: Limits, { messageRetention }: Timing) {
  const messages = { points: 3 * limits.messagesPerSecond, seconds: 3 }
  const rates = createMemoryRateLimits({
    'frames-of-socket': messages,
    'messages-of-network': messages,
    'presences-of-socket': { points: limits.presences, seconds: 30 },
    'stored-bytes': { points: limits.storedMessageBytes, seconds: messageRetention / 1000 },
  })
  type Name = Parameters<typeof rates.take>[0]['limit']
  return (limit: Name, subject: string, points = 1): Promise<boolean> =>
    rates.take({ limit, subject, points }).then(
      () => true,
      () => false,
    )
}

/** An HTTP error with its status, and the message that clients show. */
export class HttpError extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
