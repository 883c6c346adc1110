import { notificationState } from './notification-state.ts'
import { runningServiceWorker } from './service-worker.ts'

/**
 * Within this time a second notice is about the same arrival, announced by a push as well; `sw.js` has the same
 * value.
 */
const SAME_ARRIVAL_MS = 10_000

/** What a notification is about; `sw.js` has the same tags. */
export type AnnouncementTag = 'new-orders' | 'arrivals'

/** Only numbers: customers at the counter can read it. */
type Announcement = { tag: AnnouncementTag; title: string; body: string }

/** `renotify` is not in the types, because not all browsers have it. */
type AnnouncementOptions = NotificationOptions & { renotify: boolean; tag: AnnouncementTag }

const openings = new Set<(tag: AnnouncementTag) => void>()

/** Called when the user has clicked on a notification that the page has shown. */
export function onAnnouncementOpened(listener: (tag: AnnouncementTag) => void): () => void {
  openings.add(listener)
  return () => openings.delete(listener)
}

/** Shows a system notification of new orders, if the page is hidden and the device may be notified. */
export function announceNewOrders(count: number) {
  show(count, {
    tag: 'new-orders',
    title: 'Bancone - Nuovi ordini',
    body: count === 1 ? 'Hai 1 nuovo ordine' : `Hai ${count} nuovi ordini`,
  })
}

/** The same of customers who have arrived. */
export function announceArrivals(count: number) {
  show(count, {
    tag: 'arrivals',
    title: 'Nuovo cliente arrivato!',
    body: count === 1 ? '1 cliente in attesa' : `${count} clienti in attesa`,
  })
}

function show(count: number, announcement: Announcement) {
  if (count < 1 || !document.hidden || notificationState() !== 'on') return
  // A failed notification must not disturb the page.
  void announce(announcement).catch(() => undefined)
}

async function announce({ tag, title, body }: Announcement) {
  const options: AnnouncementOptions = {
    body,
    tag,
    requireInteraction: true,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
    lang: 'it',
    // A further one sounds even if the notification of the one before is still shown.
    renotify: true,
  }
  // Android supports only notifications of a service worker.
  const worker = await runningServiceWorker().catch(() => null)
  if (!worker) return announceFromPage(title, options)
  const [shown] = await worker.getNotifications({ tag })
  const at = Date.now()
  if (shown && at - timeOf(shown.data) < SAME_ARRIVAL_MS) options.renotify = false
  await worker.showNotification(title, { ...options, data: { at } })
}

function timeOf(data: unknown): number {
  const known = typeof data === 'object' && data !== null && 'at' in data
  return known && typeof data.at === 'number' ? data.at : 0
}

function announceFromPage(title: string, options: AnnouncementOptions) {
  const notification = new Notification(title, options)
  notification.addEventListener('click', () => {
    notification.close()
    window.focus()
    for (const listener of openings) listener(options.tag)
  })
}

/** Removes the notifications of a user who has signed out. */
export async function withdrawAnnouncements(): Promise<void> {
  const worker = await runningServiceWorker()
  const tags: AnnouncementTag[] = ['new-orders', 'arrivals']
  for (const tag of tags) {
    for (const shown of (await worker?.getNotifications({ tag })) ?? []) shown.close()
  }
}
