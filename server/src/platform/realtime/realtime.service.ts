import { randomUUID } from 'node:crypto'
import PQueue from 'p-queue'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Events } from '../events.ts'
import {
  type Authorize,
  type Channel,
  type Connection,
  createChannels,
  type NewConnection,
} from './channels.ts'
import { closeCodes, createConnections } from './connections.ts'
import { createFrameHandler } from './frame-handler.ts'
import { broadcastEncoder, closed, decode, type Message, systemError } from './frames.ts'
import {
  createRates,
  defaultLimits,
  defaultTiming,
  type Limits,
  messageCost,
  type Timing,
} from './limits.ts'
import { createPresenceStore } from './presence.store.ts'
import { createPresence } from './presence.ts'
import { createRechecks } from './rechecks.ts'
import { createRelay } from './relay.ts'

export type RealtimeOptions = {
  db: Database
  events: Events
  authorize: Authorize
  /** Whether the token is one of an existing session. @throws when that cannot be determined */
  isToken(token: string): Promise<boolean>
  /** The key with which other servers may broadcast to any topic. */
  isAdminKey(token: string): boolean
  /** The application's URL, and further origins whose pages may connect. */
  publicUrl: string
  origins: readonly string[]
  /** Called after the database connection was lost: notifications for this process's topics may be missing. */
  onMissed(): void
  clock: Clock
  log: Log
  limits?: Partial<Limits> | undefined
  timing?: Partial<Timing> | undefined
}

export type Realtime = ReturnType<typeof createRealtime>

const SessionIds = z.array(z.string())

/**
 * `/realtime/v1` in the Phoenix protocol over WebSockets, for the unmodified `@supabase/realtime-js`. All
 * topics are private; the application decides who may join.
 */
export function createRealtime(options: RealtimeOptions) {
  const { db, events, authorize, onMissed, clock, log } = options
  const limits = { ...defaultLimits, ...options.limits }
  const timing = { ...defaultTiming, ...options.timing }
  const node = randomUUID()
  const isWithin = createRates(limits, timing)
  const connections = createConnections(limits, timing)
  const { send } = connections
  const channels = createChannels(send)
  // Notifications of other processes, handled in order.
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
    isWithin,
    retentionMs: timing.messageRetention,
    hasSubscribers: channels.hasMembers,
    deliver,
    onPresence: presence.deliverDiff,
    inTurn,
    log,
  })
  const rechecks = createRechecks({
    channels,
    authorize,
    close: closeWithReason,
    clock,
    timing,
    log,
  })
  const handleFrame = createFrameHandler({
    channels,
    authorize,
    rechecks,
    presence,
    limits,
    isWithin,
    removeChannel,
    close,
    publish,
    send,
    clock,
    log,
  })
  let stopping = false

  function deliver(message: Message, from?: Channel) {
    const isMeant = (channel: Channel) => channel !== from || channel.self
    channels.deliver(message.topic, broadcastEncoder(message), isMeant)
  }

  async function publish(message: Message, from?: Channel): Promise<void> {
    deliver(message, from)
    await relay.publish(message)
  }

  function removeChannel(channel: Channel): boolean {
    if (!channels.remove(channel)) return false
    presence.channelLeft(channel)
    return true
  }

  function close(channel: Channel) {
    if (removeChannel(channel)) send(channel.connection, closed(channel))
  }

  function closeWithReason(channel: Channel, why: string) {
    if (channels.has(channel)) send(channel.connection, systemError(channel, why))
    close(channel)
  }

  async function receive(connection: Connection, data: Buffer, binary: boolean): Promise<void> {
    connection.lastActiveAt = performance.now()
    const { id, socket } = connection
    const isAllowed = await isWithin('frames-of-socket', id, messageCost(data.length))
    if (socket.readyState !== socket.OPEN) return
    if (!isAllowed) {
      for (const channel of connection.channels.values()) {
        send(connection, systemError(channel, 'Too many messages per second'))
      }
      socket.close(closeCodes.policyViolation, 'too many messages')
      return
    }
    const frame = decode(connection.version, data, binary)
    if (!frame) {
      socket.close(closeCodes.invalidPayload, 'a frame could not be understood')
      return
    }
    handleFrame(connection, frame).catch((error: unknown) => {
      log.error({ err: error }, 'a frame could not be dealt with')
      socket.close(closeCodes.internalError, 'internal error')
    })
  }

  const unsubscribers = [
    events.on('session_ended', (payload) => {
      const ids = SessionIds.parse(JSON.parse(payload))
      // An empty list stands for too many sessions to name.
      if (ids.length === 0) rechecks.checkAll()
      else rechecks.sessionsEnded(new Set(ids))
    }),
    events.on('account_changed', rechecks.accountChanged),
    events.onMissed(() => {
      rechecks.checkAll()
      onMissed()
      presence.resync().catch((error: unknown) => {
        log.warn({ err: error }, 'who is in which topic could not be told anew')
      })
    }),
  ]
  const sweeping = setInterval(() => {
    connections.sweep()
    rechecks.sweep()
  }, timing.sweepInterval).unref()
  const beating = setInterval(() => {
    heartbeat().catch((error: unknown) =>
      log.debug({ err: error }, 'no sign of life could be given'),
    )
  }, timing.heartbeatInterval).unref()

  async function heartbeat(): Promise<void> {
    await presence.heartbeat()
    await presence.sweep(timing.nodeTimeout)
    await relay.cleanUp()
  }

  return {
    authorize,
    isToken: options.isToken,
    isAdminKey: options.isAdminKey,
    publicUrl: options.publicUrl,
    origins: options.origins,
    limits,
    isWithin,
    hasRoom: connections.hasRoom,
    /** The number of open sockets of this process. */
    sockets: connections.count,
    publish,

    /** Sends to the sockets of this process only, for events that reach every process. */
    broadcast(topic: string, event: string, payload: unknown) {
      if (channels.hasMembers(topic)) deliver({ topic, event, payload })
    },

    /** The topics with channels in this process. */
    topics: channels.topics,

    connect(given: NewConnection) {
      const { socket } = given
      const connection = connections.add(given)
      socket.on('message', (data, binary) => void receive(connection, asBuffer(data), binary))
      socket.on('pong', () => {
        connection.lastActiveAt = performance.now()
      })
      // The library closes the socket after frames that are too large or invalid.
      socket.on('error', (error) => log.debug({ err: error }, 'a socket failed'))
      socket.on('close', () => {
        connections.remove(connection)
        for (const channel of connection.channels.values()) removeChannel(channel)
      })
      if (stopping) socket.close(closeCodes.goingAway, 'the server is stopping')
    },

    /** Closes all sockets. New ones are closed at once. */
    async closeSockets() {
      stopping = true
      await connections.closeAll()
    },

    async close() {
      clearInterval(sweeping)
      clearInterval(beating)
      for (const stop of unsubscribers) stop()
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
