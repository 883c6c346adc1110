import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import PQueue from 'p-queue'
import { SourceError } from '../../ports/order-source.ts'
import type { PaceLimit, PlaceReply, RequestPace } from '../../ports/request-pace.ts'

export type PaceOptions = {
  /** What all processes share. */
  pace: RequestPace
  token: string
  /** Requests a second for a base. */
  perSecond: number
  /** Requests a second for all bases together, which share the token. */
  perSecondOfToken: number
  /** Milliseconds of that second. */
  secondMs: number
  /** Milliseconds a base is left alone after it said 429. */
  silenceMs: number
  /** Milliseconds a request may take. */
  timeLimitMs: number
}

/** Somebody waits for a write, and nobody for a sweep. */
export type CallKind = 'write' | 'read' | 'sweep'

/** The places of a base that are left to more urgent calls: so a write finds one while others read. */
const LEFT_FREE: Record<CallKind, number> = { write: 0, read: 1, sweep: 2 }

/** The same of the token, as a share: many bases are swept at once, and each has orders to be read. */
const SHARE_OF_TOKEN: Record<CallKind, number> = { write: 1, read: 0.9, sweep: 0.25 }

/** The most milliseconds until somebody who waits looks again: a place may come free at any time. */
const LOOK_AGAIN_MS = 100

/**
 * Lets so many requests arrive in any second, in all processes together: one gives its place to another a
 * second after it was answered. Counted from when they leave, those held up on the way would arrive
 * together with the next ones. After Airtable has said that it was too many, the base is left alone for a
 * while: asking again only makes it longer.
 */
export function createAirtablePace(options: PaceOptions) {
  const { pace, secondMs } = options
  // Only the first of each lane looks for a place; the others stand behind it.
  const lanes = new Map<string, PQueue>()
  const tokenKey = `airtable token ${createHash('sha256').update(options.token).digest('hex').slice(0, 16)}`
  const baseKey = (baseId: string) => `airtable base ${baseId}`

  function laneOf(kind: CallKind, baseId: string): PQueue {
    const name = `${kind} ${baseId}`
    const lane = lanes.get(name) ?? new PQueue({ concurrency: 1 })
    lanes.set(name, lane)
    return lane
  }

  function limitsOf(kind: CallKind, baseId: string): PaceLimit[] {
    const ofBase = options.perSecond - LEFT_FREE[kind]
    const ofToken = Math.floor(options.perSecondOfToken * SHARE_OF_TOKEN[kind])
    return [
      { key: baseKey(baseId), most: Math.max(1, ofBase) },
      { key: tokenKey, most: Math.max(1, ofToken) },
    ]
  }

  async function ask(limits: PaceLimit[]): Promise<PlaceReply> {
    try {
      return await pace.take(limits, options.timeLimitMs + secondMs)
    } catch (error) {
      throw new SourceError('unreachable', 'the pace of requests is not known', { cause: error })
    }
  }

  /** A place that could not be released comes free by itself. */
  function release(place: string, afterMs: number) {
    void pace.release(place, afterMs).catch(() => {})
  }

  async function findPlace(limits: PaceLimit[], signal?: AbortSignal): Promise<string> {
    for (;;) {
      signal?.throwIfAborted()
      const reply = await ask(limits)
      if (reply.outcome === 'silence') {
        throw new SourceError('rate_limited', 'Airtable asked for silence on this base')
      }
      if (reply.outcome === 'taken') {
        if (!signal?.aborted) return reply.place
        release(reply.place, 0)
      } else {
        await pause(Math.min(reply.waitMs, LOOK_AGAIN_MS), undefined, { signal })
      }
    }
  }

  return {
    /** @param signal ends the waiting, and rejects with its reason; work that has begun ends by itself */
    async run<T>(
      {
        kind,
        baseId,
        signal,
      }: { kind: CallKind; baseId: string; signal?: AbortSignal | undefined },
      work: () => Promise<T>,
    ): Promise<T> {
      const limits = limitsOf(kind, baseId)
      const find = () => findPlace(limits, signal)
      const place = await laneOf(kind, baseId).add(find, signal && { signal })
      try {
        return await work()
      } finally {
        release(place, secondMs)
      }
    },
    async beSilent(baseId: string): Promise<void> {
      // Without it the next one to ask is told so again.
      await pace.silence(baseKey(baseId), options.silenceMs).catch(() => {})
    },
  }
}
