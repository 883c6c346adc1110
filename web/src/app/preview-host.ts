import { paths, publicPaths } from '@bancone/contract/pages'
import { endOnServer } from '../lib/auth-client.ts'
import { browserStorage, tabStorage } from '../lib/browser-storage.ts'
import { adminSession, pharmacySession } from '../lib/session.ts'

/** The page does not wait longer for a browser that is slow to forget. */
const PATIENCE_MS = 2_000

/**
 * For a host where unfinished versions are shown: a reload of a page that is not public begins anew. All
 * that the browser kept of another version goes, whoever was signed in is signed out, and the login page
 * is next. Runs before anything else: nothing has been read yet.
 */
export async function forgetOnReload(): Promise<void> {
  if (!isReload() || isPublic(location.pathname)) return
  const sessions = [pharmacySession.current(), adminSession.current()]
  browserStorage.clear()
  tabStorage.clear()
  for (const session of sessions) if (session) void endOnServer(session.accessToken)
  window.history.replaceState(null, '', paths.login)
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  await Promise.race([Promise.allSettled([unregisterWorkers(), deleteCaches()]), patience])
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
