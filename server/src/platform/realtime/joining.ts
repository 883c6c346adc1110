import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'
import { type Authorize, looksLikeToken } from './access.ts'
import type { Limits } from './bounds.ts'
import type { Channel, Connection } from './channel.ts'
import type { Channels } from './channels.ts'
import { type Frame, Name, type Prepared } from './frames.ts'
import type { PresenceService } from './presence.ts'
import { EXPIRED, type Rechecks } from './rechecks.ts'
import { reply } from './replies.ts'

const Join = z.looseObject({
  config: z
    .looseObject({
      broadcast: z.looseObject({ ack: z.boolean(), self: z.boolean() }).partial().nullish(),
      // Older clients do not say whether they want to know who is there: they do.
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
  send(to: Connection, prepared: Prepared): void
  /** Ends a channel, without a word of why. */
  close(channel: Channel): void
  log: { warn(details: object, message: string): void }
}

/** Clients give their key, or one of another kind, where they have no token. */
export function isTokenOfUser(
  given: string | null | undefined,
  { key }: Connection,
): given is string {
  return Boolean(given) && given !== key && !given?.startsWith('sb_')
}

export function createJoining(dependencies: Dependencies) {
  const { channels, authorize, rechecks, presence, limits, clock, send, close, log } = dependencies

  return async function join(connection: Connection, topic: string, frame: Frame): Promise<void> {
    const refuse = (reason: string) => send(connection, reply(frame, 'error', { reason }))
    const asked = Join.safeParse(frame.payload)
    if (!asked.success) return refuse(refusals.malformed)
    const { config, access_token: given } = asked.data
    if (config?.private !== true) return refuse(refusals.public)
    if (config.postgres_changes?.length) return refuse(refusals.changes)

    // Who joins again has forgotten that they were there.
    const before = connection.channels.get(topic)
    if (before) close(before)
    connection.joining.delete(topic)
    if (connection.channels.size + connection.joining.size >= limits.topics) {
      return refuse(refusals.tooMany)
    }
    const token = isTokenOfUser(given, connection) ? given : connection.token
    if (!token || !looksLikeToken(token)) return refuse(refusals.noToken)

    const attempt = { joinRef: frame.joinRef ?? frame.ref }
    connection.joining.set(topic, attempt)
    const changes = rechecks.changes()
    const verdict = await authorize(token, topic).catch((error: unknown) => {
      log.warn({ err: error }, 'a join could not be decided')
      return undefined
    })
    // It left meanwhile, or joined anew, or is gone.
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
      presence: config.presence?.enabled ?? true,
      presenceRef: null,
      token,
      grant: verdict,
      dueAt: rechecks.dueSince(changes, verdict),
    }
    channels.add(channel)
    send(connection, reply(frame, 'ok', { postgres_changes: [] }))
    if (channel.presence) presence.greet(channel)
  }
}
