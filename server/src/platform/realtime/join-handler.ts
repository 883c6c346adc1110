import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'
import { type Authorize, looksLikeToken } from './access.ts'
import type { Channel, Connection } from './channel.ts'
import type { Channels } from './channels.ts'
import { type Frame, type FrameEncoder, Name } from './frames.ts'
import type { Limits } from './limits.ts'
import type { PresenceService } from './presence.ts'
import { EXPIRED, type Rechecks } from './rechecks.ts'
import { reply } from './replies.ts'

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
  clock: Clock
  send(to: Connection, prepared: FrameEncoder): void
  /** Closes a channel without a reason. */
  close(channel: Channel): void
  log: { warn(details: object, message: string): void }
}

/** Whether the client sent a user's token. Clients without one send their API key instead. */
export function isUserToken(
  given: string | null | undefined,
  { key }: Connection,
): given is string {
  return Boolean(given) && given !== key && !given?.startsWith('sb_')
}

export function createJoinHandler(dependencies: Dependencies) {
  const { channels, authorize, rechecks, presence, limits, clock, send, close, log } = dependencies

  return async function join(connection: Connection, topic: string, frame: Frame): Promise<void> {
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
}
