import type { Channel, Connection } from './channel.ts'
import type { Prepared } from './frames.ts'

export type Channels = ReturnType<typeof createChannels>

/** Who is where, in this process. */
export function createChannels(send: (to: Connection, prepared: Prepared) => void) {
  const byTopic = new Map<string, Set<Channel>>()

  return {
    add(channel: Channel) {
      const { topic, connection } = channel
      const members = byTopic.get(topic) ?? new Set()
      byTopic.set(topic, members.add(channel))
      connection.channels.set(topic, channel)
    },

    /** @returns false if it was not there any more */
    remove(channel: Channel): boolean {
      const { topic, connection } = channel
      const members = byTopic.get(topic)
      if (!members?.delete(channel)) return false
      if (members.size === 0) byTopic.delete(topic)
      connection.channels.delete(topic)
      if (connection.channels.size === 0) connection.aloneSince = performance.now()
      return true
    },

    has: (channel: Channel) => byTopic.get(channel.topic)?.has(channel) ?? false,

    isAnybodyIn: (topic: string) => byTopic.has(topic),

    topics: () => [...byTopic.keys()],

    in: (topic: string): Iterable<Channel> => byTopic.get(topic) ?? [],

    *all(): Generator<Channel> {
      for (const members of byTopic.values()) yield* members
    },

    deliver(topic: string, prepared: Prepared, who: (channel: Channel) => boolean = () => true) {
      for (const channel of byTopic.get(topic) ?? []) {
        if (who(channel)) send(channel.connection, prepared)
      }
    },
  }
}
