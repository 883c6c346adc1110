// Tells of new orders while no page of ours is looked at, or none is open.
//
// It keeps no pages and answers no requests: at the counter nobody may see yesterday's page, and browsers
// install an application without that.
//
// Push messages hold { kind: 'new-orders' | 'test', count }, never what was ordered.
// Pages get { type: 'NEW_ORDERS', count }, { type: 'SHOW_ORDERS' } or { type: 'SUBSCRIPTION_CHANGED' }.

const TAG = 'new-orders'
/** So soon after the last one it is the same arrival, told by a page and by a push. */
const SAME_ARRIVAL_MS = 10_000
/** Pages on which nobody sees that an order has come. */
const ELSEWHERE = /^\/(admin|login|confirm|reset-password|privacy)(\/|$)/

const appearance = { icon: '/icons/icon-192.png', badge: '/icons/badge-96.png', lang: 'it' }

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const message = read(event.data)
  event.waitUntil(message.kind === 'test' ? showTest() : tellOfOrders(message.count))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openOrders())
})

// Only a page has the session that a new subscription needs. With none open, the next one sees to it.
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(
    pages().then((open) => {
      for (const page of open) page.postMessage({ type: 'SUBSCRIPTION_CHANGED' })
    }),
  )
})

/** A message that cannot be read still says that something is new. */
function read(data) {
  try {
    const { kind, count } = data.json()
    return { kind, count: Number.isInteger(count) && count > 0 ? count : 1 }
  } catch {
    return { kind: TAG, count: 1 }
  }
}

function showTest() {
  return self.registration.showNotification('Bancone - Notifica di prova', {
    ...appearance,
    body: 'Le notifiche arrivano su questo dispositivo.',
    tag: 'test',
  })
}

async function tellOfOrders(count) {
  const seen = (await pages()).filter((page) => page.visibilityState === 'visible')
  for (const page of seen) page.postMessage({ type: 'NEW_ORDERS', count })
  if (seen.length > 0 && !mustShow()) return
  const [shown] = await self.registration.getNotifications({ tag: TAG })
  const at = Date.now()
  const told = shown?.data && at - shown.data.at < SAME_ARRIVAL_MS
  await self.registration.showNotification('Bancone - Nuovi ordini', {
    ...appearance,
    body: count === 1 ? 'Hai 1 nuovo ordine' : `Hai ${count} nuovi ordini`,
    tag: TAG,
    requireInteraction: true,
    // A further order is heard even if the notification of the one before is still there.
    renotify: !told && seen.length === 0,
    ...(seen.length > 0 && { silent: true }),
    data: { at },
  })
}

/** Safari takes the subscription away from whoever shows nothing, a visible page or not. */
function mustShow() {
  const { userAgent } = self.navigator
  return userAgent.includes('AppleWebKit') && !userAgent.includes('Chrome')
}

async function openOrders() {
  const [page] = await pages()
  if (!page) return self.clients.openWindow('/')
  await page.focus()
  page.postMessage({ type: 'SHOW_ORDERS' })
}

/** The open pages of the pharmacy's area, the one looked at last first. */
async function pages() {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return open.filter(({ url }) => !ELSEWHERE.test(new URL(url).pathname))
}
