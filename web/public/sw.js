// Announces new orders and arrivals while no page of the application is visible, or none is open.
//
// It caches no pages and answers no requests: a page of yesterday must not be shown at the counter, and browsers install
// an application without that.
//
// Push messages contain { kind: 'new-orders' | 'arrivals' | 'test', count }, never a product or a customer.
// Pages receive { type: 'NEW_ORDERS' | 'NEW_ARRIVALS', count }, { type: 'SHOW_ORDERS' | 'SHOW_ARRIVALS' } or
// { type: 'SUBSCRIPTION_CHANGED' }.

/** The notification of a message, by its kind, which is its tag, and the message to pages. */
const news = {
  'new-orders': {
    title: 'Bancone - Nuovi ordini',
    body: (count) => (count === 1 ? 'Hai 1 nuovo ordine' : `Hai ${count} nuovi ordini`),
    message: 'NEW_ORDERS',
    opened: 'SHOW_ORDERS',
    path: '/',
  },
  arrivals: {
    title: 'Nuovo cliente arrivato!',
    body: (count) => (count === 1 ? '1 cliente in attesa' : `${count} clienti in attesa`),
    message: 'NEW_ARRIVALS',
    opened: 'SHOW_ARRIVALS',
    path: '/priority',
  },
}
const newsOf = (kind) => (Object.hasOwn(news, kind) ? kind : 'new-orders')
/** Within this time a second notification is about the same arrival, announced by a page and by a push. */
const SAME_ARRIVAL_MS = 10_000
/** Pages that do not announce orders or customers, those for customers included. */
const ELSEWHERE =
  /^\/(admin|login|confirm|reset-password|privacy)(\/|$)|^\/offers\/.|^\/priority\/(?!(settings|report|poster)\/?$)./

const appearance = { icon: '/icons/icon-192.png', badge: '/icons/badge-96.png', lang: 'it' }

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const message = read(event.data)
  event.waitUntil(
    message.kind === 'test' ? showTest() : notify(newsOf(message.kind), message.count),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(news[newsOf(event.notification.tag)]))
})

// Only a page has the session that a new subscription needs. With none open, the next page renews it.
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(
    pages().then((open) => {
      for (const page of open) page.postMessage({ type: 'SUBSCRIPTION_CHANGED' })
    }),
  )
})

/** A message that cannot be parsed counts as one new order. */
function read(data) {
  try {
    const { kind, count } = data.json()
    return { kind, count: Number.isInteger(count) && count > 0 ? count : 1 }
  } catch {
    return { kind: 'new-orders', count: 1 }
  }
}

function showTest() {
  return self.registration.showNotification('Bancone - Notifica di prova', {
    ...appearance,
    body: 'Le notifiche arrivano su questo dispositivo.',
    tag: 'test',
  })
}

async function notify(tag, count) {
  const { title, body, message } = news[tag]
  const visible = (await pages()).filter((page) => page.visibilityState === 'visible')
  for (const page of visible) page.postMessage({ type: message, count })
  if (visible.length > 0 && !mustShow()) return
  const [shown] = await self.registration.getNotifications({ tag })
  const at = Date.now()
  const again = shown?.data && at - shown.data.at < SAME_ARRIVAL_MS
  await self.registration.showNotification(title, {
    ...appearance,
    body: body(count),
    tag,
    requireInteraction: true,
    // A further one sounds even if the notification of the one before is still shown.
    renotify: !again && visible.length === 0,
    ...(visible.length > 0 && { silent: true }),
    data: { at },
  })
}

/** Safari ends the subscription of an application that shows no notification, also if a page is visible. */
function mustShow() {
  const { userAgent } = self.navigator
  return userAgent.includes('AppleWebKit') && !userAgent.includes('Chrome')
}

async function show({ path, opened }) {
  const [page] = await pages()
  if (!page) return self.clients.openWindow(path)
  await page.focus()
  page.postMessage({ type: opened })
}

/** The open pages of the pharmacy's area, the one that was visible last first. */
async function pages() {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return open.filter(({ url }) => !ELSEWHERE.test(new URL(url).pathname))
}
