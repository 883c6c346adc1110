import { notificationState } from './notification-state.ts'
import { runningServiceWorker } from './service-worker.ts'

const TAG = 'new-orders'
/** So soon after the last one it is the same arrival, told by a push as well; `sw.js` knows it too. */
const SAME_ARRIVAL_MS = 10_000
const TITLE = 'Bancone - Nuovi ordini'

/** Not all browsers have `renotify`, so the types do not know it. */
type AnnouncementOptions = NotificationOptions & { renotify: boolean }

const openings = new Set<() => void>()

/** Runs when somebody has clicked on a notification that the page itself had raised. */
export function onAnnouncementOpened(listener: () => void): () => void {
  openings.add(listener)
  return () => openings.delete(listener)
}

/** How many, and nothing of what was ordered: whoever stands at the counter can read it. */
function body(count: number): string {
  return count === 1 ? 'Hai 1 nuovo ordine' : `Hai ${count} nuovi ordini`
}

/** Raises a notification of the system, if nobody looks at this page and the device may be told. */
export function announceNewOrders(count: number) {
  if (count < 1 || !document.hidden || notificationState() !== 'on') return
  // A notification that does not come is no reason to disturb the orders.
  void announce(count).catch(() => undefined)
}

async function announce(count: number) {
  const options: AnnouncementOptions = {
    body: body(count),
    tag: TAG,
    requireInteraction: true,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
    lang: 'it',
    // A further order is heard even if the notification of the one before is still there.
    renotify: true,
  }
  // Android has no others than those of a service worker.
  const worker = await runningServiceWorker().catch(() => null)
  if (!worker) return announceFromPage(options)
  const [shown] = await worker.getNotifications({ tag: TAG })
  const at = Date.now()
  if (shown && at - timeOf(shown.data) < SAME_ARRIVAL_MS) options.renotify = false
  await worker.showNotification(TITLE, { ...options, data: { at } })
}

function timeOf(data: unknown): number {
  const known = typeof data === 'object' && data !== null && 'at' in data
  return known && typeof data.at === 'number' ? data.at : 0
}

function announceFromPage(options: AnnouncementOptions) {
  const notification = new Notification(TITLE, options)
  notification.addEventListener('click', () => {
    notification.close()
    window.focus()
    for (const listener of openings) listener()
  })
}

/** Takes away what was announced: it was for somebody who has left. */
export async function withdrawAnnouncements(): Promise<void> {
  const worker = await runningServiceWorker()
  for (const shown of (await worker?.getNotifications({ tag: TAG })) ?? []) shown.close()
}
