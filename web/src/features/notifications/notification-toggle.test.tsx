import { getPushKey, subscribeDevice, unsubscribeDevice } from '@bancone/contract/notifications'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { fakeNotifications } from '../../../test/fake-notifications.ts'
import { fakePush, publicKey } from '../../../test/fake-push.ts'
import { renderPart, signedIn } from '../../../test/render-part.tsx'
import { failure, StubApi } from '../../../test/stub-api.ts'
import { NotificationToggle } from './notification-toggle.tsx'

const KEY = 'enableSystemNotifications'

function server() {
  const api = new StubApi()
    .on(getPushKey, () => ({ publicKey: publicKey(1) }))
    .on(subscribeDevice, () => ({}))
    .on(unsubscribeDevice, () => ({}))
  signedIn(api)
  return api
}

const toggle = () => renderPart(<NotificationToggle />)
const on = () => screen.findByRole('button', { name: 'Notifiche sistema attive', pressed: true })
const off = () => screen.findByRole('button', { name: 'Attiva notifiche sistema', pressed: false })

test('with the permission it is on until it is switched off', async () => {
  fakeNotifications('granted')
  toggle()
  expect(await on()).toBeDefined()
})

test.each(['default', 'denied'] as const)('without it (%s) it is off', async (permission) => {
  fakeNotifications(permission)
  toggle()
  expect(await off()).toBeDefined()
})

test('switched off, the choice is kept and the device forgotten', async () => {
  fakeNotifications('granted')
  const push = fakePush()
  server()
  const { user } = toggle()
  await user.click(await on())
  expect(await off()).toBeDefined()
  expect(localStorage.getItem(KEY)).toBe('false')
  await user.click(await off())
  expect(await on()).toBeDefined()
  expect(localStorage.getItem(KEY)).toBe('true')
  await waitFor(() => expect(push.endpoint).not.toBeNull())
  await user.click(await on())
  await waitFor(() => expect(push.endpoint).toBeNull())
})

test('the click asks for the permission, and a yes switches it on', async () => {
  const browser = fakeNotifications('default')
  const push = fakePush()
  const api = server()
  const { user } = toggle()
  await user.click(await off())
  expect(await on()).toBeDefined()
  expect(browser.asked).toBe(1)
  await waitFor(() => expect(push.endpoint).toBe('https://push.example/1'))
  expect(api.unexpected).toEqual([])
})

test('a no is answered with how to change one’s mind', async () => {
  const browser = fakeNotifications('default')
  browser.answer = 'denied'
  const { user } = toggle()
  await user.click(await off())
  expect(await screen.findByText('Le notifiche sono bloccate in questo browser')).toBeDefined()
  expect(screen.getByText(/consenti le notifiche/)).toBeDefined()
  expect(await off()).toBeDefined()
  expect(localStorage.getItem(KEY)).toBeNull()
})

test('a question left open changes nothing and says nothing', async () => {
  const browser = fakeNotifications('default')
  browser.answer = 'default'
  const { user } = toggle()
  await user.click(await off())
  expect(browser.asked).toBe(1)
  expect(await off()).toBeDefined()
  expect(screen.queryByText(/notifiche sono/)).toBeNull()
})

test('where notifications are blocked the click explains, without asking in vain', async () => {
  const browser = fakeNotifications('denied')
  const { user } = toggle()
  await user.click(await off())
  expect(await screen.findByText('Le notifiche sono bloccate in questo browser')).toBeDefined()
  expect(browser.asked).toBe(0)
})

test('a browser without notifications says so', async () => {
  const { user } = toggle()
  await user.click(await off())
  expect(await screen.findByText('Questo browser non mostra notifiche')).toBeDefined()
})

test('an iPhone is told to put the application on the home screen', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)',
  )
  const { user } = toggle()
  await user.click(await off())
  expect(await screen.findByText('Aggiungi Bancone alla schermata Home')).toBeDefined()
})

test('an address without https is named as the reason', async () => {
  fakeNotifications('denied')
  vi.stubGlobal('isSecureContext', false)
  const { user } = toggle()
  await user.click(await off())
  expect(await screen.findByText('Le notifiche richiedono una connessione sicura')).toBeDefined()
})

test('a device that cannot be subscribed is on all the same, and the click learns it', async () => {
  fakeNotifications('default')
  fakePush()
  const api = server()
  api.on(subscribeDevice, () => failure('notifications.too_many'))
  const { user } = toggle()
  await user.click(await off())
  expect(await on()).toBeDefined()
  expect(await screen.findByText('Gli avvisi arrivano solo con Bancone aperto')).toBeDefined()
})

test('another tab’s choice, and a permission taken away in the settings, show here', async () => {
  const browser = fakeNotifications('granted')
  toggle()
  localStorage.setItem(KEY, 'false')
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: KEY })))
  expect(await off()).toBeDefined()
  localStorage.setItem(KEY, 'true')
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: KEY })))
  expect(await on()).toBeDefined()
  browser.permission = 'denied'
  fireEvent.focus(window)
  expect(await off()).toBeDefined()
})
