/** At the latest, when the browser is busy all the time. */
const TIMEOUT_MS = 200

function whenIdle(): Promise<void> {
  // Safari does not tell.
  if (!('requestIdleCallback' in window)) return Promise.resolve()
  return new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: TIMEOUT_MS }))
}

/** Loads the code of what a page shows besides its rows, which are painted first. */
export async function loadWhenIdle<T>(load: () => Promise<T>): Promise<T> {
  await whenIdle()
  return load()
}
