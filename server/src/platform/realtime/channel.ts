import type { WebSocket } from 'ws'
import type { Grant } from './access.ts'
import type { Version } from './frames.ts'
import type { TokenBucket } from './limits.ts'

/** One socket. Thousands may be open, so timers and closures are shared where possible. */
export type Connection = {
  readonly socket: WebSocket
  readonly version: Version
  /** The client's API key. It grants no access by itself. */
  readonly key: string
  /** The default token of joins; null when the key is no token. */
  readonly token: string | null
  readonly network: string
  readonly channels: Map<string, Channel>
  /** The pending joins, the latest of each topic. */
  readonly joining: Map<string, { joinRef: string | null }>
  readonly messageBucket: TokenBucket
  readonly presenceBucket: TokenBucket
  lastActiveAt: number
  pingedAt: number
  /** When the last channel was left, by `performance.now()`. */
  noChannelSince: number
}

/** A socket's membership in a topic. */
export type Channel = {
  readonly connection: Connection
  readonly topic: string
  readonly joinRef: string | null
  /** `ack`: acknowledges broadcasts; `self`: returns the client's own broadcasts to it. */
  readonly ack: boolean
  readonly self: boolean
  readonly presenceKey: string
  /** Whether the client receives the presence state and its changes. */
  presenceEnabled: boolean
  /** The ref of the client's own presence, if it is tracked. */
  presenceRef: string | null
  token: string
  grant: Grant
  /** When to authorize the channel again, by the application's clock. */
  recheckAt: number
}
