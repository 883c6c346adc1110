import type { Channel, Connection } from './channel.ts'
import type { FrameEncoder } from './frames.ts'

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
