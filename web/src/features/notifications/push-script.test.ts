import { beforeEach, expect, test, vi } from 'vitest'
import { runPublicScript } from '../../../test/public-script.ts'

type Options = NotificationOptions & { renotify?: boolean }
const CHROME = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
const SAFARI = 'Mozilla/5.0 AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'

/** The service worker's script in a browser with these pages of ours open. */
function serviceWorker(open: { path: string; visible?: boolean }[] = [], userAgent = CHROME) {
  const shown: { title: string; options: Options; data: unknown }[] = []
  const opened: string[] = []
  const heard: { path: string; message: unknown }[] = []
  const focused: string[] = []
  const clients = open.map(({ path, visible = false }) => ({
    url: `https://bancone.example${path}`,
    visibilityState: visible ? 'visible' : 'hidden',
    focus: () => Promise.resolve(focused.push(path)),
    postMessage: (message: unknown) => heard.push({ path, message }),
  }))
  const self = Object.assign(new EventTarget(), {
    navigator: { userAgent },
    skipWaiting: vi.fn<() => void>(),
    clients: {
      claim: vi.fn<() => void>(),
      matchAll: () => Promise.resolve(clients),
      openWindow: (path: string) => Promise.resolve(opened.push(path)),
    },
    registration: {
      getNotifications: ({ tag }: { tag: string }) =>
        Promise.resolve(shown.filter(({ options }) => options.tag === tag).slice(-1)),
      showNotification: (title: string, options: Options) =>
        Promise.resolve(shown.push({ title, options, data: options.data })),
    },
  })
  runPublicScript('sw.js', { self, URL, Date })

  /** Resolves when what the script does about it is done. */
  async function happen(type: string, details: object = {}) {
    let done: unknown
    const waitUntil = (work: unknown) => {
      done = work
    }
    self.dispatchEvent(Object.assign(new Event(type), details, { waitUntil }))
    await done
  }
  const push = (message: unknown) =>
    happen('push', { data: message === undefined ? null : { json: () => message } })
  return { self, shown, opened, heard, focused, happen, push }
}

beforeEach(() => {
  vi.useFakeTimers()
})

test.each([
  [1, 'Hai 1 nuovo ordine'],
  [3, 'Hai 3 nuovi ordini'],
])('with no page open, %i new orders are announced by their number alone', async (count, body) => {
  const { shown, push } = serviceWorker()
  await push({ kind: 'new-orders', count })
  expect(shown).toHaveLength(1)
  expect(shown[0]?.title).toBe('Bancone - Nuovi ordini')
  expect(shown[0]?.options).toMatchObject({
    body,
    tag: 'new-orders',
    requireInteraction: true,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
  })
})

test('a visible page gets a message in place of a notification', async () => {
  const { shown, heard, push } = serviceWorker([{ path: '/', visible: true }, { path: '/' }])
  await push({ kind: 'new-orders', count: 2 })
  expect(shown).toEqual([])
  expect(heard).toEqual([{ path: '/', message: { type: 'NEW_ORDERS', count: 2 } }])
})

test.each([
  '/admin/dashboard',
  '/login',
  '/priority/display',
  '/priority/PHARM-0001/rec1',
  '/offers/PHARM-0001',
])('a look at %s is not one at the orders', async (path) => {
  const { shown, push } = serviceWorker([{ path, visible: true }])
  await push({ kind: 'new-orders', count: 2 })
  expect(shown).toHaveLength(1)
})

test('in a hidden page it is announced', async () => {
  const { shown, heard, push } = serviceWorker([{ path: '/' }])
  await push({ kind: 'new-orders', count: 2 })
  expect(shown).toHaveLength(1)
  expect(heard).toEqual([])
})

test('Safari, which wants one for every message, gets one without a sound', async () => {
  const { shown, push } = serviceWorker([{ path: '/', visible: true }], SAFARI)
  await push({ kind: 'new-orders', count: 2 })
  expect(shown[0]?.options).toMatchObject({ silent: true, renotify: false })
})

test('a further order is heard, the same one told twice is not', async () => {
  const { shown, push } = serviceWorker()
  await push({ kind: 'new-orders', count: 1 })
  vi.advanceTimersByTime(3_000)
  await push({ kind: 'new-orders', count: 1 })
  vi.advanceTimersByTime(30_000)
  await push({ kind: 'new-orders', count: 2 })
  expect(shown.map(({ options }) => options.renotify)).toEqual([true, false, true])
})

test('a test is shown also while a page is visible', async () => {
  const { shown, push } = serviceWorker([{ path: '/', visible: true }])
  await push({ kind: 'test', count: 0 })
  expect(shown).toMatchObject([
    {
      title: 'Bancone - Notifica di prova',
      options: { body: 'Le notifiche arrivano su questo dispositivo.' },
    },
  ])
})

test.each([undefined, 'new', { kind: 'new-orders' }, { kind: 'new-orders', count: -1 }])(
  'a message that cannot be read (%j) still says that there is something',
  async (message) => {
    const { shown, push } = serviceWorker()
    await push(message)
    expect(shown[0]?.options.body).toBe('Hai 1 nuovo ordine')
  },
)

test('a click opens the orders where no page of the pharmacy is open', async () => {
  const { opened, focused, happen } = serviceWorker([{ path: '/admin/dashboard' }])
  const close = vi.fn<() => void>()
  await happen('notificationclick', { notification: { close } })
  expect(opened).toEqual(['/'])
  expect(focused).toEqual([])
  expect(close).toHaveBeenCalledOnce()
})

test('a click goes to the open page, which shows the orders', async () => {
  const { opened, focused, heard, happen } = serviceWorker([{ path: '/?page=3' }, { path: '/' }])
  await happen('notificationclick', { notification: { close: () => undefined } })
  expect(opened).toEqual([])
  expect(focused).toEqual(['/?page=3'])
  expect(heard).toEqual([{ path: '/?page=3', message: { type: 'SHOW_ORDERS' } }])
})

test.each([
  [1, '1 cliente in attesa'],
  [3, '3 clienti in attesa'],
])('%i arrivals are announced beside the orders, without a name', async (count, body) => {
  const { shown, push } = serviceWorker()
  await push({ kind: 'new-orders', count: 1 })
  await push({ kind: 'arrivals', count })
  expect(shown[1]?.title).toBe('Nuovo cliente arrivato!')
  expect(shown[1]?.options).toMatchObject({ body, tag: 'arrivals', renotify: true })
})

test('an open page is told of arrivals, and a click on them opens the customers', async () => {
  const { heard, push } = serviceWorker([{ path: '/', visible: true }])
  await push({ kind: 'arrivals', count: 2 })
  expect(heard).toEqual([{ path: '/', message: { type: 'NEW_ARRIVALS', count: 2 } }])
  const notification = { close: () => undefined, tag: 'arrivals' }
  const closed = serviceWorker()
  await closed.happen('notificationclick', { notification })
  expect(closed.opened).toEqual(['/priority'])
  const open = serviceWorker([{ path: '/' }])
  await open.happen('notificationclick', { notification })
  expect(open.heard).toEqual([{ path: '/', message: { type: 'SHOW_ARRIVALS' } }])
})

test('a subscription that the browser changed is renewed by the open pages', async () => {
  const { heard, happen } = serviceWorker([{ path: '/' }])
  await happen('pushsubscriptionchange')
  expect(heard).toEqual([{ path: '/', message: { type: 'SUBSCRIPTION_CHANGED' } }])
})

test('a new version takes over at once, and answers no requests', async () => {
  const { self, happen } = serviceWorker()
  await happen('install')
  await happen('activate')
  expect(self.skipWaiting).toHaveBeenCalledOnce()
  expect(self.clients.claim).toHaveBeenCalledOnce()
  const request = new Event('fetch')
  const respondWith = vi.fn<() => void>()
  self.dispatchEvent(Object.assign(request, { respondWith }))
  expect(respondWith).not.toHaveBeenCalled()
})
