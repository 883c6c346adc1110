import { randomBytes } from 'node:crypto'
import PQueue from 'p-queue'
import type { Channel, Connection } from './channel.ts'
import type { Channels } from './channels.ts'
import { onWire, type Prepared, prepare } from './frames.ts'
import type { Presence, PresenceDiff, PresenceStore } from './presence.store.ts'

export type PresenceService = ReturnType<typeof createPresence>

type Dependencies = {
  store: PresenceStore
  channels: Channels
  send(to: Connection, prepared: Prepared): void
  /** Does it in turn with what arrives from the other processes. */
  inTurn(work: () => Promise<void>): Promise<void>
  log: { debug(details: object, message: string): void }
}

/**
 * Who is there. The table is what counts, and a change reaches every process, this one included, by the
 * notification of its transaction; what this process means to have there it knows itself, and puts right
 * whenever the table may say something else.
 */
export function createPresence({ store, channels, send, inTurn, log }: Dependencies) {
  const own = new Map<string, Presence>()
  // One change after the other: of two quick ones the second must not come first.
  const turns = new PQueue({ concurrency: 1 })
  let known = false
  let unsure = false
  let stopped = false

  async function mend(): Promise<void> {
    known = true
    await store.beat()
    unsure = true
    const there = await store.own()
    for (const one of there) if (!own.has(one.ref)) await store.remove(one)
    const refs = new Set(there.map(({ ref }) => ref))
    for (const one of own.values()) if (!refs.has(one.ref)) await store.put(one, null)
    unsure = false
  }

  /** What fails is made up for at the next beat. */
  async function change(work: () => Promise<void>): Promise<void> {
    if (stopped) return
    await turns.add(async () => {
      try {
        if (!known) {
          await store.beat()
          known = true
        }
        await work()
      } catch (error) {
        unsure = true
        throw error
      }
    })
  }

  async function tell(topic: string, to: () => Iterable<Channel>): Promise<void> {
    const payload = await store.stateOf(topic)
    const prepared = prepare({ topic: onWire(topic), event: 'presence_state', payload })
    for (const channel of to()) {
      if (channel.presence && channels.has(channel)) send(channel.connection, prepared)
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
    /** Takes away what processes left that gave no sign of life for so many milliseconds. */
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
      if (!channel.presence) {
        channel.presence = true
        await tell(topic, () => [channel])
      }
      await change(() => store.put(now, before?.ref ?? null))
    },

    /** A channel is no more. */
    left(channel: Channel) {
      untrack(channel).catch((error: unknown) => {
        log.debug({ err: error }, 'a presence is taken away later')
      })
    },

    /** Who is there, to one who has just come: until then its client keeps changes back. */
    greet(channel: Channel) {
      tell(channel.topic, () => [channel]).catch((error: unknown) => {
        log.debug({ err: error }, 'a topic could not be read')
      })
    },

    heard({ topic, joins, leaves }: PresenceDiff) {
      if (!channels.isAnybodyIn(topic)) return
      // One after the other: clients before supabase-js #2566 forget refs of those who are there while
      // another joins under their key, and then never let them go.
      for (const payload of [
        { joins: {}, leaves },
        { joins, leaves: {} },
      ]) {
        if (isEmpty(payload.joins) && isEmpty(payload.leaves)) continue
        const prepared = prepare({ topic: onWire(topic), event: 'presence_diff', payload })
        channels.deliver(topic, prepared, ({ presence }) => presence)
      }
    },

    /** Says that this process lives, and puts right what it could not write. */
    async beat(): Promise<void> {
      if (!known) return
      await turns.add(async () => {
        if ((await store.beat()) || unsure) await mend()
      })
    },

    /** Changes may have been lost, or the table with them: all is written and told anew. */
    async missed(): Promise<void> {
      if (known) await turns.add(mend)
      for (const topic of channels.topics()) {
        if (![...channels.in(topic)].some(({ presence }) => presence)) continue
        await inTurn(() => tell(topic, () => channels.in(topic)))
      }
    },

    async stop(): Promise<void> {
      stopped = true
      // All of them go at once.
      turns.clear()
      await turns.onIdle()
      if (known) await store.leave()
    },
  }
}

function isEmpty(state: object): boolean {
  return Object.keys(state).length === 0
}
