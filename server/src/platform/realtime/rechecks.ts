import PQueue from 'p-queue'
import type { Clock } from '../../ports/clock.ts'
import type { Authorize, Channel, Channels, Grant } from './channels.ts'
import type { Timing } from './limits.ts'

/** Concurrent authorizations: thousands of channels may be due together. */
const CONCURRENCY = 4

export const EXPIRED = 'Access token has expired'

export type Rechecks = ReturnType<typeof createRechecks>

type Dependencies = {
  channels: Channels
  authorize: Authorize
  close(channel: Channel, why: string): void
  clock: Clock
  timing: Timing
  log: { debug(details: object, message: string): void }
}

/** Authorizes the channels again. An error is not a refusal: the channel stays. */
export function createRechecks({ channels, authorize, close, clock, timing, log }: Dependencies) {
  const queue = new PQueue({ concurrency: CONCURRENCY })
  let changes = 0

  /** The time of the next attempt after an error. */
  const afterRetryDelay = () => clock.now() + timing.retryDelay
  const nextRecheck = (grant: Grant) =>
    Math.min(clock.now() + timing.recheckInterval, grant.expiresAt)

  async function reauthorize(channel: Channel, again: boolean): Promise<void> {
    const { token, topic } = channel
    if (!channels.has(channel)) return
    const verdict = await authorize(token, topic)
    // A newer token is checked separately.
    if (channel.token !== token || !channels.has(channel)) return
    if ('refused' in verdict) close(channel, verdict.reason)
    else if (verdict.expiresAt <= clock.now()) close(channel, EXPIRED)
    else {
      channel.grant = verdict
      channel.recheckAt = again
        ? Math.min(afterRetryDelay(), verdict.expiresAt)
        : nextRecheck(verdict)
    }
  }

  /** @param again checks once more soon, because this result may stem from before the change */
  function check(channel: Channel, again = false) {
    channel.recheckAt = Number.POSITIVE_INFINITY
    queue
      .add(() => reauthorize(channel, again))
      .catch((error: unknown) => {
        log.debug({ err: error }, 'whether a channel may go on is not known just now')
        channel.recheckAt = afterRetryDelay()
      })
  }

  function checkMatching(concerned: (channel: Channel) => boolean) {
    changes += 1
    for (const channel of channels.all()) if (concerned(channel)) check(channel, true)
  }

  return {
    /** @param askedAt the value of `changes()` when the grant was requested */
    dueSince: (askedAt: number, grant: Grant) =>
      askedAt === changes ? nextRecheck(grant) : afterRetryDelay(),
    /** A counter of the changes that may revoke grants. */
    changes: () => changes,

    sweep() {
      const now = clock.now()
      for (const channel of channels.all()) {
        if (channel.recheckAt <= now) check(channel)
        // The check takes long, and the expiry is known without it.
        else if (channel.grant.expiresAt + timing.retryDelay <= now) close(channel, EXPIRED)
      }
    },

    /** Called when the client sends a new token. */
    replaceToken(channel: Channel, token: string) {
      channel.token = token
      check(channel)
    },

    accountChanged: (id: string) => checkMatching(({ grant }) => grant.dependsOn.includes(id)),

    checkAll: () => checkMatching(() => true),

    sessionsEnded(ids: ReadonlySet<string>) {
      changes += 1
      for (const channel of channels.all()) {
        if (ids.has(channel.grant.sessionId)) close(channel, 'The session has ended')
      }
    },

    stop: () => queue.clear(),
  }
}
