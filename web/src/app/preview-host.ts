import { paths, publicPaths } from '@bancone/contract/pages'
import { signOutOnServer } from '../lib/auth-fetch.ts'
import { browserStorage, tabStorage } from '../lib/browser-storage.ts'
import { adminSession, pharmacySession } from '../lib/session.ts'

/** Maximum time that the cleanup delays the page. */
const CLEANUP_TIMEOUT_MS = 2_000

/**
 * For hosts that show preview builds: a reload of a non-public page removes everything that the browser stored for
 * another build, signs the user out and opens the login page. Runs before anything else reads the storage.
 */
export async function clearStorageOnReload(): Promise<void> {
  if (!isReload() || isPublic(location.pathname)) return
  const sessions = [pharmacySession.current(), adminSession.current()]
  browserStorage.clear()
  tabStorage.clear()
  for (const session of sessions) if (session) void signOutOnServer(session.accessToken)
  window.history.replaceState(null, '', paths.login)
  const timeout = new Promise((resolve) => setTimeout(resolve, CLEANUP_TIMEOUT_MS))
  await Promise.race([Promise.allSettled([unregisterWorkers(), deleteCaches()]), timeout])
}

function isReload(): boolean {
  const [load] = performance.getEntriesByType('navigation')
  return load !== undefined && 'type' in load && load.type === 'reload'
}

function isPublic(pathname: string): boolean {
  return publicPaths.includes(pathname.replace(/\/+$/, ''))
}

async function unregisterWorkers(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const workers = await navigator.serviceWorker.getRegistrations()
  await Promise.all(workers.map((worker) => worker.unregister()))
}

async function deleteCaches(): Promise<void> {
  if (!('caches' in window)) return
  const names = await caches.keys()
  await Promise.all(names.map((name) => caches.delete(name)))
}
