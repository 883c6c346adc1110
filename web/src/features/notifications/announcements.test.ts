import { expect, test, vi } from 'vitest'
import { fakeNotifications, lookAway } from '../../../test/fake-notifications.ts'
import { fakePush } from '../../../test/fake-push.ts'
import { announceNewOrders } from './announcements.ts'

/** Long enough for whatever would have been raised. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

test.each([
  [1, 'Hai 1 nuovo ordine'],
  [2, 'Hai 2 nuovi ordini'],
])('%i new orders in a hidden tab raise a notification that stays', async (count, body) => {
  const { raised } = fakeNotifications('granted')
  lookAway(true)
  announceNewOrders(count)
  await vi.waitFor(() => expect(raised).toHaveLength(1))
  expect(raised[0]).toMatchObject({
    title: 'Bancone - Nuovi ordini',
    options: { body, tag: 'new-orders', requireInteraction: true, icon: '/icons/icon-192.png' },
  })
})

test('with a service worker the notification is its own, as Android wants', async () => {
  const { raised } = fakeNotifications('granted')
  const push = fakePush()
  // Only 'false' means off.
  localStorage.setItem('enableSystemNotifications', 'no')
  lookAway(true)
  announceNewOrders(2)
  await vi.waitFor(() => expect(push.shown).toHaveLength(1))
  expect(push.shown[0]).toMatchObject({
    title: 'Bancone - Nuovi ordini',
    options: { body: 'Hai 2 nuovi ordini', tag: 'new-orders', requireInteraction: true },
  })
  expect(raised).toEqual([])
})

test('the same arrival told by a push a moment ago is not heard twice', async () => {
  fakeNotifications('granted')
  const push = fakePush()
  lookAway(true)
  announceNewOrders(1)
  await vi.waitFor(() => expect(push.shown[0]?.options).toMatchObject({ renotify: true }))
  announceNewOrders(1)
  await vi.waitFor(() => expect(push.shown[0]?.options).toMatchObject({ renotify: false }))
})

const conditions = {
  'the page is visible': () => lookAway(false),
  'the preference is off': () => localStorage.setItem('enableSystemNotifications', 'false'),
  'the browser was told no': () => fakeNotifications('denied'),
  'the browser was never asked': () => fakeNotifications('default'),
  'the browser has no notifications': () => Reflect.deleteProperty(globalThis, 'Notification'),
}

test.each(Object.entries(conditions))('nothing is raised when %s', async (_, arrange) => {
  const { raised } = fakeNotifications('granted')
  lookAway(true)
  arrange()
  announceNewOrders(1)
  await settle()
  expect(raised).toEqual([])
})

test('no orders are no news', async () => {
  const { raised } = fakeNotifications('granted')
  lookAway(true)
  announceNewOrders(0)
  await settle()
  expect(raised).toEqual([])
})
