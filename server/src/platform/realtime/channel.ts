import type { WebSocket } from 'ws'
import type { Grant } from './access.ts'
import type { Pace } from './bounds.ts'
import type { Version } from './frames.ts'

/** One socket. Thousands of them may be open: no timer and no closure of their own where one for all will do. */
export type Connection = {
  readonly socket: WebSocket
  readonly version: Version
  /** What the client names itself with. It opens nothing. */
  readonly key: string
  /** For joins that bring none; null when the key was no token. */
  readonly token: string | null
  readonly network: string
  readonly channels: Map<string, Channel>
  /** Joins that are being decided, the last one of each topic. */
  readonly joining: Map<string, { joinRef: string | null }>
  readonly pace: Pace
  readonly presencePace: Pace
  heardAt: number
  pingedAt: number
  /** Since when it has no channel. */
  aloneSince: number
}

/** A socket that has joined a topic. */
export type Channel = {
  readonly connection: Connection
  readonly topic: string
  readonly joinRef: string | null
  /** Wants an answer to its broadcasts, and its own broadcasts back. */
  readonly ack: boolean
  readonly self: boolean
  readonly presenceKey: string
  /** Is told who else is there. */
  presence: boolean
  /** Which presence is its own, if it has one. */
  presenceRef: string | null
  token: string
  grant: Grant
  /** When to look again whether it may be there, by the application's clock. */
  dueAt: number
}
