import PQueue from 'p-queue'
import type { Clock } from '../../ports/clock.ts'
import type { Authorize, Grant } from './access.ts'
import type { Timing } from './bounds.ts'
import type { Channel } from './channel.ts'
import type { Channels } from './channels.ts'

/** How many questions are asked at once: thousands of channels may be due together. */
const AT_ONCE = 4

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

/** Whether those who joined may still be there. That it cannot be found out just now is no refusal. */
export function createRechecks({ channels, authorize, close, clock, timing, log }: Dependencies) {
  const questions = new PQueue({ concurrency: AT_ONCE })
  let changes = 0

  /** A grant holds until then. */
  const soon = () => clock.now() + timing.retry
  const dueAt = (grant: Grant) => Math.min(clock.now() + timing.recheck, grant.expiresAt)

  async function ask(channel: Channel, again: boolean): Promise<void> {
    const { token, topic } = channel
    if (!channels.has(channel)) return
    const verdict = await authorize(token, topic)
    // A newer token is asked about by itself.
    if (channel.token !== token || !channels.has(channel)) return
    if ('refused' in verdict) close(channel, verdict.reason)
    else if (verdict.expiresAt <= clock.now()) close(channel, EXPIRED)
    else {
      channel.grant = verdict
      channel.dueAt = again ? Math.min(soon(), verdict.expiresAt) : dueAt(verdict)
    }
  }

  /** @param again for the answer may be one that was being found out before the question */
  function check(channel: Channel, again = false) {
    channel.dueAt = Number.POSITIVE_INFINITY
    questions
      .add(() => ask(channel, again))
      .catch((error: unknown) => {
        log.debug({ err: error }, 'whether a channel may go on is not known just now')
        channel.dueAt = soon()
      })
  }

  function checkThose(concerned: (channel: Channel) => boolean) {
    changes += 1
    for (const channel of channels.all()) if (concerned(channel)) check(channel, true)
  }

  return {
    /** @param askedAt how many changes there had been when the grant was asked for */
    dueSince: (askedAt: number, grant: Grant) => (askedAt === changes ? dueAt(grant) : soon()),
    /** Goes up whenever a grant given before may hold no more. */
    changes: () => changes,

    sweep() {
      const now = clock.now()
      for (const channel of channels.all()) {
        if (channel.dueAt <= now) check(channel)
        // The answer is long in coming, and that much is known without it.
        else if (channel.grant.expiresAt + timing.retry <= now) close(channel, EXPIRED)
      }
    },

    /** Its client has a new token. */
    renew(channel: Channel, token: string) {
      channel.token = token
      check(channel)
    },

    accountChanged: (id: string) => checkThose(({ grant }) => grant.dependsOn.includes(id)),

    checkAll: () => checkThose(() => true),

    sessionsEnded(ids: ReadonlySet<string>) {
      changes += 1
      for (const channel of channels.all()) {
        if (ids.has(channel.grant.sessionId)) close(channel, 'The session has ended')
      }
    },

    stop: () => questions.clear(),
  }
}
