import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import PQueue from 'p-queue'
import { SourceError } from '../../ports/order-source.ts'
import type { RequestSlots, SlotLimit, SlotReply } from '../../ports/request-slots.ts'

export type RateOptions = {
  /** Shared by all processes. */
  slots: RequestSlots
  /** Requests per second for one base. */
  perSecond: number
  /** Requests per second for all tokens of a user together. */
  perSecondOfUser: number
  /** The user of a token, if Airtable says it. */
  userOf?: ((token: string) => Promise<string | undefined>) | undefined
  /** The length of that second in milliseconds; tests shorten it. */
  secondMs: number
  /** Milliseconds for which no request goes to a base after it answered 429. */
  pauseMs: number
  /** Time limit of one request, in milliseconds. */
  timeLimitMs: number
}

/** The kind of a call, which decides its priority: a user waits for a `write`, no user waits for a `sweep`. */
export type CallKind = 'write' | 'read' | 'sweep'

/** Slots of a base reserved for more urgent calls, so that a write finds a free one during reads. */
const RESERVED_SLOTS: Record<CallKind, number> = { write: 0, read: 1, sweep: 2 }

/** The share of the user's slots that a kind may use: many bases are swept at once while orders are read. */
const USER_SHARE: Record<CallKind, number> = { write: 1, read: 0.9, sweep: 0.25 }

/** The longest wait between two attempts, in milliseconds: a slot may become free at any time. */
const MAX_RETRY_MS = 100

/**
 * Limits the requests that arrive at Airtable in any second, across all processes. A slot is released one
 * second after the response: if the second were counted from when requests are sent, delayed ones would
 * arrive together with the next ones. After a 429 no request goes to the base for a while, because each
 * further request prolongs the block.
 */
export function createAirtableRate(options: RateOptions) {
  const { slots, secondMs } = options
  // Only the first call of each lane polls for a slot; the others queue behind it.
  const lanes = new Map<string, PQueue>()
  const baseKey = (baseId: string) => `airtable base ${baseId}`
  const userKey = (user: string | undefined, token: string) =>
    user === undefined ? `airtable token ${hashOf(token)}` : `airtable user ${hashOf(user)}`

  function laneOf(kind: CallKind, baseId: string): PQueue {
    const name = `${kind} ${baseId}`
    const lane = lanes.get(name) ?? new PQueue({ concurrency: 1 })
    lanes.set(name, lane)
    return lane
  }

  async function limitsOf(kind: CallKind, baseId: string, token: string): Promise<SlotLimit[]> {
    const ofBase = options.perSecond - RESERVED_SLOTS[kind]
    const ofUser = Math.floor(options.perSecondOfUser * USER_SHARE[kind])
    return [
      { key: baseKey(baseId), max: Math.max(1, ofBase) },
      { key: userKey(await options.userOf?.(token), token), max: Math.max(1, ofUser) },
    ]
  }

  async function ask(limits: SlotLimit[]): Promise<SlotReply> {
    try {
      return await slots.take(limits, options.timeLimitMs + secondMs)
    } catch (error) {
      throw new SourceError('unreachable', 'the pace of requests is not known', { cause: error })
    }
  }

  /** A slot whose release fails becomes free when its hold time ends. */
  function release(slot: string, afterMs: number) {
    void slots.release(slot, afterMs).catch(() => {})
  }

  async function findSlot(limits: SlotLimit[], signal?: AbortSignal): Promise<string> {
    for (;;) {
      signal?.throwIfAborted()
      const reply = await ask(limits)
      if (reply.outcome === 'paused') {
        throw new SourceError('rate_limited', 'Airtable asked for silence on this base')
      }
      if (reply.outcome === 'taken') {
        if (!signal?.aborted) return reply.slot
        release(reply.slot, 0)
      } else {
        await pause(Math.min(reply.waitMs, MAX_RETRY_MS), undefined, { signal })
      }
    }
  }

  return {
    /**
     * Runs `work` in a slot.
     * @param signal ends the wait for a slot and rejects with its reason; it does not stop work that has begun
     */
    async run<T>(
      {
        kind,
        baseId,
        token,
        signal,
      }: { kind: CallKind; baseId: string; token: string; signal?: AbortSignal | undefined },
      work: () => Promise<T>,
    ): Promise<T> {
      const limits = await limitsOf(kind, baseId, token)
      const find = () => findSlot(limits, signal)
      const slot = await laneOf(kind, baseId).add(find, signal && { signal })
      try {
        return await work()
      } finally {
        release(slot, secondMs)
      }
    },
    async pauseBase(baseId: string): Promise<void> {
      // If this fails, the next request gets a 429 and pauses the base again.
      await slots.pause(baseKey(baseId), options.pauseMs).catch(() => {})
    },
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
