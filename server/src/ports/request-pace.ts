/** One of the paces a request goes by: that of a base, that of a token. */
export type PaceLimit = {
  /** What shares the pace. No secret: it is stored. */
  key: string
  /** The place is given while fewer than these are held, by whomever. */
  most: number
}

/** A place in every pace asked for; or, in milliseconds, when to ask again or how long nobody may. */
export type PlaceReply =
  | { outcome: 'taken'; place: string }
  | { outcome: 'wait'; waitMs: number }
  | { outcome: 'silence'; silentMs: number }

/**
 * How many requests an outside service gets, from all processes together. Who holds a place until a second
 * after the answer keeps to so many requests in any second, however long each is on its way.
 *
 * Every call throws when it cannot be known what the others do.
 */
export type RequestPace = {
  /**
   * A place in all of these paces, or in none. Everybody names the paces that they share in one order.
   *
   * @param holdMs after which the place comes free although nobody released it
   */
  take(limits: PaceLimit[], holdMs: number): Promise<PlaceReply>
  /** The place comes free after so many milliseconds. */
  release(place: string, afterMs: number): Promise<void>
  /** Nobody is given a place of this pace for so many milliseconds. */
  silence(key: string, ms: number): Promise<void>
}
