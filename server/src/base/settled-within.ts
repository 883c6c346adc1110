import { setTimeout as pause } from 'node:timers/promises'

/** Waits until a promise has a result or has failed, or for so many milliseconds. Its failure is that of its other users. */
export async function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  const settled = new AbortController()
  const patience = pause(ms, undefined, { signal: settled.signal }).catch(() => {})
  await Promise.race([promise.catch(() => {}), patience])
  settled.abort()
}
