import { notificationState } from './notification-state.ts'
import { runningServiceWorker } from './service-worker.ts'

const TAG = 'new-orders'
/**
 * Within this time a second notice is about the same arrival, announced by a push as well; `sw.js` has the same
 * value.
 */
const SAME_ARRIVAL_MS = 10_000
const TITLE = 'Bancone - Nuovi ordini'

/** `renotify` is not in the types, because not all browsers have it. */
type AnnouncementOptions = NotificationOptions & { renotify: boolean }

const openings = new Set<() => void>()

/** Called when the user has clicked on a notification that the page has shown. */
export function onAnnouncementOpened(listener: () => void): () => void {
  openings.add(listener)
  return () => openings.delete(listener)
}

/** Only the number of orders: anyone at the counter can read it. */
function body(count: number): string {
  return count === 1 ? 'Hai 1 nuovo ordine' : `Hai ${count} nuovi ordini`
}

/** Shows a system notification, if the page is hidden and the device may be notified. */
export function announceNewOrders(count: number) {
  if (count < 1 || !document.hidden || notificationState() !== 'on') return
  // A failed notification must not disturb the orders.
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
    // A further order sounds even if the notification of the one before is still shown.
    renotify: true,
  }
  // Android supports only notifications of a service worker.
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

/** Removes the notifications of a user who has signed out. */
export async function withdrawAnnouncements(): Promise<void> {
  const worker = await runningServiceWorker()
  for (const shown of (await worker?.getNotifications({ tag: TAG })) ?? []) shown.close()
}
