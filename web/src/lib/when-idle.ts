/** At the latest, when the browser is busy all the time. */
const TIMEOUT_MS = 200

/** Resolves when the first rows have come, if they were asked for, and the browser has time. */
export async function whenIdle(): Promise<void> {
  await window.earlyAnswers?.ordersSettled
  // Safari does not tell.
  if (!('requestIdleCallback' in window)) return
  return new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: TIMEOUT_MS }))
}

/** Loads the code of what a page shows besides its rows. */
export async function loadWhenIdle<T>(load: () => Promise<T>): Promise<T> {
  await whenIdle()
  return load()
}
