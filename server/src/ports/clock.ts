/** The current time in milliseconds since 1970 (UTC), injected so that tests can set it. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }
