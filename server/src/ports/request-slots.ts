/** One limit on concurrent requests: that of an Airtable base, or that of a user. */
export type SlotLimit = {
  /** Identifies the limit for all processes. It is stored in the database, so it must not be a secret. */
  key: string
  /** How many slots may be held at the same time, by all processes together. */
  max: number
}

/**
 * - `taken`: a slot under every limit; `slot` is its id
 * - `wait`: no slot is free; ask again in `waitMs` milliseconds
 * - `paused`: a limit is paused for another `pausedMs` milliseconds
 */
export type SlotReply =
  | { outcome: 'taken'; slot: string }
  | { outcome: 'wait'; waitMs: number }
  | { outcome: 'paused'; pausedMs: number }

/**
 * Limits the request rate to an outside service across all processes. A caller that holds its slot until one
 * second after the response keeps to `max` requests in any second, however long each one takes.
 *
 * Every method throws when the state shared with the other processes cannot be read or written.
 */
export type RequestSlots = {
  /**
   * Takes a slot under all of these limits, or under none of them. Callers that share several limits must name
   * them in the same order, to avoid deadlocks.
   *
   * @param holdMs milliseconds after which the slot becomes free even if it is never released
   */
  take(limits: SlotLimit[], holdMs: number): Promise<SlotReply>
  /** Frees the slot after `afterMs` milliseconds. */
  release(slot: string, afterMs: number): Promise<void>
  /** Refuses every slot under the limit `key` for `ms` milliseconds. */
  pause(key: string, ms: number): Promise<void>
}
