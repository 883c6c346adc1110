import { randomUUID } from 'node:crypto'
import PQueue from 'p-queue'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Events } from '../events.ts'
import type { Authorize } from './access.ts'
import { type Limits, type Timing, usualLimits, usualTiming, weightOf } from './bounds.ts'
import type { Channel, Connection } from './channel.ts'
import { createChannels } from './channels.ts'
import { closeCodes, createConnections } from './connections.ts'
import { createConversation } from './conversation.ts'
import { decode, type Message, prepareBroadcast, type Version } from './frames.ts'
import { createJoining } from './joining.ts'
import { createPresenceStore } from './presence.store.ts'
import { createPresence } from './presence.ts'
import { createRechecks } from './rechecks.ts'
import { createRelay } from './relay.ts'
import { closed, systemError } from './replies.ts'

type Log = Record<'debug' | 'warn' | 'error', (details: object, message: string) => void>

export type RealtimeOptions = {
  db: Database
  events: Events
  authorize: Authorize
  /** Whether a token is one of somebody who is signed in. @throws if that cannot be found out */
  isToken(token: string): Promise<boolean>
  /** The key with which other servers may tell any topic something. */
  isAdminKey(token: string): boolean
  /** The address people use, and other sites whose pages may connect. */
  publicUrl: string
  origins: readonly string[]
  /** The line to the database was broken: what the topics of this process were told may be lost. */
  onMissed(): void
  clock: Clock
  log: Log
  limits?: Partial<Limits> | undefined
  timing?: Partial<Timing> | undefined
}

export type Realtime = ReturnType<typeof createRealtime>

const SessionIds = z.array(z.string())

/**
 * `/realtime/v1`: topics that clients of the Phoenix protocol join over web sockets, of which the
 * unchanged `@supabase/realtime-js` is one. All topics are private; who may join, the application says.
 */
export function createRealtime(options: RealtimeOptions) {
  const { db, events, authorize, onMissed, clock, log } = options
  const limits = { ...usualLimits, ...options.limits }
  const timing = { ...usualTiming, ...options.timing }
  const node = randomUUID()
  const connections = createConnections(limits, timing)
  const { send } = connections
  const channels = createChannels(send)
  // What arrives from the other processes, in the order in which it was told.
  const arrivals = new PQueue({ concurrency: 1 })
  const inTurn = (work: () => Promise<void>) => arrivals.add(work)
  const presence = createPresence({
    store: createPresenceStore(db, node),
    channels,
    send,
    inTurn,
    log,
  })
  const relay = createRelay({
    db,
    events,
    node,
    limits,
    kept: timing.kept,
    isWanted: channels.isAnybodyIn,
    deliver,
    onPresence: presence.heard,
    inTurn,
    log,
  })
  const rechecks = createRechecks({ channels, authorize, close: end, clock, timing, log })
  const join = createJoining({
    channels,
    authorize,
    rechecks,
    presence,
    limits,
    clock,
    send,
    close,
    log,
  })
  const hear = createConversation({ rechecks, presence, limits, join, forget, publish, send })
  let stopping = false

  function deliver(message: Message, from?: Channel) {
    const isMeant = (channel: Channel) => channel !== from || channel.self
    channels.deliver(message.topic, prepareBroadcast(message), isMeant)
  }

  async function publish(message: Message, from?: Channel): Promise<void> {
    deliver(message, from)
    await relay.publish(message)
  }

  function forget(channel: Channel): boolean {
    if (!channels.remove(channel)) return false
    presence.left(channel)
    return true
  }

  function close(channel: Channel) {
    if (forget(channel)) send(channel.connection, closed(channel))
  }

  function end(channel: Channel, why: string) {
    if (channels.has(channel)) send(channel.connection, systemError(channel, why))
    close(channel)
  }

  function receive(connection: Connection, data: Buffer, binary: boolean) {
    connection.heardAt = performance.now()
    const { socket } = connection
    if (socket.readyState !== socket.OPEN) return
    if (!connection.pace.take(weightOf(data.length))) {
      for (const channel of connection.channels.values()) {
        send(connection, systemError(channel, 'Too many messages per second'))
      }
      socket.close(closeCodes.policy, 'too many messages')
      return
    }
    const frame = decode(connection.version, data, binary)
    if (!frame) {
      socket.close(closeCodes.malformed, 'a frame could not be understood')
      return
    }
    hear(connection, frame).catch((error: unknown) => {
      log.error({ err: error }, 'a frame could not be dealt with')
      socket.close(closeCodes.failed, 'internal error')
    })
  }

  const deaf = [
    events.on('session_ended', (payload) => {
      const ids = SessionIds.parse(JSON.parse(payload))
      // None named means that there were too many.
      if (ids.length === 0) rechecks.checkAll()
      else rechecks.sessionsEnded(new Set(ids))
    }),
    events.on('account_changed', rechecks.accountChanged),
    events.onMissed(() => {
      rechecks.checkAll()
      onMissed()
      presence.missed().catch((error: unknown) => {
        log.warn({ err: error }, 'who is in which topic could not be told anew')
      })
    }),
  ]
  const sweeping = setInterval(() => {
    connections.sweep()
    rechecks.sweep()
  }, timing.sweep).unref()
  const beating = setInterval(() => {
    beat().catch((error: unknown) => log.debug({ err: error }, 'no sign of life could be given'))
  }, timing.beat).unref()

  async function beat(): Promise<void> {
    await presence.beat()
    await presence.sweep(timing.dead)
    await relay.cleanUp()
  }

  return {
    authorize,
    isToken: options.isToken,
    isAdminKey: options.isAdminKey,
    publicUrl: options.publicUrl,
    origins: options.origins,
    limits,
    hasRoom: connections.hasRoom,
    publish,

    /** To the sockets of this process: for what every process learns by itself. */
    broadcast(topic: string, event: string, payload: unknown) {
      if (channels.isAnybodyIn(topic)) deliver({ topic, event, payload })
    },

    /** Those that somebody has joined here. */
    topics: channels.topics,

    connect(given: {
      socket: WebSocket
      version: Version
      key: string
      token: string | null
      network: string
    }) {
      const { socket } = given
      const connection = connections.add(given)
      socket.on('message', (data, binary) => receive(connection, asBuffer(data), binary))
      socket.on('pong', () => {
        connection.heardAt = performance.now()
      })
      // Frames that are too large or no frames at all: the library closes the socket itself.
      socket.on('error', (error) => log.debug({ err: error }, 'a socket failed'))
      socket.on('close', () => {
        connections.remove(connection)
        for (const channel of connection.channels.values()) forget(channel)
      })
      if (stopping) socket.close(closeCodes.leaving, 'the server is stopping')
    },

    /** Closes the sockets; whoever comes later is closed at once. */
    async closeSockets() {
      stopping = true
      await connections.closeAll()
    },

    async close() {
      clearInterval(sweeping)
      clearInterval(beating)
      for (const stop of deaf) stop()
      rechecks.stop()
      await relay.stop()
      await arrivals.onIdle()
      await presence.stop().catch((error: unknown) => {
        log.debug({ err: error }, 'the others find out by themselves who is gone')
      })
    },
  }
}

function asBuffer(data: Buffer | ArrayBuffer | Buffer[]): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}
