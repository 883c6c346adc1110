import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import {
  type Authorize,
  type Channel,
  type Channels,
  type Connection,
  looksLikeToken,
} from './channels.ts'
import {
  closed,
  type Frame,
  type FrameEncoder,
  type Message,
  Name,
  reply,
  topicOf,
} from './frames.ts'
import type { Limits, Rates } from './limits.ts'
import type { PresenceService } from './presence.ts'
import { EXPIRED, type Rechecks } from './rechecks.ts'

const Token = z.looseObject({ access_token: z.string().nullish() })
const BroadcastPayload = z.looseObject({ event: Name, payload: z.unknown() })
const PresencePayload = z.looseObject({
  event: z.enum(['track', 'untrack']),
  payload: z.record(z.string(), z.unknown()).nullish(),
})

const UNMATCHED = 'unmatched topic'
const READ_ONLY = 'Unauthorized: You do not have permissions to write to this Channel topic'
const NOT_ALL = 'Unavailable: Not everybody could be told'
const MALFORMED = 'InvalidMessage: The message is not valid'
const TOO_MANY_PRESENCES = 'PresenceRateLimitReached: Too many presence messages'
const TOO_LARGE_PRESENCE = 'PresenceTooLarge: The presence is too large'

const Join = z.looseObject({
  config: z
    .looseObject({
      broadcast: z.looseObject({ ack: z.boolean(), self: z.boolean() }).partial().nullish(),
      // Older clients omit `enabled`, and expect presence.
      presence: z
        .looseObject({ key: z.union([Name, z.literal('')]), enabled: z.boolean() })
        .partial()
        .nullish(),
      postgres_changes: z.array(z.unknown()).nullish(),
      private: z.boolean().nullish(),
    })
    .nullish(),
  access_token: z.string().nullish(),
})

const refusals = {
  malformed: 'InvalidJoin: The join is not valid',
  public: 'PrivateOnly: This project only allows private channels',
  changes: 'PostgresChangesNotOffered: Changes of the database are not offered',
  tooMany: 'ChannelRateLimitReached: Too many channels',
  noToken: 'Unauthorized: A token of a signed-in user is needed',
  unknown: 'Unavailable: Whether it may be joined is not known just now, try again',
} as const

type Dependencies = {
  channels: Channels
  authorize: Authorize
  rechecks: Rechecks
  presence: PresenceService
  limits: Limits
  isWithin: Rates
  /** @returns false when it was removed before */
  removeChannel(channel: Channel): boolean
  publish(message: Message, from: Channel): Promise<void>
  /** Closes a channel without a reason. */
  close(channel: Channel): void
  send(to: Connection, prepared: FrameEncoder): void
  clock: Clock
  log: Pick<Log, 'warn'>
}

/** Handles the frames of clients. */
export function createFrameHandler(dependencies: Dependencies) {
  const { channels, authorize, rechecks, presence, limits, isWithin, clock, log } = dependencies
  const { removeChannel, close, publish, send } = dependencies

  async function handleBroadcast(channel: Channel, frame: Frame): Promise<string | undefined> {
    const parsed = BroadcastPayload.safeParse(frame.payload)
    if (!parsed.success) return MALFORMED
    if (!channel.grant.write) return READ_ONLY
    const { event, payload = {} } = parsed.data
    return publish({ topic: channel.topic, event, payload }, channel).then(
      () => undefined,
      () => NOT_ALL,
    )
  }

  async function handlePresence(channel: Channel, frame: Frame): Promise<string | undefined> {
    const said = PresencePayload.safeParse(frame.payload)
    if (!said.success) return MALFORMED
    if (!channel.grant.write) return READ_ONLY
    if (!(await isWithin('presences-of-socket', channel.connection.id))) return TOO_MANY_PRESENCES
    const { event, payload } = said.data
    const bytes = Buffer.byteLength(JSON.stringify(payload ?? {}))
    if (bytes > limits.presenceBytes) return TOO_LARGE_PRESENCE
    const done =
      event === 'track' ? presence.track(channel, payload ?? {}) : presence.untrack(channel)
    return done.then(
      () => undefined,
      () => NOT_ALL,
    )
  }

  function handleLeave(
    connection: Connection,
    topic: string,
    channel: Channel | undefined,
    frame: Frame,
  ) {
    const left = channel && removeChannel(channel)
    const attempt = connection.joining.get(topic)
    const isMeant = frame.joinRef === null || frame.joinRef === attempt?.joinRef
    if (isMeant) connection.joining.delete(topic)
    send(connection, reply(frame, 'ok'))
    if (left) send(connection, closed(channel))
  }

  async function join(connection: Connection, topic: string, frame: Frame): Promise<void> {
    const refuse = (reason: string) => send(connection, reply(frame, 'error', { reason }))
    const parsed = Join.safeParse(frame.payload)
    if (!parsed.success) return refuse(refusals.malformed)
    const { config, access_token: given } = parsed.data
    if (config?.private !== true) return refuse(refusals.public)
    if (config.postgres_changes?.length) return refuse(refusals.changes)

    // A client that joins again has lost its earlier channel.
    const before = connection.channels.get(topic)
    if (before) close(before)
    connection.joining.delete(topic)
    if (connection.channels.size + connection.joining.size >= limits.topics) {
      return refuse(refusals.tooMany)
    }
    const token = isUserToken(given, connection) ? given : connection.token
    if (!token || !looksLikeToken(token)) return refuse(refusals.noToken)

    const attempt = { joinRef: frame.joinRef ?? frame.ref }
    connection.joining.set(topic, attempt)
    const changes = rechecks.changes()
    const verdict = await authorize(token, topic).catch((error: unknown) => {
      log.warn({ err: error }, 'a join could not be decided')
      return undefined
    })
    // The client has left, joined again, or disconnected meanwhile.
    if (connection.joining.get(topic) !== attempt) return undefined
    connection.joining.delete(topic)
    if (!verdict) return refuse(refusals.unknown)
    if ('refused' in verdict) return refuse(`Unauthorized: ${verdict.reason}`)
    if (verdict.expiresAt <= clock.now()) return refuse(`Unauthorized: ${EXPIRED}`)

    const channel: Channel = {
      connection,
      topic,
      joinRef: attempt.joinRef,
      ack: config.broadcast?.ack ?? false,
      self: config.broadcast?.self ?? false,
      presenceKey: config.presence?.key || randomUUID(),
      presenceEnabled: config.presence?.enabled ?? true,
      presenceRef: null,
      token,
      grant: verdict,
      recheckAt: rechecks.dueSince(changes, verdict),
    }
    channels.add(channel)
    send(connection, reply(frame, 'ok', { postgres_changes: [] }))
    if (channel.presenceEnabled) presence.sendState(channel)
  }

  return async function handleFrame(connection: Connection, frame: Frame): Promise<void> {
    const answer = (refused: string | undefined) =>
      send(connection, refused ? reply(frame, 'error', { reason: refused }) : reply(frame, 'ok'))
    if (frame.topic === 'phoenix') {
      if (frame.event === 'heartbeat') answer(undefined)
      return
    }
    const topic = topicOf(frame)
    if (topic === undefined) return answer(UNMATCHED)
    if (frame.event === 'phx_join') return join(connection, topic, frame)

    const joined = connection.channels.get(topic)
    // Frames of an earlier join of the same topic are ignored.
    const isCurrent = frame.joinRef === null || frame.joinRef === joined?.joinRef
    const channel = isCurrent ? joined : undefined
    if (frame.event === 'phx_leave') return handleLeave(connection, topic, channel, frame)
    if (!channel) return answer(UNMATCHED)
    switch (frame.event) {
      case 'access_token': {
        const given = Token.safeParse(frame.payload).data?.access_token
        const isNew = isUserToken(given, connection) && given !== channel.token
        if (isNew) rechecks.replaceToken(channel, given)
        return undefined
      }
      case 'broadcast': {
        const refused = await handleBroadcast(channel, frame)
        return channel.ack ? answer(refused) : undefined
      }
      case 'presence':
        return answer(await handlePresence(channel, frame))
      default:
        return answer('unmatched event')
    }
  }
}

/** Whether the client sent a user's token. Clients without one send their API key instead. */
function isUserToken(given: string | null | undefined, { key }: Connection): given is string {
  return Boolean(given) && given !== key && !given?.startsWith('sb_')
}
