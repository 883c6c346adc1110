import PQueue from 'p-queue'
import { SourceError } from '../../ports/order-source.ts'

export type LimiterOptions = { perSecond: number; silenceMs: number; now: () => number }

export type BaseLimiter = ReturnType<typeof createBaseLimiter>

/**
 * Keeps one base's share of requests, for everything in the process. After Airtable has said that it
 * was too many, the base is left alone for a while: asking again only makes it longer.
 */
export function createBaseLimiter(options: LimiterOptions) {
  const queue = new PQueue({ intervalCap: options.perSecond, interval: 1000, strict: true })
  let silentUntil = 0

  function checkSilence() {
    if (options.now() < silentUntil) {
      throw new SourceError('rate_limited', 'Airtable asked for silence on this base')
    }
  }

  return {
    /** Writes go before reads: somebody waits for them. */
    async run<T>(kind: 'read' | 'write', work: () => Promise<T>): Promise<T> {
      checkSilence()
      return queue.add(
        () => {
          checkSilence()
          return work()
        },
        { priority: kind === 'write' ? 1 : 0 },
      )
    },
    beSilent() {
      silentUntil = options.now() + options.silenceMs
    },
  }
}
