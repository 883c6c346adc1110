import { randomBytes } from 'node:crypto'
import PQueue from 'p-queue'
import type { Channel, Channels, Connection } from './channels.ts'
import { type FrameEncoder, frameEncoder, wireTopic } from './frames.ts'
import type { Presence, PresenceDiff, PresenceStore } from './presence.store.ts'

export type PresenceService = ReturnType<typeof createPresence>

type Dependencies = {
  store: PresenceStore
  channels: Channels
  send(to: Connection, prepared: FrameEncoder): void
  /** Runs in the queue of notifications from other processes. */
  inTurn(work: () => Promise<void>): Promise<void>
  log: { debug(details: object, message: string): void }
}

/**
 * Presence. The table is authoritative: a change reaches every process, including this one, by the notification
 * of its transaction. The process keeps its own presences in memory as well, and reconciles the table with them
 * after failures.
 */
export function createPresence({ store, channels, send, inTurn, log }: Dependencies) {
  const own = new Map<string, Presence>()
  // Changes are written in order.
  const turns = new PQueue({ concurrency: 1 })
  let known = false
  let unsure = false
  let stopped = false

  async function reconcile(): Promise<void> {
    known = true
    await store.heartbeat()
    unsure = true
    const there = await store.ownPresences()
    for (const one of there) if (!own.has(one.ref)) await store.remove(one)
    const refs = new Set(there.map(({ ref }) => ref))
    for (const one of own.values()) if (!refs.has(one.ref)) await store.put(one, null)
    unsure = false
  }

  /** A failed change is made up for at the next heartbeat. */
  async function change(work: () => Promise<void>): Promise<void> {
    if (stopped) return
    await turns.add(async () => {
      try {
        if (!known) {
          await store.heartbeat()
          known = true
        }
        await work()
      } catch (error) {
        unsure = true
        throw error
      }
    })
  }

  async function broadcastState(topic: string, to: () => Iterable<Channel>): Promise<void> {
    const payload = await store.stateOf(topic)
    const prepared = frameEncoder({ topic: wireTopic(topic), event: 'presence_state', payload })
    for (const channel of to()) {
      if (channel.presenceEnabled && channels.has(channel)) send(channel.connection, prepared)
    }
  }

  async function untrack(channel: Channel): Promise<void> {
    const gone = own.get(channel.presenceRef ?? '')
    if (!gone) return
    own.delete(gone.ref)
    channel.presenceRef = null
    await change(() => store.remove(gone))
  }

  return {
    untrack,
    /** Removes the presences of processes without a heartbeat for that many milliseconds. */
    sweep: store.sweep,

    async track(channel: Channel, payload: Record<string, unknown>): Promise<void> {
      const { topic, presenceKey: key } = channel
      const before = own.get(channel.presenceRef ?? '')
      const ref = randomBytes(9).toString('base64url')
      const previous = before && { phx_ref_prev: before.ref }
      const now = { topic, key, ref, meta: { ...payload, phx_ref: ref, ...previous } }
      if (before) own.delete(before.ref)
      own.set(ref, now)
      channel.presenceRef = ref
      if (!channel.presenceEnabled) {
        channel.presenceEnabled = true
        await broadcastState(topic, () => [channel])
      }
      await change(() => store.put(now, before?.ref ?? null))
    },

    /** Call it after a channel was removed. */
    channelLeft(channel: Channel) {
      untrack(channel).catch((error: unknown) => {
        log.debug({ err: error }, 'a presence is taken away later')
      })
    },

    /** Sends the state to a new channel: clients hold diffs back until they have it. */
    sendState(channel: Channel) {
      broadcastState(channel.topic, () => [channel]).catch((error: unknown) => {
        log.debug({ err: error }, 'a topic could not be read')
      })
    },

    deliverDiff({ topic, joins, leaves }: PresenceDiff) {
      if (!channels.hasMembers(topic)) return
      // Leaves and joins are sent apart: clients before supabase-js #2566 drop refs of present users while
      // another joins under the same key, and never remove them.
      for (const payload of [
        { joins: {}, leaves },
        { joins, leaves: {} },
      ]) {
        if (isEmpty(payload.joins) && isEmpty(payload.leaves)) continue
        const prepared = frameEncoder({ topic: wireTopic(topic), event: 'presence_diff', payload })
        channels.deliver(topic, prepared, ({ presenceEnabled }) => presenceEnabled)
      }
    },

    /** Writes the heartbeat, and reconciles after a failed change. */
    async heartbeat(): Promise<void> {
      if (!known) return
      await turns.add(async () => {
        if ((await store.heartbeat()) || unsure) await reconcile()
      })
    },

    /** After lost notifications: writes the own presences again, and sends the current states. */
    async resync(): Promise<void> {
      if (known) await turns.add(reconcile)
      for (const topic of channels.topics()) {
        if (![...channels.channelsOf(topic)].some(({ presenceEnabled }) => presenceEnabled)) {
          continue
        }
        await inTurn(() => broadcastState(topic, () => channels.channelsOf(topic)))
      }
    },

    async stop(): Promise<void> {
      stopped = true
      // The own presences are removed together below.
      turns.clear()
      await turns.onIdle()
      if (known) await store.leave()
    },
  }
}

function isEmpty(state: object): boolean {
  return Object.keys(state).length === 0
}
