import { SourceError } from '../../ports/order-source.ts'
import { createPace, type Pace, type PaceOptions } from './request-pace.ts'

export type LimiterOptions = PaceOptions & {
  silenceMs: number
  now: () => number
  /** What all bases share. */
  tokenPace: Pace
}

export type BaseLimiter = ReturnType<typeof createBaseLimiter>

/**
 * Keeps one base's share of requests, for everything in the process. After Airtable has said that it
 * was too many, the base is left alone for a while: asking again only makes it longer.
 */
export function createBaseLimiter(options: LimiterOptions) {
  const pace = createPace(options)
  let silentUntil = 0

  function checkSilence() {
    if (options.now() < silentUntil) {
      throw new SourceError('rate_limited', 'Airtable asked for silence on this base')
    }
  }

  return {
    /** @param signal ends the waiting, and rejects with its reason */
    async run<T>(kind: 'read' | 'write', work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      checkSilence()
      const whenItsTurn = async () => {
        checkSilence()
        return work()
      }
      // The base first: who waits for it must not keep a place that other bases could have.
      return pace.run(kind, () => options.tokenPace.run(kind, whenItsTurn, signal), signal)
    },
    beSilent() {
      silentUntil = options.now() + options.silenceMs
    },
  }
}
