import { getPushKey, subscribeDevice } from '@bancone/contract/notifications'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fakeNotifications, lookAway } from '../../../test/fake-notifications.ts'
import { fakePush, publicKey } from '../../../test/fake-push.ts'
import { sessionOf, userId } from '../../../test/fixtures.ts'
import { storeSession } from '../../../test/render-app.tsx'
import { renderPart, signedIn } from '../../../test/render-part.tsx'
import { failure, StubApi } from '../../../test/stub-api.ts'
import { pharmacySession } from '../../lib/session.ts'
import { announceNewOrders } from './announcements.ts'
import { PushRegistration } from './pharmacy-alerts.tsx'
import { subscribeThisDevice } from './push-subscription.ts'

function keep(permission: NotificationPermission = 'granted', at = '/') {
  const { raised } = fakeNotifications(permission)
  const push = fakePush({ running: false })
  const api = new StubApi()
    .on(getPushKey, () => ({ publicKey: publicKey(1) }))
    .on(subscribeDevice, () => ({}))
    .auth('POST', '/logout', () => new Response(null, { status: 204 }))
  signedIn(api)
  const onNews = vi.fn<() => void>()
  const start = () => renderPart(<PushRegistration onNews={onNews} />, at)
  return { raised, push, api, onNews, start }
}

/** Long enough for a call that must not be made. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 50))

const address = () => screen.getByTestId('address').textContent

const told = (api: StubApi) =>
  api.requests.filter(
    ({ method, path }) => `${method} ${path}` === 'POST /api/notifications/devices',
  )

test('a device that may be told is subscribed without a word', async () => {
  const { push, api, start } = keep()
  start()
  await waitFor(() => expect(told(api)).toHaveLength(1))
  expect(push.endpoint).toBe('https://push.example/1')
})

test.each([
  ['the permission', 'default' as const, 'true'],
  ['the preference', 'granted' as const, 'false'],
])('without %s it is not, but the application can be installed', async (_, permission, stored) => {
  localStorage.setItem('enableSystemNotifications', stored)
  const { push, api, start } = keep(permission)
  start()
  await waitFor(() => expect(push.registered).toEqual(['/sw.js']))
  expect(push.made).toBe(0)
  expect(api.requests).toEqual([])
})

test('a failure shows no message', async () => {
  const { api, start } = keep()
  api.on(getPushKey, () => failure('internal'))
  start()
  await waitFor(() => expect(api.requests).toHaveLength(1))
  expect(screen.queryByText(/avvisi/i)).toBeNull()
})

test('a device that is subscribed is not subscribed on every page, but again with another session', async () => {
  const { push, api, start } = keep()
  start().unmount()
  await waitFor(() => expect(told(api)).toHaveLength(1))
  start().unmount()
  await waitFor(() => expect(push.registered).toHaveLength(2))
  await settled()
  expect(told(api)).toHaveLength(1)
  storeSession('pharmacy', sessionOf(userId, { id: 'another' }))
  start()
  await waitFor(() => expect(told(api)).toHaveLength(2))
  expect(push.made).toBe(1)
})

test('so is one that has lost its subscription, and after an hour any', async () => {
  const { push, api, start } = keep()
  storeSession('pharmacy', sessionOf(userId, { lasts: 3 * 3600 }))
  start().unmount()
  await waitFor(() => expect(told(api)).toHaveLength(1))
  push.drop()
  start().unmount()
  await waitFor(() => expect(told(api)).toHaveLength(2))
  vi.setSystemTime(Date.now() + 61 * 60_000)
  onTestFinished(() => void vi.useRealTimers())
  start()
  await waitFor(() => expect(told(api)).toHaveLength(3))
})

test('a browser that refuses is not asked on every page, but on demand', async () => {
  const { push, api, start } = keep()
  push.refusal = new DOMException('permission denied', 'NotAllowedError')
  start().unmount()
  await waitFor(() => expect(push.asked).toBe(1))
  start()
  await waitFor(() => expect(push.registered).toHaveLength(2))
  await settled()
  expect(push.asked).toBe(1)
  push.refusal = null
  expect(await subscribeThisDevice()).toBe('https://push.example/1')
  expect(told(api)).toHaveLength(1)
})

test('a subscription that the browser changed is made known again', async () => {
  const { push, api, start } = keep()
  start()
  await waitFor(() => expect(told(api)).toHaveLength(1))
  push.say({ type: 'SUBSCRIPTION_CHANGED' })
  await waitFor(() => expect(told(api)).toHaveLength(2))
})

test('a push that shows nothing, because the page is visible, makes the page read', async () => {
  const { push, onNews, start } = keep()
  start()
  await waitFor(() => expect(push.endpoint).not.toBeNull())
  expect(onNews).not.toHaveBeenCalled()
  push.say({ type: 'NEW_ORDERS', count: 2 })
  expect(onNews).toHaveBeenCalledOnce()
})

test('at logout the browser forgets the subscription, and what it has announced', async () => {
  const { push, api, start } = keep()
  start()
  await waitFor(() => expect(told(api)).toHaveLength(1))
  lookAway(true)
  announceNewOrders(1)
  await waitFor(() => expect(push.shown).toHaveLength(1))
  act(() => pharmacySession.signOut())
  await waitFor(() => expect(push.endpoint).toBeNull())
  expect(push.shown).toEqual([])
})

test('a click on a notification leads to the orders', async () => {
  const { push, start } = keep('granted', '/offers?page=3')
  start()
  await waitFor(() => expect(push.endpoint).not.toBeNull())
  expect(address()).toBe('/offers?page=3')
  act(() => void push.say({ type: 'SHOW_ORDERS' }))
  await waitFor(() => expect(address()).toBe('/'))
})

test('so does one on a notification that the page raised itself', async () => {
  const { raised, push, start } = keep('granted', '/offers?page=3')
  start()
  await waitFor(() => expect(push.endpoint).not.toBeNull())
  const focus = vi.spyOn(window, 'focus').mockReturnValue()
  push.running = false
  lookAway(true)
  announceNewOrders(1)
  await waitFor(() => expect(raised).toHaveLength(1))
  act(() => raised[0]?.click())
  await waitFor(() => expect(address()).toBe('/'))
  expect([focus.mock.calls.length, raised[0]?.closed]).toEqual([1, true])
})
