import { z } from 'zod'
import type { Limits } from './bounds.ts'
import type { Channel, Connection } from './channel.ts'
import { type Frame, type Message, Name, type Prepared, topicOf } from './frames.ts'
import { isTokenOfUser } from './joining.ts'
import type { PresenceService } from './presence.ts'
import type { Rechecks } from './rechecks.ts'
import { closed, reply } from './replies.ts'

const Token = z.looseObject({ access_token: z.string().nullish() })
const Told = z.looseObject({ event: Name, payload: z.unknown() })
const Presence = z.looseObject({
  event: z.enum(['track', 'untrack']),
  payload: z.record(z.string(), z.unknown()).nullish(),
})

const UNMATCHED = 'unmatched topic'
const READ_ONLY = 'Unauthorized: You do not have permissions to write to this Channel topic'
const NOT_ALL = 'Unavailable: Not everybody could be told'
const MALFORMED = 'InvalidMessage: The message is not valid'
const TOO_MANY_PRESENCES = 'PresenceRateLimitReached: Too many presence messages'
const TOO_LARGE_PRESENCE = 'PresenceTooLarge: The presence is too large'

type Dependencies = {
  rechecks: Rechecks
  presence: PresenceService
  limits: Limits
  join(connection: Connection, topic: string, frame: Frame): Promise<void>
  /** @returns false if it was not there any more */
  forget(channel: Channel): boolean
  publish(message: Message, from: Channel): Promise<void>
  send(to: Connection, prepared: Prepared): void
}

/** What a client says, frame by frame. */
export function createConversation(dependencies: Dependencies) {
  const { rechecks, presence, limits, join, forget, publish, send } = dependencies

  async function tell(channel: Channel, frame: Frame): Promise<string | undefined> {
    const told = Told.safeParse(frame.payload)
    if (!told.success) return MALFORMED
    if (!channel.grant.write) return READ_ONLY
    const { event, payload = {} } = told.data
    return publish({ topic: channel.topic, event, payload }, channel).then(
      () => undefined,
      () => NOT_ALL,
    )
  }

  async function appear(channel: Channel, frame: Frame): Promise<string | undefined> {
    const said = Presence.safeParse(frame.payload)
    if (!said.success) return MALFORMED
    if (!channel.grant.write) return READ_ONLY
    if (!channel.connection.presencePace.take()) return TOO_MANY_PRESENCES
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

  function leave(
    connection: Connection,
    topic: string,
    channel: Channel | undefined,
    frame: Frame,
  ) {
    const left = channel && forget(channel)
    const attempt = connection.joining.get(topic)
    const isMeant = frame.joinRef === null || frame.joinRef === attempt?.joinRef
    if (isMeant) connection.joining.delete(topic)
    send(connection, reply(frame, 'ok'))
    if (left) send(connection, closed(channel))
  }

  return async function hear(connection: Connection, frame: Frame): Promise<void> {
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
    // What it says of an earlier time it was there is no more of interest.
    const isCurrent = frame.joinRef === null || frame.joinRef === joined?.joinRef
    const channel = isCurrent ? joined : undefined
    if (frame.event === 'phx_leave') return leave(connection, topic, channel, frame)
    if (!channel) return answer(UNMATCHED)
    switch (frame.event) {
      case 'access_token': {
        const given = Token.safeParse(frame.payload).data?.access_token
        const isNew = isTokenOfUser(given, connection) && given !== channel.token
        if (isNew) rechecks.renew(channel, given)
        return undefined
      }
      case 'broadcast': {
        const refused = await tell(channel, frame)
        return channel.ack ? answer(refused) : undefined
      }
      case 'presence':
        return answer(await appear(channel, frame))
      default:
        return answer('unmatched event')
    }
  }
}
