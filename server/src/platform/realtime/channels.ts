import type { WebSocket } from 'ws'
import type { FrameEncoder, Version } from './frames.ts'

/**
 * What a token may do in a topic. `expiresAt` is in milliseconds since 1970. `dependsOn`: the ids of the
 * accounts whose change may revoke the grant.
 */
export type Grant = {
  dependsOn: readonly string[]
  sessionId: string
  expiresAt: number
  write: boolean
}

/** Why access is refused: the token is invalid, or not valid for this topic. The client receives `reason`. */
export type Refusal = { refused: 'token' | 'topic'; reason: string }

/**
 * Decides who may join a topic. The application provides it, because it decides which topics there are.
 *
 * @throws when it cannot decide, for example during an outage of the database; that is not a refusal
 */
export type Authorize = (token: string, topic: string) => Promise<Grant | Refusal>

export function looksLikeToken(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)
}

/** One socket. Thousands may be open, so timers and closures are shared where possible. */
export type Connection = {
  /** What its rates are counted by. */
  readonly id: string
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
  lastActiveAt: number
  pingedAt: number
  /** When the last channel was left, by `performance.now()`. */
  noChannelSince: number
}

export type NewConnection = Pick<Connection, 'socket' | 'version' | 'key' | 'token' | 'network'>

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

export type Channels = ReturnType<typeof createChannels>

/** The channels of this process, by topic. */
export function createChannels(send: (to: Connection, prepared: FrameEncoder) => void) {
  const byTopic = new Map<string, Set<Channel>>()

  return {
    add(channel: Channel) {
      const { topic, connection } = channel
      const members = byTopic.get(topic) ?? new Set()
      byTopic.set(topic, members.add(channel))
      connection.channels.set(topic, channel)
    },

    /** @returns false when it was removed before */
    remove(channel: Channel): boolean {
      const { topic, connection } = channel
      const members = byTopic.get(topic)
      if (!members?.delete(channel)) return false
      if (members.size === 0) byTopic.delete(topic)
      connection.channels.delete(topic)
      if (connection.channels.size === 0) connection.noChannelSince = performance.now()
      return true
    },

    has: (channel: Channel) => byTopic.get(channel.topic)?.has(channel) ?? false,

    hasMembers: (topic: string) => byTopic.has(topic),

    topics: () => [...byTopic.keys()],

    channelsOf: (topic: string): Iterable<Channel> => byTopic.get(topic) ?? [],

    *all(): Generator<Channel> {
      for (const members of byTopic.values()) yield* members
    },

    deliver(
      topic: string,
      prepared: FrameEncoder,
      filter: (channel: Channel) => boolean = () => true,
    ) {
      for (const channel of byTopic.get(topic) ?? []) {
        if (filter(channel)) send(channel.connection, prepared)
      }
    },
  }
}
