import { randomInt } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { AppError } from '../../../base/app-error.ts'
import { createKeyedBatches } from '../../../platform/batches.ts'
import type { Events } from '../../../platform/events.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { PriorityDisplaysStore } from '../priority-displays.store.ts'
import { customerSessions, displayState } from './customer.rules.ts'
import type { CustomerSessionsStore, RoomState } from './customer-sessions.store.ts'

const defaults = {
  /** Streams of one token. With a further one the oldest ends, which a phone may have lost without a word. */
  perToken: 3,
  perProcess: 5_000,
  /** Milliseconds between two comments, which keep proxies and phones from ending a silent connection. */
  commentMs: 15_000,
  /** Milliseconds between two checks whether an operator has come. */
  attendanceMs: 15_000,
  /** Milliseconds before a failed reading is repeated. */
  retryMs: 2_000,
}
export type StreamLimits = typeof defaults

/** Bytes that a client may leave unread before it is disconnected. */
const MAX_UNREAD_BYTES = 64 * 1024

/** Milliseconds after which clients connect again, chosen at random: all of them lose a process at once. */
const RECONNECT_MS = { min: 500, max: 4_000 }
/** Longer where the client has opened too many itself. */
const REPLACED_MS = 60_000

type Subject = { prioritySessionId: string } | { displayId: string }
type Stream = { response: ServerResponse; subject: Subject; token: string; last: string }
type Room = { streams: Set<Stream>; timer: NodeJS.Timeout | undefined }

type Dependencies = {
  store: Pick<CustomerSessionsStore, 'room'>
  displays: Pick<PriorityDisplaysStore, 'markSeen'>
  events: Pick<Events, 'on' | 'onMissed'>
  clock: Clock
  log: { warn(details: object, message: string): void }
  limits?: Partial<StreamLimits> | undefined
}

export type CustomerStreams = ReturnType<typeof createCustomerStreams>

/**
 * The open pages of customers and the displays of this process, by pharmacy. A change of a pharmacy is read once for
 * all of its streams; changes during a reading cause one more. Every event is the whole state, so that none needs to be
 * kept.
 */
export function createCustomerStreams(dependencies: Dependencies) {
  const { store, displays, events, clock, log, limits } = dependencies
  const limit = { ...defaults, ...limits }
  const rooms = new Map<string, Room>()
  const readings = createKeyedBatches(read)
  const refresh = (pharmacyId: string) => readings.add(pharmacyId)
  const byToken = new Map<string, Stream[]>()
  let count = 0
  let isClosed = false

  const stops = [
    events.on('priority_changed', refresh),
    // The pharmacy may have been deactivated or lost the feature. The id is that of its account.
    events.on('account_changed', refresh),
    events.onMissed(() => {
      for (const pharmacyId of rooms.keys()) void refresh(pharmacyId)
    }),
  ]
  const comments = setInterval(() => {
    for (const { streams } of rooms.values()) {
      for (const stream of streams) write(stream, ':\n\n')
    }
  }, limit.commentMs).unref()

  async function read(pharmacyId: string): Promise<void> {
    const room = rooms.get(pharmacyId)
    if (!room) return
    clearTimeout(room.timer)
    let againIn = limit.retryMs
    try {
      againIn = await deliver(pharmacyId, room)
    } catch (error) {
      log.warn({ err: error }, 'the state of customers could not be read')
    }
    if (room.streams.size > 0)
      room.timer = setTimeout(() => void refresh(pharmacyId), againIn).unref()
  }

  /** @returns milliseconds until the state can change without an event: when operators come and go */
  async function deliver(pharmacyId: string, { streams }: Room): Promise<number> {
    // Streams that join meanwhile are read next.
    const present = [...streams]
    const subjects = present.map(({ subject }) => subject)
    const [state, seen] = await Promise.all([
      store.room(pharmacyId, [...new Set(subjects.flatMap(sessionOf))]),
      displays.markSeen([...new Set(subjects.flatMap(displayOf))]),
    ])
    const textOf = state && texts(state, seen)
    for (const stream of present) {
      if (!streams.has(stream)) continue
      const text = textOf?.(stream.subject)
      // The page asks again, and learns why there is nothing any more.
      if (text === undefined) end(stream, RECONNECT_MS.min)
      else if (text !== stream.last) {
        stream.last = text
        write(stream, text)
      }
    }
    const left = state?.attendedMs ?? Number.POSITIVE_INFINITY
    return Math.min(left + 20, limit.attendanceMs)
  }

  function texts(state: RoomState, seen: ReadonlySet<string>) {
    const sessions = customerSessions(state, clock.now())
    const display = eventText(displayState(state))
    return (subject: Subject): string | undefined => {
      if ('displayId' in subject) return seen.has(subject.displayId) ? display : undefined
      const session = sessions.get(subject.prioritySessionId)
      return session && eventText(session, session.version)
    }
  }

  function write(stream: Stream, text: string): void {
    const { response } = stream
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
    else response.write(text)
  }

  function end(stream: Stream, retryMs: number): void {
    leave(stream)
    stream.response.end(`retry: ${retryMs}\n\n`)
  }

  const leavings = new WeakMap<Stream, () => void>()
  function leave(stream: Stream): void {
    leavings.get(stream)?.()
    leavings.delete(stream)
  }

  function join(pharmacyId: string, stream: Stream): void {
    const room: Room = rooms.get(pharmacyId) ?? { streams: new Set(), timer: undefined }
    rooms.set(pharmacyId, room)
    room.streams.add(stream)
    const ofToken = [...(byToken.get(stream.token) ?? []), stream]
    byToken.set(stream.token, ofToken)
    count += 1
    leavings.set(stream, () => {
      count -= 1
      room.streams.delete(stream)
      const others = (byToken.get(stream.token) ?? []).filter((each) => each !== stream)
      if (others.length > 0) byToken.set(stream.token, others)
      else byToken.delete(stream.token)
      if (room.streams.size > 0) return
      clearTimeout(room.timer)
      if (rooms.get(pharmacyId) === room) rooms.delete(pharmacyId)
    })
    const [oldest] = ofToken
    if (ofToken.length > limit.perToken && oldest) end(oldest, REPLACED_MS)
  }

  return {
    /** @throws AppError when this process has no room for another stream */
    requireRoom(): void {
      if (isClosed) throw new AppError('service.unavailable')
      if (count >= limit.perProcess)
        throw new AppError('priority.too_many_requests', { retryAfter: 10 })
    },

    /** Sends the state, and then every change of it. The response must have its headers already. */
    open(pharmacyId: string, subject: Subject, token: string, response: ServerResponse): void {
      if (response.destroyed) return
      if (isClosed) {
        response.end()
        return
      }
      const stream: Stream = { response, subject, token, last: '' }
      response.once('close', () => leave(stream))
      join(pharmacyId, stream)
      void refresh(pharmacyId)
    },

    close(): void {
      isClosed = true
      clearInterval(comments)
      for (const stop of stops) stop()
      for (const { streams } of rooms.values()) {
        for (const stream of streams) end(stream, randomInt(RECONNECT_MS.min, RECONNECT_MS.max))
      }
    },
  }
}

function eventText(state: object, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(state)}\n\n`
}

const sessionOf = (subject: Subject) =>
  'prioritySessionId' in subject ? [subject.prioritySessionId] : []
const displayOf = (subject: Subject) => ('displayId' in subject ? [subject.displayId] : [])
